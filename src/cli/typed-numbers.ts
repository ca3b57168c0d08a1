import type {FieldType} from '../contract/schema.ts'
import {Failure} from '../errors/failure.ts'
import {amount} from '../money/amount.ts'
import {
  type DecimalSigns,
  isPlain,
  readingsOf,
  shownNumber,
  typedNumber,
  unmistakable,
} from '../money/decimal-sign.ts'
import {findExponent} from '../money/exponents.ts'
import type {Context} from './context.ts'
import {UNCHOSEN} from './list-questions.ts'
import type {Prompter} from './question.ts'
import {dateInWords, type LocalClock, localClock, readDate} from './typed-date.ts'

/**
 * Reads the numbers that a person types: in arguments, flags and fields. One that may be meant in thousands is asked
 * about on a terminal, and refused elsewhere. Numbers in JSON are JSON's.
 */
export class TypedNumbers {
  readonly #context: Context
  readonly #settled = new Map<string, string>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Whether a person was asked. */
  get wasAsked(): boolean {
    return this.#settled.size > 0
  }

  /** A command line with the answers in place of what was typed: `2001`, `creditLimit=6.000`, `2006:2007:6.000:EUR`. */
  inWords(words: readonly string[]): readonly string[] {
    return words.map(word => word.replace(/[^=:]+/g, part => this.#settled.get(part) ?? part))
  }

  /** What `--decimal` and the profile say. For a single text, the profile is read only if that needs it. */
  async signs(text?: string): Promise<DecimalSigns> {
    const {decimal} = this.#context.flags
    if (decimal !== undefined || (text !== undefined && isPlain(text))) return {decimal}
    return {usual: await this.#context.service.usualDecimal()}
  }

  /**
   * A number as plain decimal text.
   *
   * @param what the value in messages: `--amount`.
   * @param currency of the amount, if that is known
   * @throws Failure USAGE
   */
  async read(text: string, what: string, currency?: string): Promise<string> {
    return typedNumber(await this.settle(text, currency), what, await this.signs(text))
  }

  /** The same as a number for JSON; undefined stays. */
  async amount(text: string, what: string): Promise<number>
  async amount(text: string | undefined, what: string): Promise<number | undefined>
  async amount(text: string | undefined, what: string): Promise<number | undefined> {
    return text === undefined ? undefined : Number(await this.read(text, what))
  }

  /**
   * The text of a field that is set by its path, with a number or date written plainly if the field takes one. What a
   * date was understood as is said.
   */
  async field(type: FieldType, path: string, text: string): Promise<string> {
    if (mayBeDate(type, text)) {
      const {surroundings, printer} = this.#context
      const date = readDate(text, path, localClock(surroundings), 'coming')
      if (date !== text) printer.note(`${path}: ${dateInWords(date)}`)
      return asField(type, date)
    }
    if (!mayBeNumber(type, text)) return text
    return plainNumber(type, path, await this.settle(text), await this.signs(text))
  }

  /**
   * On a terminal, says which number a text means that is not written plainly, and asks if it has two readings.
   * Unchanged elsewhere, and if it is plain or no number.
   *
   * @param currency of the amount, if that is known
   */
  async settle(text: string, currency?: string): Promise<string> {
    const given = text.trim()
    const known = this.#settled.get(given)
    if (known !== undefined) return known
    const {interactive, prompter} = this.#context
    if (!interactive || !isOpen(given, await this.signs(given))) return text
    const chosen = await askReading(prompter, given)
    this.#context.printer.note(readAs(given, chosen, currency))
    this.#settled.set(given, chosen)
    return chosen
  }
}

/** `4'000,5 is EUR 4 000.50.`: what is sent, with all decimals. */
export function readAs(given: string, chosen: string, currency: string | undefined): string {
  const [only = chosen, other] = readingsOf(given)
  const reading = typedNumber(other === undefined ? only : chosen, '', {})
  const code = currency?.trim().toUpperCase()
  const known = code !== undefined && findExponent(code) !== undefined ? code : undefined
  // Where nobody knows the currency, most have two.
  const [, whole = reading, decimals = ''] = /^(.*)\.(\d+)$/.exec(reading) ?? []
  const shown =
    known === undefined
      ? shownNumber(decimals === '' ? reading : `${whole}.${decimals.padEnd(2, '0')}`)
      : amount(reading, known)
  return `${given.trim()} is ${shown}.`
}

/** Whether a person has to say, or be told, which number a text means: it is not plain, or has two readings. */
export function isOpen(text: string, signs: DecimalSigns): boolean {
  if (readingsOf(text).length === 0) return false
  try {
    typedNumber(text, '', signs)
    return false
  } catch {
    return true
  }
}

/** The number that a text means, asked for if there are two. The answer has one reading only. */
export async function askReading(prompter: Prompter, text: string): Promise<string> {
  const [only = text, other] = readingsOf(text)
  if (other === undefined) return unmistakable(only)
  const choices = readingsOf(text).map(reading => ({
    value: unmistakable(reading),
    name: nameOf(reading),
    reading,
  }))
  const find = (typed = '') => {
    // The list writes the name of a refused choice before what is typed next.
    const own = typed.replace(UNDECIDED.name, '').trim()
    if (own === '') return [UNDECIDED, ...choices]
    const [meant, another] = readingsOf(own)
    // Another number is neither, and the same text says as little as before.
    return another === undefined ? choices.filter(({reading}) => reading === meant) : [UNDECIDED, ...choices]
  }
  return prompter.search(`${text.trim()}: which number is it?`, find, {
    check: answer => answer !== UNCHOSEN || 'Choose one of the numbers.',
    typing: 'or type it',
  })
}

/** Enter alone takes neither number. */
const UNDECIDED = {value: UNCHOSEN, name: 'Choose one of these'}

/** `6,000 (6000)`, `6.125 (between 6 and 7)`: neither sign alone says it to everyone. */
function nameOf(reading: string): string {
  const shown = shownNumber(reading)
  if (!reading.includes('.')) return shown === reading ? shown : `${shown} (${reading})`
  const whole = Math.floor(Number(reading))
  return `${shown} (between ${whole} and ${whole + 1})`
}

const NUMBERS: readonly FieldType['type'][] = ['number', 'integer']

/** Whether it is typed as a number, and so not `null` or JSON; what the contract doesn't type only if in doubt. */
function mayBeNumber({type}: FieldType, text: string): boolean {
  return NUMBERS.includes(type)
    ? /^\s*-?\d[\d\s'’]*[.,\s'’][\d.,\s'’]*$/.test(text)
    : type === 'unknown' && readingsOf(text).length > 1
}

/** Whether a field takes a date, and the text isn't `null` or a time. */
const mayBeDate = ({format}: FieldType, text: string): boolean =>
  format !== undefined && text.trim() !== 'null' && !/\d[t ]\d.*:/i.test(text)

/** A date where the contract wants a time is its first moment in UTC, the zone of all times of the service. */
const asField = ({format}: FieldType, date: string): string =>
  format === 'date-time' ? `${date}T00:00:00Z` : date

/** The same as `TypedNumbers.field`, where nobody is asked and nothing is said. @throws Failure USAGE */
export function typedField(
  type: FieldType,
  path: string,
  text: string,
  signs: DecimalSigns,
  clock: LocalClock,
): string {
  if (mayBeDate(type, text)) return asField(type, readDate(text, path, clock, 'coming'))
  return mayBeNumber(type, text) ? plainNumber(type, path, text, signs) : text
}

function plainNumber(type: FieldType, path: string, text: string, signs: DecimalSigns): string {
  try {
    return typedNumber(text, `The value of ${path}`, signs)
  } catch (error) {
    if (!(error instanceof Failure) || type.type !== 'unknown') throw error
    throw error.with({hint: `${error.hint} If it is text, pass it with -f.`})
  }
}
