import {escapeText} from '../output/styled.ts'
import type {Check, Question} from './question-look.ts'
import type {Surroundings} from './surroundings.ts'

/** A choice, or a heading between choices. Texts come from our own lists or are escaped. */
export type SearchChoice =
  | {readonly value: string; readonly name: string; readonly description?: string}
  | {readonly heading: string}

/** The value of a choice that is none: it comes first where Enter alone must choose nothing. */
export const UNCHOSEN = '?'

export interface SearchSettings {
  readonly check?: Check | undefined
  /** What typing does; it searches by default. */
  readonly typing?: string | undefined
}

export interface SeveralChoice<T extends string> {
  readonly value: T
  readonly name: string
  readonly description?: string
}

export interface SeveralSettings<T extends string> {
  readonly required?: boolean
  readonly check?: (chosen: readonly T[]) => true | string
}

type Ask = (question: Question) => Promise<unknown>

/** Asks for one of many choices. What is typed filters them: `find` gets it, undefined at first. */
export async function search(
  surroundings: Surroundings,
  ask: Ask,
  message: string,
  find: (typed: string | undefined) => readonly SearchChoice[],
  {check, typing = 'type to search'}: SearchSettings = {},
): Promise<string> {
  const source = (typed: string | undefined) =>
    find(typed?.trim() || undefined).map(choice =>
      'heading' in choice ? {type: 'separator', separator: escapeText(choice.heading)} : shown(choice),
    )
  const validate = check && ((answer: string) => check(answer))
  const pageSize = pageSizeFor(surroundings)
  const question = {type: 'search', message, source, pageSize, typing}
  return String(await ask({...question, ...(validate ? {validate} : {})}))
}

/** Inquirer's own message doesn't say how to choose. */
const NOTHING_CHOSEN = 'Press Space to choose, then Enter.'

/** A letter that is typed by mistake must not choose everything. */
const NO_SHORTCUTS = {all: null, invert: null}

/** Asks for any number of choices, at least one if `required`. */
export async function several<T extends string>(
  surroundings: Surroundings,
  ask: Ask,
  message: string,
  given: readonly SeveralChoice<T>[],
  {required = false, check = () => true}: SeveralSettings<T> = {},
): Promise<T[]> {
  const choices = given.map(shown)
  const chosenOf = (values: readonly unknown[]) =>
    given.map(({value}) => value).filter(value => values.includes(value))
  const validate = (chosen: readonly {value: unknown}[]) =>
    required && chosen.length === 0 ? NOTHING_CHOSEN : check(chosenOf(chosen.map(({value}) => value)))
  const pageSize = pageSizeFor(surroundings)
  const question = {
    type: 'checkbox',
    message,
    choices,
    isNeeded: required,
    validate,
    pageSize,
    loop: false,
    shortcuts: NO_SHORTCUTS,
  }
  return chosenOf((await ask(question)) as unknown[])
}

/** What a person chose, in words: `new credit limit` of `New credit limit, for credit accounts`. */
const inShort = (name: string): string =>
  (name.split(/[,;:(]/)[0] ?? name).trim().replace(/^\p{Lu}(?=\p{Ll})/u, first => first.toLowerCase())

/** Makes a choice for inquirer, which doesn't escape texts. */
const shown = ({value, name, description}: SeveralChoice<string>): object => ({
  value,
  name: escapeText(name),
  short: escapeText(value.startsWith('-') ? inShort(name) : value),
  ...(description === undefined ? {} : {description: escapeText(description)}),
})

/** Lines of a list, so that question, description and keys stay on the screen. */
const pageSizeFor = ({stderr: {rows = 24}}: Surroundings): number => Math.max(3, Math.min(15, rows - 8))
