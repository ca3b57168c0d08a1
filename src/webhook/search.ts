import {codeOf} from '../contract/response-codes.ts'
import {formatAmount, THIN_SPACE} from '../money/amount.ts'
import type {CallSummary, Exchange, WebhookEvent} from './exchange.ts'
import {FIELDS, mccOf, type Test} from './search-fields.ts'

/** A search for calls, the same in the recording, in lists and on the page. */
export interface Search {
  /** Whether a call has everything that the search asks for. `words` are those of the call, if the caller keeps them. */
  isMatch(exchange: Exchange, words?: () => Searchable): boolean
  /** What is wrong with it, as a sentence without a full stop. Terms that are wrong ask for nothing. */
  readonly fault?: string
}

type Term = (exchange: Exchange, words: () => Searchable) => boolean

/** A word, `field:value`, `>100`, or text in quotes; with `-` before it, everything else. */
const TERM = /(-?)(?:([a-z]+):("[^"]*"?|\S*)|("[^"]*"?|\S+))/gi

/**
 * Reads a search such as `kahvila mcc:5411 code:51,61 >100 -outcome:approved`. A call must match all its terms. A word
 * matches what lists show of a call; commas separate the alternatives of a field.
 */
export function parseSearch(text: string): Search {
  const terms: Term[] = []
  let fault: string | undefined
  for (const [, minus, field, ofField = '', word = ''] of text.matchAll(TERM)) {
    const read = field === undefined ? readWord(word) : readField(field, ofField)
    if (typeof read === 'string') fault ??= read
    else terms.push(minus === '' ? read : (...call) => !read(...call))
  }
  return {
    isMatch: (exchange, words = () => searchable(exchange)) => terms.every(term => term(exchange, words)),
    ...(fault !== undefined && {fault}),
  }
}

/** A term, or what is wrong with it. */
function readWord(word: string): Term | string {
  if (/^[<>=]/.test(word)) return fieldTerm('amount', [word])
  const value = unquoted(word)
  return (_, words) => isFound(words(), [value])
}

function readField(name: string, value: string): Term | string {
  const field = name.toLowerCase()
  if (!Object.hasOwn(FIELDS, field)) return unknownField(name)
  return fieldTerm(field, value.startsWith('"') ? [unquoted(value)] : value.toLowerCase().split(','))
}

const unquoted = (text: string): string => text.replaceAll('"', '').toLowerCase()

function fieldTerm(field: string, values: readonly string[]): Term | string {
  const tests: Test[] = []
  for (const value of values) {
    const test = FIELDS[field]?.(value)
    if (test === undefined) return unknownField(field)
    if ('invalid' in test) return test.invalid
    tests.push(test)
  }
  return exchange => tests.some(test => test(exchange))
}

const unknownField = (name: string): string =>
  `there is no field ${name}; the fields are ${Object.keys(FIELDS).join(', ')}`

/** What a search for words looks at. Lower case. */
export interface Searchable {
  /** What a list or a page shows of a call: every word may be found in it. */
  readonly shown: string
  /** Ids match only as a whole: most ids have any few digits somewhere. */
  readonly ids: readonly string[]
}

const ENDINGS: Readonly<Record<string, string>> = {
  partial: 'partial approval',
  none: 'no answer',
  broken: 'broken answer',
}

/** The texts of a call to search: merchant, MCC, amount, card, kind, decision, decider, and its ids. */
export function searchable({event, request}: Exchange): Searchable {
  const about = 'merchant' in event ? (event as CallSummary) : undefined
  const {event: own, ...rest} = event
  const id = 'id' in rest ? rest.id : undefined
  const shown = [
    about?.merchant,
    mccText(request.body),
    ...amountsOf(about?.amount, about?.currency),
    about?.cardId === undefined ? '' : `card ${about.cardId}`,
    about?.transactionType,
    about?.messageCategory,
    about?.kind === 'payment' ? '' : about?.kind.replace('-', ' '),
    about?.kind === 'payment' ? '' : about?.kind,
    ...decisionOf(event),
    about?.reusedId === undefined ? '' : 'id reused',
    about?.differs === undefined ? '' : 'differs',
    event.type === 'rejected' ? `${request.method} ${request.path}` : '',
  ]
  return {
    shown: shown.filter(Boolean).join('\n').toLowerCase(),
    ids: [own, id].filter(each => each !== undefined).map(each => each.toLowerCase()),
  }
}

/** Whether every word is found. Digits are found at the start of a number: `57` is not in 157 or 4.57. */
const isFound = ({shown, ids}: Searchable, words: readonly string[]): boolean =>
  words.every(word => ids.includes(word) || isShown(shown, word))

function isShown(shown: string, word: string): boolean {
  if (!/^\d/.test(word)) return shown.includes(word)
  for (let at = shown.indexOf(word); at >= 0; at = shown.indexOf(word, at + 1)) {
    if (at === 0 || !/[\d.,]/.test(shown[at - 1] ?? '')) return true
  }
  return false
}

/** As tables show it, and as people type it. */
function amountsOf(amount: number | undefined, currency: string | undefined): readonly string[] {
  if (amount === undefined || currency === undefined) return []
  return [
    currency,
    formatAmount(amount, currency, {grouping: THIN_SPACE}),
    formatAmount(amount, currency, {grouping: ','}),
    formatAmount(amount, currency),
  ]
}

function decisionOf(event: WebhookEvent): readonly string[] {
  if (event.type === 'warm-up') return ['warm-up']
  if (event.type === 'late') return ['late', event.callerGone ? 'caller gone' : '']
  if (event.type === 'rejected') return [`rejected ${event.status}`, 'refused', event.reason]
  const {outcome, code = '', part, by, repeated} = event
  return [
    `${ENDINGS[outcome] ?? outcome} ${codeOf(code) ?? code}`,
    code,
    ...amountsOf(part?.amount, part?.currency),
    by,
    repeated ? 'repeated' : '',
  ]
}

/** `MCC 5814`, if the call names its merchant's category. */
export function mccText(body: unknown): string {
  const code = mccOf(body)
  return code === undefined ? '' : `MCC ${code}`
}
