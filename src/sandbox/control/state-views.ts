import {statusView} from '../a2a/batch-view.ts'
import {amountOf} from '../amounts.ts'
import {accountLimitOwner, limitsView} from '../authorise/limits.ts'
import {plasticView} from '../cards/card-view.ts'
import {standing} from '../ledger.ts'
import {periodState} from '../operations/pricelists.ts'
import {type Account, available} from '../state/account.ts'
import type {Batch} from '../state/batch.ts'
import type {Plastic} from '../state/card.ts'
import type {Customer, PriceList, PricePeriod} from '../state/customer.ts'
import type {EnrolledCustomer} from '../state/enrolment.ts'
import type {Transaction} from '../store/store.ts'

/** A thing of the sandbox as its owner sees it: what a write did, and nothing secret. */
export type StateView = {readonly id: string} & Readonly<Record<string, unknown>>

/** All members of an account, what it has in each currency, and how many updates took effect. */
export async function accountState(tx: Transaction, account: Account, now: number): Promise<StateView> {
  const {members, currencies, limitResets: _, ...own} = account
  const balances = await Promise.all(currencies.map(currency => balanceState(tx, account, currency)))
  const usageLimits = await limitsView(tx, account.usageLimits, accountLimitOwner(account), now)
  return {...members, ...own, usageLimits, balances}
}

/** Each balance of an account by itself; its id is `2006-EUR`. */
export function balanceStates(tx: Transaction, account: Account): Promise<StateView[]> {
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

export const plasticState = (plastic: Plastic): StateView => plasticView(plastic)
export const customerState = (customer: Customer): StateView => ({...customer})
export const batchState = (batch: Batch): StateView => statusView(batch)

export async function priceListState(tx: Transaction, list: PriceList, now: number): Promise<StateView> {
  const periods = await tx.pricePeriods.list({where: {priceListId: list.id}})
  return {...list, periods: periods.map(period => periodStateView(period, now))}
}

export function periodStateView(period: PricePeriod, now: number): StateView {
  return {...period, state: periodState(period, now)}
}

export async function enrolmentState(tx: Transaction, customer: EnrolledCustomer): Promise<StateView> {
  return {...customer, cards: await tx.enrolledCards.list({where: {customerId: customer.id}})}
}
