import {cardV4} from '../cards/card-view.ts'
import type {Collection, Stored, Transaction} from '../store/store.ts'
import {
  accountState,
  balanceStates,
  batchState,
  customerState,
  enrolmentState,
  periodStateView,
  plasticState,
  priceListState,
  type StateView,
} from './state-views.ts'

/** What can be looked at: the kinds of the contract. */
export type StateKind =
  | 'account'
  | 'balance'
  | 'card'
  | 'plastic'
  | 'pricelist'
  | 'period'
  | 'batch'
  | 'enrolment'
  | 'customer'

interface Kind {
  readonly list: (tx: Transaction, now: number) => Promise<StateView[]>
  readonly get: (tx: Transaction, id: string, now: number) => Promise<StateView | undefined>
}

/** Rows of a collection, shown by a view. */
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
  card: kind(tx => tx.cards, cardV4),
  plastic: kind(
    tx => tx.plastics,
    (_, plastic) => plasticState(plastic),
  ),
  pricelist: kind(tx => tx.priceLists, priceListState),
  period: kind(
    tx => tx.pricePeriods,
    (_, period, now) => periodStateView(period, now),
  ),
  batch: kind(
    tx => tx.batches,
    (_, batch) => batchState(batch),
  ),
  enrolment: kind(tx => tx.enrolledCustomers, enrolmentState),
  customer: kind(
    tx => tx.customers,
    (_, customer) => customerState(customer),
  ),
}
