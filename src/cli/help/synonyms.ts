import {stemOf} from './terms.ts'

/** Words that mean the same to people who ask. What has the typed one comes first. */
const ALIKE: readonly string[] = [
  'webhook endpoint',
  'token credential password secret',
  'uninstall remove delete',
  'block freeze lock suspend',
  'unblock unfreeze unlock',
  'signature sign signed',
  'verify check',
  'retry repeat resend',
  'duplicate twice double',
  'upgrade update',
  'production live prod',
  'flat house street address',
  'colleague person people second',
  'answer response reply',
  'record recording',
  'replay again',
  'call request',
  'declined decline refused',
  'speed fast rate pace',
  'resume continue',
  'error fault failure',
  'sum amount',
  'folder directory',
  'postgres postgresql',
]

/** Several words that are one thing. */
const PHRASES: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(?:api|access)[- ]?keys?\b/gi, 'token'],
  [/\b(?:go|goes|going) live\b/gi, 'production'],
  [/\bself[- ]signed\b/gi, 'self-signed'],
  [/\btoo many requests\b/gi, 'rate limit'],
  [/\bm-?tls\b/gi, 'client certificate'],
  [/\b(?:only read|read only|only look)\b/gi, 'read-only'],
  [/\btim(?:es?|ing|ed) out\b/gi, 'timeout'],
  [/\btoo (?:slow|late)\b/gi, 'late'],
  [/\b(?:fail|error|answer|respond)s?(?: with)? 5\d\d\b/gi, 'fail error'],
  [/\b(?:above|over|below|under|more than|up to)? ?\d+ ?(?:euros?|eur|dollars?|usd)\b/gi, 'amount'],
  [/\b(?:above|below|more than) \d+\b/gi, 'amount'],
]

const synonyms = new Map<string, readonly string[]>()
for (const group of ALIKE.map(words => words.split(' ').map(stemOf)))
  for (const word of group)
    synonyms.set(word, [...(synonyms.get(word) ?? []), ...group.filter(other => other !== word)])

/** What means the same as a stem. */
export const alike = (stem: string): readonly string[] => synonyms.get(stem) ?? []

/** A question in the words that pages have. */
export const inWordsOfPages = (question: string): string =>
  PHRASES.reduce((text, [said, meant]) => text.replaceAll(said, meant), question)
