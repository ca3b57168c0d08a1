import type {Command} from '@oclif/core/command'
import {parse} from '@oclif/core/parser'
import {idOf} from '../../src/cli/command-effects.ts'
import type {Guide} from '../../src/cli/guided/guide.ts'
import {type ParsedLine, unmetNeed} from '../../src/cli/needs.ts'
import {commands} from '../../src/commands/index.ts'

/** What a reader would write for a word in capitals, where not every value will do. */
const FILLED: Readonly<Record<string, string>> = {
  NAME: 'name',
  TYPE: 'credit',
  AMOUNT: '5000',
  URL: 'http://127.0.0.1:9',
  REF: 'env:STORE',
  FILE: 'file.txt',
  'json=FILE': 'json=report.json',
}

export const filled = (argv: readonly string[]): readonly string[] => argv.map(word => FILLED[word] ?? word)

/** Why the parser of the command refuses these arguments of cardctl; undefined if it takes them. */
export async function refusalOf(argv: readonly string[]): Promise<string | undefined> {
  if (argv.at(-1) === '--help') return helpRefusal(argv.slice(0, -1))
  const id = idOf(argv, commands)
  const load = id === undefined ? undefined : commands[id]
  if (id === undefined || load === undefined)
    return isTopic(argv) ? undefined : `there is no command ${argv.join(' ')}`
  const Loaded = (await load()).default as unknown as Command.Class & {readonly guide?: Guide}
  const {args, baseFlags, flags, strict, guide} = Loaded
  const words = filled(argv.slice(id.split(':').length))
  const input = {args, flags: {...baseFlags, ...flags}, strict, context: {argv: words}}
  try {
    const parsed = await parse([...words], input as never)
    const isAsked = words.includes('--interactive')
    const unmet =
      !isAsked && guide?.needs && unmetNeed(guide.needs, parsed as unknown as ParsedLine, input as never)
    return unmet instanceof Error ? String(unmet) : undefined
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0] : String(error)
  }
}

const helpRefusal = (words: readonly string[]): string | undefined =>
  words.length === 0 || isTopic(words) || idOf(words, commands) !== undefined
    ? undefined
    : `there is no help on ${words.join(' ')}`

const isTopic = (words: readonly string[]): boolean =>
  Object.keys(commands).some(id => id.startsWith(`${words.join(':')}:`))

/** The arguments of the commands in what was printed, each pasted from `cardctl` to the end of its line. */
export const suggestedLines = (text: string): string[][] =>
  text.split('\n').flatMap(line => {
    const [, command] = /.*\bcardctl (.*)$/.exec(line) ?? []
    return command === undefined ? [] : [shellWords(command)]
  })

const shellWords = (text: string): string[] =>
  (text.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map(word => word.replaceAll("'", ''))
