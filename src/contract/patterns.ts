import {countryExample} from './countries.ts'

/** Names for the formats that the contract describes by patterns. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[^/\\\\]*$': 'an id, and no id holds a slash',
  '^[0-9]+$': 'digits only',
  '^-?[0-9]{1,19}$': 'a whole number of at most 19 digits',
  '^[0-9]{12,19}$': '12 to 19 digits',
  '^[A-Z]{3}$': 'three capital letters',
  '^[A-Za-z0-9+/]+={0,2}$': 'base64',
  '^[A-Za-z0-9+/]{11}=$': '8 bytes in base64',
  '^([0-9a-f]{2})+$': 'lower-case hexadecimal',
  '^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]*){4}$': 'a compact JWE of five parts',
  // The words of the format date-time: a value that breaks both is reported once.
  Z$: 'a time in UTC such as 2027-01-31T10:00:00Z',
}

const EXAMPLES = [
  {names: /country$/i, example: countryExample},
  {names: /currency$/i, example: () => 'EUR'},
] as const

/**
 * What a pattern asks for, in words; undefined if it has none.
 *
 * @param name of the field, as `address.country`
 * @param value that doesn't fit; it is never quoted, and the example is the one that it probably means.
 */
export function patternWords(pattern: string | undefined, name: string, value?: unknown): string | undefined {
  const words = pattern === undefined ? undefined : PATTERNS[pattern]
  if (pattern !== '^[A-Z]{3}$') return words
  const found = EXAMPLES.find(({names}) => names.test(name))
  return found === undefined ? words : `${words}, such as ${found.example(value)}`
}
