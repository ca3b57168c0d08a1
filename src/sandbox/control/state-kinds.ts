import type {Input} from '../../contract/types.ts'
import {statusView} from '../a2a/batch.ts'
import {type Account, available} from '../accounts/account.ts'
import {amountOf} from '../amounts.ts'
import {accountLimitOwner, limitsView} from '../authorisations/limits.ts'
import {cardV4, plasticView} from '../cards/card.ts'
import {standing} from '../ledger.ts'
import type {PriceList, PricePeriod} from '../pricelists/operations.ts'
import {periodState} from '../pricelists/operations.ts'
import type {EnrolledCustomer} from '../remotecheckout/traces.ts'
import type {Collection, Stored, Transaction} from '../store/store.ts'

/** An object in the state of the sandbox, without secrets. */
export type StateView = {readonly id: string} & Readonly<Record<string, unknown>>

/** All fields of an account, its balances, and how many updates had an effect. */
async function accountState(tx: Transaction, account: Account, now: number): Promise<StateView> {
  const {members, currencies, limitResets: _, ...own} = account
  const balances = await Promise.all(currencies.map(currency => balanceState(tx, account, currency)))
  const usageLimits = await limitsView(tx, account.usageLimits, accountLimitOwner(account), {now})
  return {...members, ...own, usageLimits, balances}
}

/** The balances of an account. Their ids are like `2006-EUR`. */
function balanceStates(tx: Transaction, account: Account): Promise<StateView[]> {
  const {id: accountId, currencies} = account
  return Promise.all(
    currencies.map(async currency => ({
      id: `${accountId}-${currency}`,
      accountId,
      ...(await balanceState(tx, account, currency)),
    })),
  )
}

async function balanceState(tx: Transaction, account: Account, currency: string) {
  const {booked, held} = await standing(tx, account.id, currency)
  return {
    currency,
    booked: amountOf(booked, currency),
    held: amountOf(held, currency),
    available: amountOf(await available(tx, account, currency), currency),
  }
}

async function priceListState(tx: Transaction, list: PriceList, now: number): Promise<StateView> {
  const periods = await tx.pricePeriods.list({where: {priceListId: list.id}})
  return {...list, periods: periods.map(period => periodStateView(period, now))}
}

function periodStateView(period: PricePeriod, now: number): StateView {
  return {...period, state: periodState(period, now)}
}

async function enrolmentState(tx: Transaction, customer: EnrolledCustomer): Promise<StateView> {
  return {...customer, cards: await tx.enrolledCards.list({where: {customerId: customer.id}})}
}

export type StateKind = Input<'sandbox.state.get'>['path']['kind']

interface Kind {
  readonly list: (tx: Transaction, now: number) => Promise<StateView[]>
  readonly get: (tx: Transaction, id: string, now: number) => Promise<StateView | undefined>
}

/** The objects of one collection. */
function kind<Row extends Stored>(
  rows: (tx: Transaction) => Collection<Row, never>,
  view: (tx: Transaction, row: Row, now: number) => StateView | Promise<StateView>,
): Kind {
  return {
    list: async (tx, now) => {
      const views: StateView[] = []
      for (const row of await rows(tx).list()) views.push(await view(tx, row, now))
      return views
    },
    get: async (tx, id, now) => {
      const row = await rows(tx).get(id)
      return row && view(tx, row, now)
    },
  }
}

export const stateKinds: Readonly<Record<StateKind, Kind>> = {
  account: kind(tx => tx.accounts, accountState),
  balance: {
    list: async tx => {
      const balances: StateView[] = []
      for (const account of await tx.accounts.list()) balances.push(...(await balanceStates(tx, account)))
      return balances
    },
    get: async (tx, id) => {
      const account = await tx.accounts.get(id.split('-', 1)[0] ?? '')
      return account && (await balanceStates(tx, account)).find(balance => balance.id === id)
    },
  },
  card: kind(
    tx => tx.cards,
    (tx, card, now) => cardV4(tx, card, {now}),
  ),
  plastic: kind(
    tx => tx.plastics,
    (_, plastic) => plasticView(plastic),
  ),
  pricelist: kind(tx => tx.priceLists, priceListState),
  period: kind(
    tx => tx.pricePeriods,
    (_, period, now) => periodStateView(period, now),
  ),
  batch: kind(
    tx => tx.batches,
    (_, batch) => statusView(batch),
  ),
  enrolment: kind(tx => tx.enrolledCustomers, enrolmentState),
  customer: kind(
    tx => tx.customers,
    (_, customer) => ({...customer}),
  ),
}
