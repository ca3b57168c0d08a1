import type {Batch} from './a2a/batch.ts'
import {hold} from './ledger.ts'
import type {Transaction} from './store/store.ts'

/** Below the first id that `nextId` gives, so that the first batch of a user is 88001 with or without this one. */
const BATCH_ID = '88000'

/** How long the demo batch stays open, by the sandbox clock. */
const OPEN_MS = 60 * 60 * 1000

/** Holds last so long; `holds.ts` has it too, with much that the first command of a user doesn't need. */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000

/** From, to, amount in cents, text. */
const demoTransfers = [
  ['2004', '2003', 2500, 'Expenses'],
  ['2005', '2003', 1230, 'Tickets'],
  ['2003', '2005', 550, 'Lunch'],
] as const

/** An open batch. */
export async function seedBatch(tx: Transaction, now: number): Promise<void> {
  await tx.batches.put({
    id: BATCH_ID,
    status: 'IN_PROGRESS',
    description: 'Demo',
    startTime: now,
    completionTime: null,
    itemCount: demoTransfers.length,
    successful: 0,
    failed: 0,
    settledThrough: null,
    settlesFrom: now + OPEN_MS,
    totals: {EUR: String(demoTransfers.reduce((sum, [, , minor]) => sum + minor, 0))},
  } satisfies Batch)
  for (const [index, [fromId, toId, minor, text]] of demoTransfers.entries()) {
    await tx.transferItems.put({
      id: `${BATCH_ID}-${index + 1}`,
      batchId: BATCH_ID,
      status: 'IN_PROGRESS',
      fromId,
      toId,
      amount: minor / 100,
      currency: 'EUR',
      text,
      debit: null,
      credit: null,
      reversal: null,
    })
  }
}

const MERCHANT = {
  id: '000000000000101',
  name: 'Kahvila Aino',
  category: {code: '5814', description: 'Fast food restaurants'},
  terminalId: '10000101',
  city: 'Helsinki',
  country: 'FIN',
  merchantZipCode: '00100',
  acquirerId: '400001',
  acquirerCountry: 'FIN',
}

/**
 * Coffee, paid with card 3003 in a phone: approved, and not cleared yet. It is what the scenario `wallet` makes, written
 * out, because the first command of a user doesn't need all scenarios.
 */
export async function seedAuthorisation(tx: Transaction, now: number): Promise<void> {
  // As with the batch: a user's first ones are a_1 and t_1.
  const ids = {id: 'a_0', transactionId: 't_0', cardId: '3003', accountId: '2003'}
  const {transactionId, cardId, accountId} = ids
  const amount = {minor: '420', currency: 'EUR'}
  const entered = {cardEntryMode: 'WALLET_CONTACTLESS', cardholderVerifications: ['WALLET', 'BIOMETRIC']}
  const present = {cardholderPresent: true, cardPresent: true, merchantInitiated: false}
  const data = {transactionType: 'RETAIL', ...present, partialApprovalCapable: false, ...entered}
  await hold(tx, {accountId, currency: amount.currency, minor: BigInt(amount.minor)})
  const held = {...amount, asked: amount, status: 'HELD', until: now + HOLD_MS} as const
  await tx.holds.put({id: transactionId, cardId, accountId, ...held})
  await tx.authorisations.put({
    ...ids,
    mark: `demo-${now}`,
    status: 'APPROVED',
    responseCode: '00',
    decidedBy: 'service',
    reason: 'approved, no endpoint is set',
    durationMs: 0.4,
    clientDurationMs: null,
    scenario: 'wallet',
    messageCategory: 'INITIAL_AUTHORIZATION',
    transactionType: data.transactionType,
    merchantName: MERCHANT.name,
    purchase: {data, merchant: MERCHANT, token: {id: '1', walletIdentifier: 'walleta'}},
    amount,
    approved: amount,
    billed: amount,
    isIncrement: false,
    available: {minor: '14580', currency: amount.currency},
    createdAt: now,
    reversals: [],
  })
}
