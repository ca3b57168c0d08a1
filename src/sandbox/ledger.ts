import type {Balance} from './accounts/account.ts'
import type {Transaction} from './store/store.ts'

/** Accounts of the sandbox itself, for the other side of an entry. */
export const systemAccounts = {
  /** Opening balances of the demo data. */
  opening: 'system:opening',
  /** Clearings of the card network. */
  network: 'system:network',
  /** Balances that a tester sets. */
  adjustment: 'system:adjustment',
  /** Debts that are written off. */
  writeOff: 'system:write-off',
  /** Money between the debit and the credit of a transfer. */
  transit: 'system:transit',
} as const

/** One side of an entry, in minor units; negative for a debit. */
export interface Leg {
  readonly accountId: string
  readonly currency: string
  readonly minor: bigint
}

export interface Entry {
  /** Unique among entries. */
  readonly id: string
  readonly kind: string
  /** Epoch ms by the sandbox clock. */
  readonly at: number
  readonly legs: readonly Leg[]
}

/** The balance of one account in one currency, in minor units. */
export interface Standing {
  readonly booked: bigint
  readonly held: bigint
}

const balanceId = (accountId: string, currency: string) => `${accountId}/${currency}`

/**
 * Books an entry. Its legs add up to zero in each currency. So the sum over all accounts is always zero, and a transfer
 * between customers never changes their total.
 */
export async function post(tx: Transaction, entry: Entry): Promise<void> {
  assertBalanced(entry.legs)
  for (const [index, leg] of entry.legs.entries()) {
    await tx.postings.put({
      id: `${entry.id}/${index + 1}`,
      entryId: entry.id,
      accountId: leg.accountId,
      currency: leg.currency,
      minor: String(leg.minor),
      kind: entry.kind,
      at: entry.at,
    })
    await change(tx, leg.accountId, leg.currency, ({booked, held}) => ({booked: booked + leg.minor, held}))
  }
}

/** Books an amount from one account to another. */
export function move(
  tx: Transaction,
  {
    from,
    to,
    currency,
    minor,
    ...entry
  }: Omit<Entry, 'legs'> & Omit<Leg, 'accountId'> & Record<'from' | 'to', string>,
): Promise<void> {
  const legs = [
    {accountId: from, currency, minor: -minor},
    {accountId: to, currency, minor},
  ]
  return post(tx, {...entry, legs})
}

/** Changes the sum that is held on an account. */
export async function hold(tx: Transaction, leg: Leg): Promise<void> {
  await change(tx, leg.accountId, leg.currency, ({booked, held}) => ({booked, held: held + leg.minor}))
}

export async function standing(tx: Transaction, accountId: string, currency: string): Promise<Standing> {
  return read(await tx.balances.get(balanceId(accountId, currency)))
}

async function change(
  tx: Transaction,
  accountId: string,
  currency: string,
  by: (before: Standing) => Standing,
): Promise<void> {
  const id = balanceId(accountId, currency)
  const {booked, held} = by(read(await tx.balances.get(id)))
  if (held < 0n) throw new Error(`more was released on ${id} than was held`)
  await tx.balances.put({id, accountId, currency, booked: String(booked), held: String(held)})
}

function read(balance: Balance | undefined): Standing {
  return {booked: BigInt(balance?.booked ?? 0), held: BigInt(balance?.held ?? 0)}
}

function assertBalanced(legs: readonly Leg[]): void {
  const sums = new Map<string, bigint>()
  for (const {currency, minor} of legs) sums.set(currency, (sums.get(currency) ?? 0n) + minor)
  for (const [currency, sum] of sums) {
    if (sum !== 0n) throw new Error(`the entry does not balance in ${currency}`)
  }
}
