import {Failure} from './failure.ts'
import {nearestName} from './nearest-name.ts'

/** Looks at one option. @throws Failure INPUT_INVALID, naming its place; values are never quoted, they may be secret. */
export type Rule = (value: unknown, place: string) => void

/** A rule for each option that a type has, so that a new option does not compile without one. */
export type Rules<Options> = {readonly [Name in keyof Required<Options>]: Rule}

/** @param words follow "must be": "a whole number". */
export const must =
  (words: string, fits: (value: unknown) => boolean): Rule =>
  (value, place) => {
    if (!fits(value)) throw invalid(`${place} must be ${words}.`)
  }

export const aFunction = must('a function', value => typeof value === 'function')
export const aBoolean = must('true or false', value => typeof value === 'boolean')
export const aText = must('a text that is not empty', value => typeof value === 'string' && value !== '')
export const bytes = must('bytes (a Uint8Array or Buffer)', value => value instanceof Uint8Array)

/** A `Secret`, of whichever entry it was imported from. */
export const aSecret = must(
  "a Secret: new Secret('…')",
  value => isObject(value) && typeof value.open === 'function',
)

/** Longer timers fire at once. */
const LONGEST_MS = 2 ** 31 - 1

export const wholeNumber = (least: number, most: number, what = 'a whole number'): Rule =>
  must(
    `${what} from ${least} to ${most}`,
    value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )

export const milliseconds = (least = 0, most = LONGEST_MS): Rule =>
  wholeNumber(least, most, 'milliseconds, a whole number')

export const oneOf = (...values: readonly (string | number | true)[]): Rule => {
  const shown = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = shown.at(-1) ?? ''
  const words = shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} or ${last}`
  return must(words, value => values.some(each => each === value))
}

export const anyOf =
  (words: string, ...rules: readonly Rule[]): Rule =>
  (value, place) => {
    if (!rules.some(rule => fits(rule, value, place))) throw invalid(`${place} must be ${words}.`)
  }

function fits(rule: Rule, value: unknown, place: string): boolean {
  try {
    rule(value, place)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

export const listOf =
  (rule: Rule): Rule =>
  (value, place) => {
    if (!Array.isArray(value)) throw invalid(`${place} must be a list.`)
    for (const [at, item] of value.entries()) rule(item, `${place}[${at}]`)
  }

/** An address of http or https that paths can be added to. */
export const httpAddress: Rule = (value, place) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalid(`${place} must be an http or https address without a query, such as http://127.0.0.1:3000.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(`${place} must hold no credentials; give them by their own options.`)
  }
}

/** An object with these members and no others; those of `required` must be there. */
export const members =
  <Options>(rules: Rules<Options>, required: readonly (keyof Options & string)[] = []): Rule =>
  (value, place) =>
    checkMembers(value, rules, {place, required})

interface Whose {
  /** What stands before the names: `webhook`. */
  readonly place: string
  readonly required?: readonly string[]
}

/**
 * Holds the options of a public entry against its rules. What is undefined counts as absent.
 *
 * @param what names the entry: `createSandbox()`.
 * @throws Failure INPUT_INVALID for an unknown option, with the one that was meant, and for a value that cannot be.
 */
export function checkOptions<Options>(
  what: string,
  options: unknown,
  rules: Rules<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  try {
    checkMembers(options, rules, {place: '', required})
  } catch (error) {
    throw error instanceof Failure ? invalid(`${what}: ${error.message}`) : error
  }
}

function checkMembers(
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
  {place, required = []}: Whose,
): void {
  if (!isObject(value) || Array.isArray(value)) {
    throw invalid(`${place === '' ? 'the options' : place} must be an object.`)
  }
  const under = (name: string) => (place === '' ? name : `${place}.${name}`)
  const names = Object.keys(rules)
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(rules, name)) continue
    const meant = nearestName(name, names)
    const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
    const known =
      meant === undefined ? `There are ${names.map(under).join(', ')}.` : `Did you mean ${under(meant)}?`
    throw invalid(`there is no option ${under(shown)}. ${known}`)
  }
  for (const name of required) {
    if (value[name] === undefined) throw invalid(`${under(name)} is missing.`)
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (value[name] !== undefined) rule(value[name], under(name))
  }
}

const LONGEST_NAME = 40

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** What to do stands in the message: of an error that nobody catches Node prints no more. */
const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message})
