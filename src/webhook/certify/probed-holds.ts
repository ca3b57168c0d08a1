import {minorToText} from '../../money/amount.ts'
import {exponentOf} from '../../money/exponents.ts'
import {callIdOf, type Minor, partOf, type ReceivedCall} from '../received-call.ts'
import type {ProbedHolds} from './certificate.ts'
import type {Probe} from './probe.ts'

/** Holds may come a little after the answer, so another look follows before they count as wrong. */
const SETTLE_MS = 1000

export interface Looked extends ProbedHolds {
  readonly what: string
  readonly isRight: boolean
}

/**
 * Asks a probe for the holds of a call until they are one of these amounts, or time is up: at once, unless holds may settle.
 */
export async function lookAtHolds(
  call: ReceivedCall,
  wanted: readonly Minor[],
  {probe, now, settles}: {readonly probe: Probe; readonly settles: boolean; now(): number},
): Promise<Looked> {
  const id = callIdOf(call) ?? ''
  const until = now() + (settles ? SETTLE_MS : 0)
  const isRight = (found: readonly Minor[]) => wanted.some(each => isSum(found, each))
  let found = await probe(id)
  while (!isRight(found) && now() < until) found = await probe(id)
  const expected = wanted.map(each => (each.minor === 0n ? 'nothing' : inWords(each))).join(' or ')
  return {
    id,
    expected,
    got: found.length === 0 ? 'nothing' : found.map(inWords).join(', '),
    what: `${expected} held for transaction ${String(partOf(call, 'metadata').transactionId)}`,
    isRight: isRight(found),
  }
}

/** Increments may be holds of their own. */
const isSum = (found: readonly Minor[], {minor, currency}: Minor): boolean =>
  found.every(hold => hold.currency === currency) &&
  found.reduce((sum, hold) => sum + hold.minor, 0n) === minor

const inWords = ({minor, currency}: Minor): string =>
  `${minorToText(minor, exponentOf(currency))} ${currency}`
