import {PATTERNS} from './patterns.ts'
import type {SchemaError} from './validator.ts'

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2027-01-31',
  'date-time': 'a time such as 2027-01-31T10:00:00Z',
  email: 'an e-mail address',
  uri: 'a URL',
  uuid: 'a UUID',
}

/** What is wrong with a value, to follow its name; undefined where another complaint says it already. */
export function wordsFor({keyword, params, message}: SchemaError): string | undefined {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'if':
    case 'allOf':
      return undefined
    case 'type':
      return `must be ${[params.type].flat().map(named(TYPES)).join(' or ')}`
    case 'enum':
      return `must be one of ${rangesOf(params.allowedValues)}`
    case 'const':
      return 'has another value than the contract allows'
    case 'maxLength':
      return `is longer than ${many(limit, 'character')}`
    case 'minLength':
      return limit === 1 ? 'is empty' : `is shorter than ${many(limit, 'character')}`
    case 'minProperties':
      return limit === 1 ? 'has no members' : `needs at least ${many(limit, 'member')}`
    case 'maxProperties':
      return `takes at most ${many(limit, 'member')}`
    case 'minItems':
      return limit === 1 ? 'is empty' : `needs at least ${many(limit, 'item')}`
    case 'maxItems':
      return `takes at most ${many(limit, 'item')}`
    case 'uniqueItems':
      return 'holds the same item twice'
    case 'minimum':
      return `must be ${limit} or more`
    case 'maximum':
      return `must be ${limit} or less`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'pattern':
      return `must be ${PATTERNS[String(params.pattern)] ?? `of the form ${String(params.pattern)}`}`
    case 'format':
      return `must be ${named(FORMATS)(params.format)}`
    default:
      return message ?? 'does not fit'
  }
}

const named =
  (names: Readonly<Record<string, string>>) =>
  (name: unknown): string =>
    names[String(name)] ?? String(name)

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Values as a list; whole numbers that follow each other as `1 to 31`. */
function rangesOf(values: unknown): string {
  const parts: string[] = []
  const all: readonly unknown[] = Array.isArray(values) ? values : []
  for (let at = 0; at < all.length; at++) {
    const first = all[at]
    let last = at
    while (typeof first === 'number' && all[last + 1] === Number(all[last]) + 1) last++
    if (last - at >= 2) {
      parts.push(`${first} to ${String(all[last])}`)
      at = last
    } else parts.push(String(first))
  }
  return parts.join(', ')
}
