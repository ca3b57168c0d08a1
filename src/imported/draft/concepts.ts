import {wordsIn} from '../map/words.ts'

/** Words of card issuing that mean the same, each with the one that stands for it. */
const SAME: readonly (readonly string[])[] = [
  ['id', 'token', 'uuid', 'guid', 'identifier'],
  ['customer', 'user', 'cardholder', 'holder', 'client', 'person'],
  ['transfer', 'batch'],
  ['state', 'status'],
  ['date', 'time', 'at', 'since', 'timestamp', 'on'],
  ['start', 'started', 'begin', 'began'],
  ['completion', 'completed', 'end', 'ended', 'finished'],
  ['successful', 'succeeded', 'success'],
  ['failed', 'failure'],
  ['created', 'creation', 'create'],
  ['expiry', 'expires', 'expiration', 'expire'],
  ['masked', 'truncated', 'obfuscated'],
  ['last4', 'lastfour'],
  ['zip', 'postal', 'postcode', 'zipcode'],
  ['description', 'memo', 'note'],
  ['from', 'source', 'sender', 'originator', 'debtor'],
  ['to', 'destination', 'recipient', 'beneficiary', 'receiver', 'creditor'],
  ['limit', 'velocity'],
  ['reference', 'ref'],
  ['currency', 'ccy'],
  ['sum', 'total'],
]
const MEANS = new Map(SAME.flatMap(([first = '', ...others]) => others.map(word => [word, first] as const)))

/** Words that say little: a difference in them alone is none. */
const WEAK: ReadonlySet<string> = new Set([
  'code',
  'number',
  'value',
  'name',
  'type',
  'text',
  'usage',
  'item',
  'line',
  'minor',
  'cents',
  'date',
])
/** Words of paths that name no resource. */
export const NOISE: ReadonlySet<string> = new Set(['api', 'rest', 'public', 'peer', 'me'])

/** Words that documents write together, such as `usertransitions`. */
const PARTS = [
  'velocity',
  'customer',
  'transfer',
  'account',
  'control',
  'transition',
  'plastic',
  'card',
  'user',
  'peer',
  'price',
  'list',
  'postal',
  'zip',
  'pin',
]

const TOGETHER: readonly (readonly [RegExp, string])[] = [
  [/\b(?:last (?:four|4)(?: digits)?)\b/g, 'last4'],
  [/\b(?:card number|primary account number)\b/g, 'pan'],
  [/\b(?:expiry|expiration|expires|expire) (?:date|at|on|month)\b/g, 'expiry'],
]

/** A word without its plural ending. */
export const singular = (word: string): string =>
  word.length < 4 || /(?:ss|us|is|status)$/.test(word)
    ? word
    : word
        .replace(/ies$/, 'y')
        .replace(/(ch|sh|x)es$/, '$1')
        .replace(/s$/, '')

function split(word: string): readonly string[] {
  const part = PARTS.find(one => word !== one && word.startsWith(one))
  if (part === undefined) return [word]
  const rest = word.slice(part.length)
  return PARTS.some(one => rest.startsWith(one)) ? [part, ...split(rest)] : [word]
}

/** What a name speaks of, as a set of words: `statusDate` and `state_since` are state and date. */
export function conceptsOf(name: string): ReadonlySet<string> {
  const words = wordsIn(name.replaceAll(/(?<=[a-z])(?=\d+(?![a-z0-9]))/gi, ' ')).flatMap(word =>
    split(singular(word)),
  )
  const text = TOGETHER.reduce((all, [from, to]) => all.replace(from, to), words.join(' '))
  return new Set(text.split(' ').flatMap(word => (word === '' ? [] : [MEANS.get(word) ?? word])))
}

/** The words of a set that tell something. */
export const strongIn = (words: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...words].filter(word => !WEAK.has(word)))

/** How alike two sets of words are, from 0 to 1. At 1 they say the same, apart from words that say little. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [left, right] = [[...strongIn(one)], [...strongIn(other)]]
  if (left.length + right.length === 0) return isWithin([...one], other) && isWithin([...other], one) ? 1 : 0
  const isSame = isWithin(left, other) && isWithin(right, one)
  if (isSame) return isWithin([...one], other) || isWithin([...other], one) ? 1 : 0.8
  const weight = (words: Iterable<string>) =>
    [...words].reduce((sum, word) => sum + (WEAK.has(word) ? 0.35 : 1), 0)
  const shared = weight([...one].filter(word => other.has(word)))
  return Math.min(0.9, (2 * shared) / (weight(one) + weight(other)))
}

const isWithin = (some: readonly string[], all: ReadonlySet<string>): boolean =>
  some.every(word => all.has(word))

/** Values of states that mean the same wherever they occur. */
const VALUES: readonly (readonly string[])[] = [
  ['ok', 'active', 'open', 'enabled', 'normal'],
  ['blocked', 'suspended', 'frozen', 'locked'],
  ['closed', 'terminated', 'cancelled', 'canceled'],
  ['completed', 'complete', 'done', 'succeeded'],
  ['failed', 'error'],
  ['progress', 'running', 'processing'],
  ['supplementary', 'additional'],
  ['main', 'primary', 'principal'],
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
]
const VALUE_MEANS = new Map(
  VALUES.flatMap(([first = '', ...others]) => others.map(one => [one, first] as const)),
)
const SMALL: ReadonlySet<string> = new Set(['in', 'due', 'to', 'for', 'of', 'is', 'by', 'with', 'the'])

/** What a value says, without the words of what has it: `CARD_CLOSED` of a card is closed. */
export function valueConcept(value: unknown, about: ReadonlySet<string>): string {
  const words = wordsIn(String(value))
    .filter(word => !about.has(word) && !SMALL.has(word))
    .map(word => VALUE_MEANS.get(word) ?? word)
  return words.sort().join(' ')
}
