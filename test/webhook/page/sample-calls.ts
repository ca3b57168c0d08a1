import {findScenario} from '../../../src/contract/scenarios.ts'
import type {Exchange, Pending} from '../../../src/webhook/index.ts'
import {summaryOf} from '../../../src/webhook/summary.ts'
import {callOf} from '../calls.ts'

/** 14:02:08 of a day in June. */
export const NOON = Date.UTC(2026, 5, 15, 14, 2, 8)

export interface Sample {
  readonly scenario?: string
  readonly id?: string
  readonly at?: number
  readonly amount?: number
  readonly currency?: string
  readonly merchant?: string
  readonly ms?: number
  readonly code?: string
  readonly late?: boolean
  readonly by?: string
  readonly steps?: Exchange['steps']
  readonly transactionData?: object
}

/** A call that waits. */
export function pendingOf(number: number, sample: Sample = {}): Pending {
  const {scenario = 'contactless', id = `call-${number}`, at = NOON, amount = 4.2, currency = 'EUR'} = sample
  if (!findScenario(scenario)) throw new Error(`There is no scenario ${scenario}.`)
  const call = callOf(scenario, id, {transactionAmount: {amount, currency}, ...sample.transactionData})
  if (sample.merchant !== undefined) call.merchantData.name = sample.merchant
  return {event: `e_${number}`, at, summary: summaryOf(call, 2000), call}
}

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'issuer/4.2',
  authorization: '[masked]',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}

/** A call and what came of it. */
export function exchangeOf(number: number, sample: Sample = {}): Exchange {
  const {event, at, summary, call} = pendingOf(number, sample)
  const {ms = 3, code = '00', late = false, by = 'approve', steps = []} = sample
  const request = {method: 'POST', path: '/auth', headers: HEADERS, body: call}
  const head = {event, at, durationMs: ms, ...summary}
  if (late) {
    const body = {title: 'Service Unavailable', status: 503, detail: 'no decision within the deadline'}
    return {event: {type: 'late', ...head}, request, reply: {status: 503, body}, steps}
  }
  const outcome = code === '00' ? 'approved' : code === '10' ? 'partial' : 'declined'
  const part = {partialApprovalAmount: {amount: 60, currency: summary.currency}}
  const body = {transactionData: {authResponseCode: {code}, ...(outcome === 'partial' ? part : {})}}
  return {
    event: {type: 'auth', ...head, outcome, code, by, repeated: false},
    request,
    reply: {status: 200, body},
    steps,
  }
}
