import type {IncomingMessage} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {checkWebhookCall} from '../../../src/contract/validate.ts'
import {amountFaults} from '../../../src/webhook/amount-faults.ts'
import {kindOf, type ReceivedCall, readAmount, takesPart} from '../../../src/webhook/received-call.ts'
import {endpoint} from '../listener.ts'

interface Answer {
  readonly status?: number
  readonly code?: string
  readonly part?: {readonly amount: number; readonly currency: string}
  readonly body?: string
  readonly balance?: unknown
  readonly delayMs?: number
}

/** Ways in which an endpoint can be wrong. */
export interface Faults {
  /** Decides a known id again. */
  readonly forgets?: boolean
  /** Of calls with the same id that come at once, only one gets the real answer. */
  readonly races?: boolean
  /** Gives whatever comes under a known id the earlier answer. */
  readonly answersById?: boolean
  /** The status for another call with a known id; otherwise that call is decided. */
  readonly reuse?: number
  readonly decide?: (call: ReceivedCall, seen: number) => Answer | undefined
  /** What it answers to a body that is not a call. */
  readonly onBroken?: Answer
  readonly warmUp?: number
  /** Refuses whatever the contract calls no call. */
  readonly isStrict?: boolean
}

export interface Faulty {
  readonly url: string
  readonly calls: ReceivedCall[]
}

/** An endpoint that remembers its answers, apart from its faults. It approves; a fuel pump gets 80 EUR. */
export async function faultyEndpoint({
  forgets,
  races,
  answersById,
  reuse,
  decide,
  onBroken,
  warmUp,
  isStrict = false,
}: Faults = {}): Promise<Faulty> {
  const calls: ReceivedCall[] = []
  const known = new Map<string, {readonly content: string; readonly answer: Answer}>()
  const payments = new Set<string>()
  const url = await endpoint(async (request, response) => {
    const send = async ({status = 200, code = '00', part, balance, body, delayMs = 0}: Answer) => {
      if (delayMs > 0) await delay(delayMs)
      response.statusCode = status
      const transactionData = {
        authResponseCode: {code},
        ...(part && {partialApprovalAmount: part}),
        ...(balance !== undefined && {availableAmount: balance}),
      }
      const reply = {transactionData}
      response.end(body ?? (status === 200 ? JSON.stringify(reply) : '{}'))
    }
    // A caller may drop its connection.
    const text = await textOf(request).catch(() => '')
    if (request.url === '/warm-up') return send({status: warmUp ?? 200})
    const call = parsed(text)
    if (!call || (isStrict && (await isNoCall(call, text)))) return send(onBroken ?? {status: 400})
    calls.push(call)
    const id = String((call.metadata as ReceivedCall | undefined)?.id)
    const earlier = known.get(id)
    const isPayment = 'transactionData' in call
    if (isPayment) payments.add(id)
    else if (earlier && !answersById && payments.has(id)) return send({status: reuse ?? 400})
    // The trace of a repeated call may differ.
    const content = JSON.stringify(call, (name, value: unknown) => (name === 'traceId' ? undefined : value))
    const isOther = earlier !== undefined && earlier.content !== content && !answersById
    if (isOther && reuse) return send({status: reuse})
    if (earlier && races) return send({code: '96'})
    if (earlier && !isOther && !forgets) return send(earlier.answer)
    const answer = decide?.(call, calls.length) ?? usual(call)
    if (!isOther) known.set(id, {content, answer})
    return send(answer)
  })
  return {url, calls}
}

function usual(call: ReceivedCall): Answer {
  if (kindOf(call) === 'balance-inquiry')
    return {
      balance: (call.account as ReceivedCall | undefined)?.availableAmount ?? {amount: 0, currency: 'EUR'},
    }
  const amount = readAmount((call.transactionData as ReceivedCall | undefined)?.transactionAmount)
  const isPump = takesPart(call) && kindOf(call) === 'payment' && Number(amount?.text) > 80
  return isPump && amount?.currency === 'EUR' ? {code: '10', part: {amount: 80, currency: 'EUR'}} : {}
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const isNoCall = async (call: ReceivedCall, text: string): Promise<boolean> =>
  text.includes('\ufffd') ||
  text.length > 65_536 ||
  amountFaults(call).length + (await checkWebhookCall('webhook.auth', call)).length > 0

function parsed(text: string): ReceivedCall | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'metadata' in value
      ? (value as ReceivedCall)
      : undefined
  } catch {
    return undefined
  }
}
