import {convert} from '../../money/index.ts'
import {minorOf} from '../amounts.ts'
import {available} from '../available.ts'
import type {OuterCall} from '../call.ts'
import {clockOffset} from '../clock.ts'
import {conflict, notFound} from '../problems.ts'
import type {Authorisation} from '../state/authorisation.ts'
import type {Transaction as StoreTransaction} from '../store/store.ts'
import {authCall} from './auth-call.ts'
import {partiesOf} from './check.ts'
import {setHold} from './holds.ts'
import {readTransaction} from './transaction.ts'

/**
 * Lowers what a transaction holds, or gives all of it back, and tells the client. A reversal is a fact: the client's
 * answer changes nothing.
 *
 * @param replacementAmount what the hold becomes, in the transaction's currency; nothing when absent.
 * @throws Problem 404; 409 when nothing is held or no less would be.
 */
export async function reverse(
  call: OuterCall,
  id: string,
  replacementAmount: number | undefined,
): Promise<Authorisation> {
  const {service, store} = call
  const reversed = await store.transaction(async tx => {
    const now = service.now() + (await clockOffset(tx))
    return lower(tx, await authorisationOf(tx, id), replacementAmount ?? 0, now)
  })
  await tellClient(call, reversed, replacementAmount)
  return reversed
}

/** @throws Problem 404 */
export async function authorisationOf(tx: StoreTransaction, id: string): Promise<Authorisation> {
  const authorisation = await tx.authorisations.get(id)
  if (authorisation === undefined) throw notFound('authorisation')
  return authorisation
}

async function lower(
  tx: StoreTransaction,
  authorisation: Authorisation,
  replacement: number,
  now: number,
): Promise<Authorisation> {
  const {transactionId, amount} = authorisation
  const hold = await tx.holds.get(transactionId)
  if (hold?.status !== 'HELD') throw conflict('nothing-held', 'The transaction holds nothing.')
  const wanted = minorOf(replacement, amount.currency, '/replacementAmount')
  const target = convert(wanted, amount.currency, hold.currency) ?? 0n
  const given = BigInt(hold.minor) - target
  if (given <= 0n) throw conflict('not-less', '/replacementAmount: it must be less than what is held.')
  const end = {until: hold.until ?? now, statusAtZero: 'REVERSED'} as const
  await setHold(tx, hold, target, end)
  await countLess(tx, transactionId, given, hold.currency)
  const current = await authorisationOf(tx, authorisation.id)
  const reversal = {at: now, given: {minor: String(given), currency: hold.currency}}
  const next = {...current, reversals: [...current.reversals, reversal]}
  await tx.authorisations.put(next)
  return next
}

/** Takes what was given back from what counts against the limits, from the last increment on. */
async function countLess(
  tx: StoreTransaction,
  transactionId: string,
  given: bigint,
  currency: string,
): Promise<void> {
  let rest: bigint | undefined
  for (const one of await tx.authorisations.list({where: {transactionId}, order: 'newest'})) {
    rest ??= convert(given, currency, one.billed.currency) ?? 0n
    const billed = BigInt(one.billed.minor)
    const less = billed < rest ? billed : rest
    rest -= less
    await tx.authorisations.put({...one, billed: {...one.billed, minor: String(billed - less)}})
  }
}

async function tellClient(
  {service, store, now, random}: OuterCall,
  reversed: Authorisation,
  replacementAmount: number | undefined,
): Promise<void> {
  const {webhook} = service
  if (webhook === undefined) return
  const {currency} = reversed.amount
  const given = reversed.reversals.at(-1)?.given
  const purchase = readTransaction({
    cardId: reversed.cardId,
    amount: 0,
    currency,
    scenario: replacementAmount === undefined ? 'reversal' : 'partial-reversal',
    merchant: {name: reversed.merchantName},
    transactionData: {
      originalTransactionId: reversed.transactionId,
      replacementAmount: replacementAmount === undefined ? null : {amount: replacementAmount, currency},
    },
  })
  const minor = (given && convert(BigInt(given.minor), given.currency, currency)) ?? 0n
  const told = {...purchase, minor}
  const call = await store.read(async tx => {
    const parties = await partiesOf(tx, told)
    const left = await available(tx, parties.account, parties.currency)
    return authCall(told, {parties, transactionId: reversed.transactionId, available: left, now, random})
  })
  await webhook.authorise(call, now)
}
