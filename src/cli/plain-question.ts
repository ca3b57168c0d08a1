import {createInterface} from 'node:readline'
import type {Failure} from '../errors/failure.ts'
import {Sink} from '../output/sink.ts'
import {escapeText} from '../rows/escape-text.ts'
import type {Surroundings} from './surroundings.ts'

/** A question as the prompter states it. */
export interface PlainQuestion {
  readonly type?: unknown
  readonly message?: unknown
  readonly choices?: unknown
  readonly validate?: unknown
}

/** How a question ends that gets no answer. */
export interface QuestionEnds {
  /** Calls `end` at a signal, the end of the input or the loss of the terminal. Call the result to stop watching. */
  whileAsking(surroundings: Surroundings, end: (failure: Failure) => void): () => void
  ended(): Failure
}

interface Choice {
  readonly value: unknown
  readonly name: string
}

type Check = (answer: string) => true | string | Promise<true | string>

/** Whether a question of this kind can be asked in plain lines. */
export const isPlain = ({type}: PlainQuestion): boolean =>
  ['input', 'confirm', 'select'].includes(String(type))

/**
 * Asks in plain lines, for screen readers: nothing is redrawn, and a choice is made by its number or name.
 *
 * @throws Failure as the prompter does
 */
export async function askPlainly(
  surroundings: Surroundings,
  question: PlainQuestion,
  ends: QuestionEnds,
): Promise<unknown> {
  const screen = new Sink(surroundings.stderr)
  const message = escapeText(String(question.message))
  const say = (text: string): void => screen.say(text)
  if (question.type === 'confirm') {
    say(`${message} (y/N) `)
    return /^\s*y(es)?\s*$/i.test(await readLine(surroundings, ends))
  }
  const choices = question.type === 'select' ? (question.choices as readonly Choice[]) : []
  if (choices.length > 0) {
    say(`${message}\n${choices.map(({name}, at) => `  ${at + 1}. ${escapeText(name)}\n`).join('')}`)
  }
  const prompt = choices.length > 0 ? `Number, 1 to ${choices.length}: ` : `${message} `
  for (;;) {
    say(prompt)
    const answer = (await readLine(surroundings, ends)).trim()
    if (choices.length > 0) {
      const chosen = choices.find(({value}, at) => answer === String(at + 1) || answer === value)
      if (chosen !== undefined) return chosen.value
      say(`Enter a number from 1 to ${choices.length}.\n`)
      continue
    }
    const valid = await (question.validate as Check | undefined)?.(answer)
    if (typeof valid !== 'string') return answer
    say(`${escapeText(valid)}\n`)
  }
}

/** One line of the terminal, without its end. */
function readLine(surroundings: Surroundings, {whileAsking, ended}: QuestionEnds): Promise<string> {
  const lines = createInterface({input: surroundings.stdin, terminal: false})
  return new Promise<string>((resolve, reject) => {
    let isOver = false
    const finish = (act: () => void): void => {
      if (isOver) return
      isOver = true
      stopWatching()
      lines.close()
      act()
    }
    let stopWatching = (): void => undefined
    lines.once('line', line => finish(() => resolve(line)))
    stopWatching = whileAsking(surroundings, (failure: Failure) => finish(() => reject(failure)))
    // The end of the input tells `whileAsking` first; this is for an input that closes without it.
    lines.once('close', () => setImmediate(() => finish(() => reject(ended()))))
  })
}
