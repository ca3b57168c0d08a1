import type {Violation} from '../../contract/validate.ts'
import type {OuterCall} from '../call.ts'
import {badRequest, notFound} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import {setAccount, setBalance} from './set-account.ts'
import {setCard, setPlastic} from './set-card.ts'
import {setCustomer, setEnrolment} from './set-customer.ts'
import {setPeriod, setPriceList} from './set-price-list.ts'
import {type StateKind, stateKinds} from './state-kinds.ts'
import type {StateView} from './state-views.ts'

export type Changes = Readonly<Record<string, unknown>>

/** How the members of one kind are set. */
export interface Setter {
  /** What may be set, whatever its value. */
  readonly members: readonly string[] | ((before: StateView) => Promise<readonly string[]>)
  /** What is wrong with the changes, by the contract where it knows them. Runs outside of the transaction. */
  readonly check: (before: StateView, changes: Changes) => Promise<readonly Violation[]>
  readonly apply: (tx: Transaction, id: string, changes: Changes, now: number) => Promise<void>
}

const setters: Readonly<Partial<Record<StateKind, Setter>>> = {
  account: setAccount,
  balance: setBalance,
  card: setCard,
  plastic: setPlastic,
  pricelist: setPriceList,
  period: setPeriod,
  customer: setCustomer,
  enrolment: setEnrolment,
}

/**
 * Sets members of a thing past the rules of the service, which know no way to block a card, say. The contract's shapes
 * hold all the same.
 *
 * @throws Problem 404, 400
 */
export async function setState(
  {store, now}: OuterCall,
  kind: StateKind,
  id: string,
  changes: Changes,
): Promise<StateView> {
  const setter = setters[kind]
  if (setter === undefined) throw badRequest('not-settable', `Nothing of a ${kind} can be set.`)
  const before = await store.read(tx => stateKinds[kind].get(tx, id, now))
  if (before === undefined) throw notFound(kind)
  const members = typeof setter.members === 'function' ? await setter.members(before) : setter.members
  const unknown = Object.keys(changes).filter(member => !members.includes(member))
  if (unknown.length > 0) {
    const detail = `/${unknown[0]}: this cannot be set. Of a ${kind} these can: ${members.join(', ')}.`
    throw badRequest('not-settable', detail)
  }
  const [violation] = await setter.check(before, changes)
  if (violation) throw badRequest('contract-violation', `${violation.pointer}: ${violation.message}`)
  return store.transaction(async tx => {
    await setter.apply(tx, id, changes, now)
    const after = await stateKinds[kind].get(tx, id, now)
    if (after === undefined) throw notFound(kind)
    return after
  })
}
