import {codeOf} from '../contract/response-codes.ts'
import {formatAmount} from '../money/amount.ts'
import type {CallSummary, Exchange, WebhookEvent} from './exchange.ts'

/** What a search looks at, in lists, the recording and the page alike. Lower case. */
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
    mccOf(request.body),
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

/** Whether every word of a text is found. Digits are found at the start of a number: `57` is not in 157 or 4.57. */
export function isFound({shown, ids}: Searchable, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return words.every(word => ids.includes(word) || isShown(shown, word))
}

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
  return [currency, formatAmount(amount, currency, {grouping: ','}), formatAmount(amount, currency)]
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

/** `mcc 5814`, if the call names its merchant's category. */
export function mccOf(body: unknown): string {
  const {merchantData} = (body ?? {}) as {merchantData?: {category?: {code?: unknown} | null} | null}
  const code = merchantData?.category?.code
  return typeof code === 'string' || typeof code === 'number' ? `MCC ${code}` : ''
}
