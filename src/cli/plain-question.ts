import {createInterface} from 'node:readline'
import type {Failure} from '../errors/failure.ts'
import {Sink} from '../output/sink.ts'
import {escapeText, paintFor} from '../output/styled.ts'
import {paintLine, wrapProse} from '../output/text-layout.ts'
import {UNCHOSEN} from './list-questions.ts'
import type {Surroundings} from './surroundings.ts'

/** A question as the prompter states it. */
export interface PlainQuestion {
  readonly type?: unknown
  readonly message?: unknown
  readonly choices?: unknown
  readonly validate?: unknown
  /** Of a search: the choices for what was typed. */
  readonly source?: unknown
  /** Of a question with several answers. */
  readonly isNeeded?: unknown
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
  ['input', 'confirm', 'select', 'search', 'checkbox'].includes(String(type))

/**
 * Asks in plain lines, for screen readers: nothing is redrawn, and choices are made by number or name.
 *
 * @throws Failure as the prompter does
 */
export async function askPlainly(
  surroundings: Surroundings,
  question: PlainQuestion,
  ends: QuestionEnds,
): Promise<unknown> {
  const screen = new Sink(surroundings.stderr)
  const width = surroundings.stderr.columns ?? 80
  const ask = (prompt: string): Promise<string> => {
    screen.say(prompt)
    return readLine(surroundings, ends).then(line => line.trim())
  }
  // Words are not broken between lines.
  const say = (line: string): void =>
    screen.say(
      wrapProse(line, width - 1)
        .map(one => `${paintLine(one, paintFor(0))}\n`)
        .join(''),
    )
  const message = escapeText(String(question.message))
  switch (question.type) {
    case 'confirm':
      return /^y(es)?$/i.test(await ask(`${message} (y/N) `))
    case 'select':
      return askOneOf(message, question.choices as readonly Choice[], ask, say)
    case 'checkbox':
      return askSeveral(message, question, ask, say)
    case 'search':
      return search(message, question, ask, say)
    default:
      return untilValid(question, () => ask(`${message} `), say)
  }
}

type Ask = (prompt: string) => Promise<string>
type Say = (line: string) => void

async function untilValid(
  {validate}: PlainQuestion,
  answered: () => Promise<string>,
  say: Say,
): Promise<string> {
  for (;;) {
    const answer = await answered()
    const valid = await (validate as Check | undefined)?.(answer)
    if (typeof valid !== 'string') return answer
    say(escapeText(valid))
  }
}

/** Names are escaped by the prompter, or come from our own lists. */
function sayChoices(choices: readonly Choice[], say: Say, before = 0): void {
  for (const [at, {name}] of choices.entries()) say(`  ${before + at + 1}. ${escapeText(name)}`)
}

/** Reads the first ten of a list. Call the result to read on; false if there is no more. */
function readTens(choices: readonly Choice[], say: Say): () => boolean {
  let from = 0
  const read = (): void => {
    sayChoices(choices.slice(from, from + MOST_SAID), say, from)
    from += MOST_SAID
    if (choices.length > from) say(`and ${choices.length - from} more: type m to hear them`)
  }
  read()
  return () => {
    const isMore = choices.length > from
    if (isMore) read()
    return isMore
  }
}

const chosenBy = (answer: string, choices: readonly Choice[]): Choice | undefined =>
  choices.find(({value}) => answer === value) ?? choices.find((_, at) => answer === String(at + 1))

async function askOneOf(message: string, choices: readonly Choice[], ask: Ask, say: Say): Promise<unknown> {
  say(message)
  const readOn = readTens(choices, say)
  for (;;) {
    const answer = await ask(`Number, 1 to ${choices.length}: `)
    if (answer === 'm' && readOn()) continue
    const chosen = chosenBy(answer, choices)
    if (chosen !== undefined) return chosen.value
    say(`Enter a number from 1 to ${choices.length}.`)
  }
}

async function askSeveral(message: string, question: PlainQuestion, ask: Ask, say: Say): Promise<unknown> {
  const choices = question.choices as readonly Choice[]
  const validate = question.validate as ((chosen: readonly Choice[]) => true | string) | undefined
  say(message)
  const readOn = readTens(choices, say)
  for (;;) {
    const answer = await ask('Numbers, separated by commas: ')
    if (answer === 'm' && readOn()) continue
    const given = answer
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== '')
    const chosen = given.flatMap(word => chosenBy(word, choices) ?? [])
    const valid = validate?.(chosen) ?? true
    if (chosen.length < given.length) say(`Enter numbers from 1 to ${choices.length}.`)
    else if (chosen.length === 0 && question.isNeeded === true) say('Choose at least one.')
    else if (typeof valid === 'string') say(escapeText(valid))
    else return chosen.map(({value}) => value)
  }
}

/** More entries are not read out before a question. */
const MOST_SAID = 10

/** A heading of a long list, with what is below it. */
interface Group extends Choice {
  readonly members: readonly Choice[]
}

/** A long list is offered by its headings: a person hears those first, and then the entries of one. */
function groupsOf(listed: readonly (Choice | {readonly separator?: unknown})[]): readonly Group[] {
  const groups: {name: string; value: string; members: Choice[]}[] = []
  for (const one of listed) {
    if ('value' in one) groups.at(-1)?.members.push(one)
    else if (typeof one.separator === 'string') groups.push({name: one.separator, value: '', members: []})
  }
  return groups
}

async function search(message: string, question: PlainQuestion, ask: Ask, say: Say): Promise<string> {
  type Listed = Choice | {readonly type: string; readonly separator?: unknown}
  const source = question.source as (typed: string | undefined) => readonly Listed[]
  // Nothing is preselected here, so what is none isn't read out.
  const isChoice = (one: Listed): one is Choice => 'value' in one && one.value !== UNCHOSEN
  const find = (typed?: string): readonly Choice[] => source(typed).filter(isChoice)
  const all = find()
  const groups = all.length > MOST_SAID ? groupsOf(source(undefined)) : []
  let choices: readonly (Choice | Group)[] = groups.length > 1 ? groups : all
  let from = 0
  const offer = (next: readonly (Choice | Group)[], at = 0): void => {
    choices = next
    from = at
    const isWhole = next.every(choice => 'members' in choice)
    const to = isWhole ? next.length : at + MOST_SAID
    sayChoices(next.slice(at, to), say, at)
    if (next.length > to) say(`and ${next.length - to} more: type m to hear them`)
  }
  say(message)
  offer(choices)
  const answered = async (): Promise<string> => {
    for (;;) {
      const answer = await ask('Number, or text to search: ')
      if (answer === 'm' && choices.length > from + MOST_SAID) {
        offer(choices, from + MOST_SAID)
        continue
      }
      const found = answer === '' ? [] : find(answer)
      const only = found.length === 1 ? found[0] : undefined
      const chosen = chosenBy(answer, choices) ?? found.find(({value}) => value === answer) ?? only
      if (chosen !== undefined && !('members' in chosen)) return String(chosen.value)
      if (chosen !== undefined) offer((chosen as Group).members)
      else if (found.length > 0) {
        // What stands above what was found says something of it.
        for (const one of source(answer)) if (!('value' in one)) say(String(one.separator))
        offer(found)
      } else say(answer === '' ? 'Enter a value.' : 'Nothing matches.')
    }
  }
  return untilValid(question, answered, say)
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
