import {Failure} from '../errors/failure.ts'
import {currenciesOf} from './currency-signs.ts'
import {currencyCodes, findExponent} from './exponents.ts'

/**
 * The ISO 4217 code that a person means by `eur`, `Euro`, `swedish krona`, `€` or `zł`. Names are those of CLDR in English
 * (`Intl.DisplayNames`).
 *
 * @throws Failure INPUT_INVALID for anything else, and for a word that several currencies share, which it names. Quotes
 * nothing but words of letters: a misplaced column may hold a card number.
 */
export function readCurrency(text: string): string {
  const given = text.trim()
  const code = given.toUpperCase()
  if (findExponent(code) !== undefined) return code
  const signs = currenciesOf(given)
  const named = signs.length > 0 ? signs : codesNamed(given)
  const [only] = named
  if (only !== undefined && named.length === 1) return only
  const shown = /^\p{L}[\p{L} ]{1,30}$/u.test(given) ? given : 'This'
  if (named.length > 1) {
    const some = named.slice(0, MOST_NAMED).map(each => `${each} (${currencyWords(each)})`)
    const rest = named.length > some.length ? 'another currency' : some.pop()
    throw new Failure('INPUT_INVALID', {
      message: `${shown} may be ${some.join(', ')} or ${rest}`,
      hint: 'Pass the code.',
    })
  }
  throw new Failure('INPUT_INVALID', {
    message: `${shown} is not a currency code that amounts can have here`,
    hint: 'Pass a code such as EUR, or a name such as Swedish krona.',
  })
}

/** Codes that are named where a word has several meanings. */
const MOST_NAMED = 5

/** Money of ISO 4217 that nobody pays with: funds, units of account. They have no name that a person would type. */
const FUNDS = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XAD']

const names = new Intl.DisplayNames('en', {type: 'currency', fallback: 'none'})

/** `Swedish Krona` for SEK. */
export const currencyWords = (code: string): string => names.of(code) ?? code

/** Lower case, without marks, each word in the singular: `US Dollars` is `us dollar`. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join(' ')

/** The codes with exactly this name, else those whose name ends in it: `dollar`. */
function codesNamed(text: string): readonly string[] {
  const wanted = folded(text)
  if (!/^\p{L}[\p{L} ]+$/u.test(wanted)) return []
  const all = currencyCodes()
    .filter(code => !FUNDS.includes(code))
    .map(code => ({code, name: folded(currencyWords(code))}))
  const exact = all.filter(({name}) => name === wanted)
  return (exact.length > 0 ? exact : all.filter(({name}) => name.endsWith(` ${wanted}`))).map(
    ({code}) => code,
  )
}
