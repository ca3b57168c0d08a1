import type {Balance} from './accounts/account.ts'
import type {Transaction} from './store/store.ts'

/** Accounts of the sandbox itself: where money comes from and goes to when it isn't a customer's. */
export const systemAccounts = {
  /** The demo data's opening balances. */
  opening: 'system:opening',
  /** What the card network settles. */
  network: 'system:network',
  /** What a tester set by hand. */
  adjustment: 'system:adjustment',
  /** Debts that were written off. */
  writeOff: 'system:write-off',
} as const

/** One side of an entry: minor units, negative takes from the account. */
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

/** What one account has in one currency, in minor units. */
export interface Standing {
  readonly booked: bigint
  readonly held: bigint
}

const balanceId = (accountId: string, currency: string) => `${accountId}/${currency}`

/**
 * Books an entry. Its legs add up to zero in each currency, so the sum over all accounts, the system's included, is
 * always zero, and a transfer between customers never changes the sum over theirs.
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

/** Adds to what is held on an account, or takes from it with a negative sum. */
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
