import {PassThrough} from 'node:stream'
import {stripVTControlCharacters} from 'node:util'
import type {Input, Output} from '../../src/cli/surroundings.ts'

/** What a person types when the screen shows a text. The first group of the pattern may be part of the answer. */
const ANSWERS: readonly (readonly [shown: RegExp, typed: string])[] = [
  [/Type (\S+) to confirm:/, '$1\r'],
  [/\(y\/N\)/, 'y\r'],
  [/Card number: /, '4111111111111111\r'],
  [/New PIN[^:]*: /, '8253\r'],
  [/PIN again[^:]*: /, '8253\r'],
  [/Any key clears this/, ' '],
  [/User name/, 'ops\r'],
  [/Your name/, 'aino\r'],
  [/Password[^:]*: /, 'made-up\r'],
]

/** The keyboard of a person who reads the screen and answers each kind of question once. */
export function personAt(screen: Output): Input {
  const keyboard = Object.assign(new PassThrough(), {isTTY: true})
  const open = [...ANSWERS]
  let shown = ''
  // A question closes its terminal at the end; a real one stays.
  screen.end = () => screen
  screen.on('data', (chunk: Buffer) => {
    shown += stripVTControlCharacters(chunk.toString())
    const found = open.find(([pattern]) => pattern.test(shown))
    if (found === undefined) return
    open.splice(open.indexOf(found), 1)
    const [pattern, typed] = found
    const [match, group = ''] = pattern.exec(shown) ?? []
    shown = shown.slice(shown.indexOf(match ?? '') + (match ?? '').length)
    setImmediate(() => keyboard.write(typed.replace('$1', group)))
  })
  return keyboard
}
