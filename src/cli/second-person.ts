import {irreversibleIn} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {compareAmounts} from '../money/amount.ts'
import {sumByCurrency} from '../money/sum-by-currency.ts'
import type {Target} from '../profiles/target.ts'

type Rules = Pick<Target, 'name' | 'secondPersonFor'>
type Judged = Pick<Operation, 'id' | 'effect' | 'irreversible' | 'topic'>

/**
 * Why a second person must approve a request, as the end of a sentence; undefined if nobody has to.
 *
 * @throws Failure INPUT_INVALID if an amount of a transfer can't be read.
 */
export function whySecondPerson(
  {secondPersonFor: rules}: Rules,
  operation: Judged,
  input: AnyInput = {path: {}, query: {}},
): string | undefined {
  if (rules.includes('destroyed') && operation.effect === 'destroy') return 'it deletes something'
  if (rules.includes('irreversible') && operation.topic === 'api')
    return 'no contract says whether it can be undone'
  const [value] = rules.includes('irreversible') ? irreversibleIn(operation, input) : []
  if (value !== undefined) return `${value.value} cannot be undone`
  return operation.id === 'a2a.create.v1' ? overLimit(rules, input.body) : undefined
}

/** Where some currency has a limit, transfers in all others need a second person. */
function overLimit(rules: readonly string[], body: unknown): string | undefined {
  const limits = new Map(
    rules.filter(rule => rule.includes(':')).map(rule => rule.split(':') as [string, string]),
  )
  if (limits.size === 0) return undefined
  const transfers = transfersIn(body)
  if (transfers === undefined) return 'the amounts of the transfers are not known'
  for (const {currency, text} of sumByCurrency(transfers)) {
    const limit = limits.get(currency)
    if (limit === undefined) return `there is no limit for transfers in ${currency}`
    if (compareAmounts(text, limit, currency) > 0) return `${currency} ${text} is more than ${limit}`
  }
  return undefined
}

/** A transfer that is proposed: its accounts are checked before it is sent. */
export interface ProposedTransfer {
  readonly amount: number
  readonly currency: string
  readonly fromAccountId?: string
  readonly toAccountId?: string
  readonly text?: string
}

/** The transfers of a batch; undefined for anything else. */
export function transfersIn(body: unknown): readonly ProposedTransfer[] | undefined {
  const transfers: unknown = isObject(body) ? body.transfers : undefined
  return Array.isArray(transfers) && transfers.every(isTransfer) ? transfers : undefined
}

const isTransfer = (one: unknown): one is ProposedTransfer =>
  isObject(one) && typeof one.amount === 'number' && typeof one.currency === 'string'

/** @throws Failure GATE_REFUSED if the profile wants a second person for the request. */
export function refuseAlone(target: Rules, operation: Judged, input?: AnyInput): void {
  const why = whySecondPerson(target, operation, input)
  if (why === undefined) return
  throw new Failure('GATE_REFUSED', {
    message: `The profile ${target.name} wants a second person for this: ${why}.`,
    hint: 'Add --propose to the same command. A colleague then approves it with a profile of their own.',
    effect: 'none',
  })
}
