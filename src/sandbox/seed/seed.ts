import {parseAmount} from '../../money/index.ts'
import {post, systemAccounts} from '../ledger.ts'
import type {Sealer} from '../seal.ts'
import type {Collection, Stored, Transaction} from '../store/store.ts'
import {demoAccounts} from './accounts.ts'
import {makeDemoCards} from './cards.ts'
import {demoCustomers} from './customers.ts'
import {demoPriceLists, demoPricePeriods} from './price-lists.ts'

const SEEDED = 'seeded'

/** Whether the store holds the demo data. */
export async function isSeeded(tx: Transaction): Promise<boolean> {
  return (await tx.settings.get(SEEDED)) !== undefined
}

/** Writes the demo data, always the same, into an empty store. */
export async function seed(tx: Transaction, sealer: Sealer, now: number): Promise<void> {
  const {cards, plastics} = makeDemoCards(sealer)
  await putAll(tx.customers, demoCustomers)
  await putAll(tx.cards, cards)
  await putAll(tx.plastics, plastics)
  await putAll(tx.priceLists, demoPriceLists)
  await putAll(tx.pricePeriods, demoPricePeriods)
  for (const {account, opening} of demoAccounts) {
    await tx.accounts.put(account)
    for (const [currency, amount] of Object.entries(opening)) {
      const {minor} = parseAmount(amount, currency)
      const legs = [
        {accountId: systemAccounts.opening, currency, minor: -minor},
        {accountId: account.id, currency, minor},
      ]
      await post(tx, {id: `opening/${account.id}/${currency}`, kind: 'opening', at: now, legs})
    }
  }
  await tx.settings.put({id: SEEDED, value: now})
}

async function putAll<Row extends Stored>(collection: Collection<Row, never>, rows: readonly Row[]) {
  for (const row of rows) await collection.put(row)
}
