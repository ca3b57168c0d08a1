import {checkInput, checkResponseStrict, type Violation} from '../../contract/validate.ts'
import {isObject} from '../../errors/is-object.ts'
import type {Card, Plastic} from '../cards/card.ts'
import type {OuterCall} from '../handlers.ts'
import {badRequest, existing} from '../problems.ts'
import type {Collection, Stored, Transaction} from '../store/store.ts'
import {setAccount, setBalance} from './set-account.ts'
import {type StateKind, type StateView, stateKinds} from './state-kinds.ts'

/** Objects are merged one level deep, so that one region can be blocked and the others stay. */
function merged<Row extends object>(row: Row, changes: Changes): Row {
  const next = {...row} as Record<string, unknown>
  for (const [member, value] of Object.entries(changes)) {
    const before = next[member]
    next[member] = isObject(before) && isObject(value) ? {...before, ...value} : value
  }
  return next as Row
}

export const setCard: Setter = {
  members: [
    'status',
    'reason',
    'expiration',
    'usageLimits',
    'regionAndEcommBlocking',
    'pinStatus',
    'pinAttempts',
    'embossing',
    'cardAddress',
    'pinAddress',
    'cardDeliveryType',
    'pinDeliveryType',
    'segment',
    'scheduledClosing',
    'digitalLayoutCode',
    'additionalValues',
    'template',
    'productCode',
    'cardRole',
  ],
  // The changed card must still match the response of the contract.
  check: (before, changes) => checkResponseStrict('cards.get.v4', 200, merged(before, changes)),
  apply: async (tx, id, changes, now) => {
    const card = await tx.cards.get(id)
    if (card === undefined) return
    const statusDate = 'status' in changes && changes.status !== card.status ? now : card.statusDate
    await tx.cards.put({...merged<Card>(card, changes), statusDate})
  },
}

export const setPlastic: Setter = {
  members: ['status', 'sequenceNumber', 'expiration', 'productionType', 'embossing'],
  check: async (before, changes): Promise<readonly Violation[]> => {
    const violations = await checkResponseStrict('cards.plastics.v3', 200, [merged(before, changes)])
    return violations.map(one => ({...one, pointer: one.pointer.replace(/^\/0/, '')}))
  },
  apply: async (tx, id, changes) => {
    const plastic = await tx.plastics.get(id)
    if (plastic) await tx.plastics.put(merged<Plastic>(plastic, changes))
  },
}

/** Replaces the fields that change. */
const replaceIn =
  <Row extends Stored>(
    rows: (tx: Transaction) => Pick<Collection<Row, never>, 'get' | 'put'>,
  ): Setter['apply'] =>
  async (tx, id, changes) => {
    const row = await rows(tx).get(id)
    if (row) await rows(tx).put({...row, ...changes})
  }

const query = {auditUser: 'state'}

export const setPriceList: Setter = {
  members: ['code'],
  check: ({id}, changes) => checkInput('pricelists.patch.v1', {path: {id}, query, body: changes}),
  apply: replaceIn(tx => tx.priceLists),
}

/** Skips the rules about active and expired periods, so that a tester can create such periods. */
export const setPeriod: Setter = {
  members: ['validFrom', 'validTo', 'value', 'priceListId'],
  check: ({id}, changes) => checkInput('pricelists.patchPeriod.v1', {path: {id}, query, body: changes}),
  apply: replaceIn(tx => tx.pricePeriods),
}

/** No operation of the contract takes a customer, so the check is here. */
export const setCustomer: Setter = {
  members: ['firstName', 'middleName', 'lastName', 'countryCode', 'locale'],
  check: async (_, changes): Promise<readonly Violation[]> =>
    Object.entries(changes)
      .filter(([member, value]) => typeof value !== 'string' && !(member === 'middleName' && value === null))
      .map(([member]) => ({pointer: `/${member}`, message: `${member} must be string`})),
  apply: replaceIn(tx => tx.customers),
}

export const setEnrolment: Setter = {
  members: ['active', 'emails', 'phones'],
  check: async ({id}, {active, ...overrides}): Promise<readonly Violation[]> => {
    if (active !== undefined && typeof active !== 'boolean') {
      return [{pointer: '/active', message: 'active must be boolean'}]
    }
    if (Object.keys(overrides).length === 0) return []
    const body = {customerBID: 'state', overrides}
    const input = {path: {customerId: id}, query: {auditUser: 'state'}, body}
    return checkInput('remotecheckout.updateCustomer.v1', input)
  },
  apply: replaceIn(tx => tx.enrolledCustomers),
}

export type Changes = Readonly<Record<string, unknown>>

/** How to change objects of one kind. */
export interface Setter {
  /** Fields that can be changed. */
  readonly members: readonly string[] | ((before: StateView) => Promise<readonly string[]>)
  /**
   * Returns what is wrong with the changes, by their schema in the contract if there is one. Runs outside the
   * transaction.
   */
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
 * Changes fields of an object without the rules of the service, for example to block a card. The schemas of the
 * contract still apply.
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
  if (setter === undefined) throw badRequest('not-settable', `A ${kind} cannot be changed.`)
  const before = existing(await store.read(tx => stateKinds[kind].get(tx, id, now)), kind)
  const members = typeof setter.members === 'function' ? await setter.members(before) : setter.members
  const unknown = Object.keys(changes).filter(member => !members.includes(member))
  if (unknown.length > 0) {
    const detail = `/${unknown[0]}: cannot be changed. Fields of a ${kind} that can: ${members.join(', ')}.`
    throw badRequest('not-settable', detail)
  }
  const [violation] = await setter.check(before, changes)
  if (violation) throw badRequest('contract-violation', `${violation.pointer}: ${violation.message}`)
  return store.transaction(async tx => {
    await setter.apply(tx, id, changes, now)
    return existing(await stateKinds[kind].get(tx, id, now), kind)
  })
}
