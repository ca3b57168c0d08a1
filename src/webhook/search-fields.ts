import {codeOf} from '../contract/response-codes.ts'
import type {CallSummary, Exchange} from './exchange.ts'

/** Whether a call has what a term of a search says. */
export type Test = (exchange: Exchange) => boolean

/** Why the value of a field can't match any call, as a sentence without a full stop. */
export interface Invalid {
  readonly invalid: string
}

const OUTCOMES = ['approved', 'partial', 'declined', 'late', 'rejected', 'broken', 'none', 'warm-up']

/** What a value of a field asks for. Values are in lower case. */
export const FIELDS: Readonly<Record<string, (value: string) => Test | Invalid>> = {
  merchant: value => withSummary(({merchant}) => merchant?.toLowerCase().includes(value) === true),
  mcc: value => {
    const [, from = '', to = from] = /^(\d{4})(?:-(\d{4}))?$/.exec(value) ?? []
    if (from === '') return {invalid: 'mcc takes four digits or a range, such as mcc:5411 or mcc:3000-3299'}
    return ({request}) => {
      const code = mccOf(request.body)?.padStart(4, '0')
      return code !== undefined && code >= from && code <= to
    }
  },
  amount: value => numberTest('amount', value, ({event}) => (event as Partial<CallSummary>).amount),
  currency: value =>
    /^[a-z]{3}$/.test(value)
      ? withSummary(({currency}) => currency?.toLowerCase() === value)
      : {invalid: 'currency takes three letters, such as currency:EUR'},
  card: value => withSummary(({cardId}) => cardId?.toLowerCase() === value),
  kind: value => withSummary(({kind}) => kind === value.replaceAll(' ', '-')),
  type: value => withSummary(({transactionType}) => transactionType?.toLowerCase() === value),
  category: value => withSummary(({messageCategory}) => messageCategory?.toLowerCase() === value),
  outcome: value =>
    OUTCOMES.includes(value)
      ? ({event}) => (event.type === 'auth' ? event.outcome : event.type) === value
      : {invalid: `outcome is one of ${OUTCOMES.join(', ')}`},
  code: value => {
    const wanted = codeOf(value.toUpperCase())
    if (wanted === undefined) return {invalid: 'code takes a response code, such as code:51'}
    return ({event}) => event.type === 'auth' && codeOf(event.code ?? '') === wanted
  },
  by:
    value =>
    ({event}) =>
      event.type === 'auth' && event.by.toLowerCase().includes(value),
  id:
    value =>
    ({event}) =>
      event.event.toLowerCase() === value || ('id' in event && event.id?.toLowerCase() === value),
  status: value =>
    /^\d{3}$/.test(value)
      ? ({event}) => event.type === 'rejected' && String(event.status) === value
      : {invalid: 'status takes three digits, such as status:502'},
  took: value => numberTest('took', value, ({event}) => event.durationMs, MILLIS),
}

const withSummary =
  (test: (summary: Partial<CallSummary>) => boolean): Test =>
  ({event}) =>
    test(event as Partial<CallSummary>)

const COMPARED = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)([a-z]*)$/
/** Units of a time, in milliseconds. */
const MILLIS: Readonly<Record<string, number>> = {'': 1, ms: 1, s: 1000}

/** `>100`, `<=20.50`, `100`. */
function numberTest(
  field: string,
  value: string,
  read: (exchange: Exchange) => number | undefined,
  units: Readonly<Record<string, number>> = {'': 1},
): Test | Invalid {
  const [, sign = '=', digits = '', unit = ''] = COMPARED.exec(value) ?? []
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined
  if (digits === '' || factor === undefined) {
    return {invalid: `${field} takes a number, such as ${field}:100 or ${field}:>100`}
  }
  const wanted = Number(digits) * factor
  return exchange => {
    const found = read(exchange)
    if (found === undefined) return false
    if (sign === '>') return found > wanted
    if (sign === '>=') return found >= wanted
    if (sign === '<') return found < wanted
    return sign === '<=' ? found <= wanted : found === wanted
  }
}

/** The code of the merchant's category, if the call names it. */
export function mccOf(body: unknown): string | undefined {
  const {merchantData} = (body ?? {}) as {merchantData?: {category?: {code?: unknown} | null} | null}
  const code = merchantData?.category?.code
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}
