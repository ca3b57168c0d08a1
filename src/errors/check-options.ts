import {Failure} from './failure.ts'
import {isObject} from './is-object.ts'
import {nearestName} from './nearest-name.ts'

/** Checks one option. @throws Failure INPUT_INVALID, which names its place and never quotes the value: it may be secret. */
export type Rule = (value: unknown, place: string) => void

/** A rule for each option of a type. A new option does not compile without one. */
export type Rules<Options> = {readonly [Name in keyof Required<Options>]: Rule}

/** @param words complete "must be …", for example "a whole number". */
export const must =
  (words: string, fits: (value: unknown) => boolean): Rule =>
  (value, place) => {
    if (!fits(value)) throw invalid(`${place} must be ${words}.`)
  }

export const aFunction = must('a function', value => typeof value === 'function')
export const aText = must('a non-empty string', value => typeof value === 'string' && value !== '')
/** Whether it is a `Secret`, from any of the public entries. */
export const isSecret = (value: unknown): boolean => isObject(value) && typeof value.open === 'function'
export const aSecret = must("a Secret: new Secret('…')", isSecret)

export const wholeNumber = (least: number, most: number, what = 'a whole number'): Rule =>
  must(
    `${what} from ${least} to ${most}`,
    value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )

export const oneOf = (...values: readonly (string | number | true)[]): Rule => {
  const shown = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = shown.at(-1) ?? ''
  const words = shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} or ${last}`
  return must(words, value => values.some(each => each === value))
}

/** An object with these fields and no others; those in `required` must be present. */
export const members =
  <Options>(rules: Rules<Options>, required: readonly (keyof Options & string)[] = []): Rule =>
  (value, place) =>
    checkMembers(value, rules, {place, required})

interface Whose {
  /** Prefix of the names in messages: `webhook`. */
  readonly place: string
  readonly required?: readonly string[]
}

/**
 * Checks the options of a public entry. Undefined counts as absent.
 *
 * @param what names the entry: `createSandbox()`.
 * @throws Failure INPUT_INVALID for an unknown option, with the name that was probably meant, and for a wrong value.
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
  if (!isObject(value)) {
    throw invalid(`${place === '' ? 'the options' : place} must be an object.`)
  }
  const under = (name: string) => (place === '' ? name : `${place}.${name}`)
  const names = Object.keys(rules)
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(rules, name)) continue
    const meant = nearestName(name, names)
    const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
    const known =
      meant === undefined
        ? `The options are ${names.map(under).join(', ')}.`
        : `Did you mean ${under(meant)}?`
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

/** The message says what to do, because Node prints only the message of an uncaught error. */
export const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message})
