import {kindOf, partOf, type ReceivedCall} from '../received-call.ts'
import type {Verdict} from '../send/caller.ts'

/** Rules of checks that send calls of any kind: which rule a call breaks then depends on the call. */
const GENERAL: ReadonlySet<string> = new Set(['paths', 'status', 'codes', 'warm-up', 'holds', 'amounts'])

const KNOWN_KINDS: Readonly<Partial<Record<ReturnType<typeof kindOf>, string>>> = {
  verification: 'zero-amounts',
  credit: 'credits',
  'balance-inquiry': 'balance-inquiries',
  'pin-management': 'pin-changes',
}

/** The rule that says what a call does to what is held. */
export function ruleOfCall(call: ReceivedCall, {outcome}: Pick<Verdict, 'outcome'>, checked: string): string {
  const isIncrement = partOf(call, 'metadata').messageCategory === 'INCREMENTAL_AUTHORIZATION'
  if (outcome === 'declined') return isIncrement ? 'declined-increments' : 'declines'
  const isGeneral = GENERAL.has(checked)
  if (isIncrement && (isGeneral || outcome === 'approved' || outcome === 'partial')) return 'increments'
  if (outcome === 'partial') return 'partial-amounts'
  const known = KNOWN_KINDS[kindOf(call)]
  if (known !== undefined) return known
  if (!isGeneral) return checked
  const {replacementAmount, transactionFees} = partOf(call, 'transactionData')
  if (kindOf(call) === 'reversal') return replacementAmount == null ? 'released-amounts' : 'partial-reversals'
  const hasFees = Array.isArray(transactionFees) && transactionFees.length > 0
  return hasFees ? 'fees' : checked === 'amounts' ? 'amounts' : 'holds'
}
