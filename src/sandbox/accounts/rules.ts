import {minorOf} from '../amounts.ts'
import {badRequest, conflict} from '../problems.ts'
import type {Account, AccountStatus} from '../state/account.ts'
import type {Transaction} from '../store/store.ts'
import type {AccountChanges, PaymentReference} from './changes.ts'
import {hasCheckDigit, hasRightLength} from './reference-check.ts'

/** Account numbers that the sandbox keeps for itself, so that the refusal can be tried. */
const RESERVED_PREFIX = '9999'

/** Statuses that never change again. */
const final: Partial<Record<AccountStatus, string>> = {
  ACCOUNT_COLLECTION: 'The account is in collection; its status can never be changed back.',
  ACCOUNT_TO_CLOSE: 'The account is to be closed; its status can never be changed back.',
}

/** @throws Problem 400 or 409 when the account may not be changed so. */
export async function checkChanges(
  tx: Transaction,
  account: Account,
  changes: AccountChanges,
): Promise<void> {
  if (account.status === 'ACCOUNT_CLOSED') throw conflict('account-closed', 'The account is closed.')
  checkStatus(account, changes)
  checkAmounts(account, changes)
  await checkNumber(tx, account, changes)
  await checkCustomer(tx, changes)
  await checkParent(tx, account, changes)
}

function checkStatus(account: Account, {status}: AccountChanges): void {
  if (status === undefined || status === account.status) return
  const reason = final[account.status]
  if (reason !== undefined) throw conflict('status-final', reason)
  if (status === 'ACCOUNT_COLLECTION' && account.type !== 'CREDIT') {
    throw conflict('status-not-of-type', 'Only a credit account can go to collection.')
  }
}

function checkAmounts(account: Account, changes: AccountChanges): void {
  const currency = account.currencies[0] ?? 'EUR'
  if (changes.creditLimit !== undefined) {
    if (account.type === 'DEBIT' || account.type === 'PREPAID') {
      throw conflict('member-not-of-type', 'An account of this type has no credit limit.')
    }
    minorOf(changes.creditLimit, currency, '/creditLimit')
  }
  if (changes.minimumToPay?.amount !== undefined) {
    minorOf(changes.minimumToPay.amount, currency, '/minimumToPay/amount')
  }
  for (const [period, limit] of (changes.usageLimits ?? []).entries()) {
    for (const [use, value] of limit.values.entries()) {
      const where = `/usageLimits/${period}/values/${use}`
      if (value.singleAmount != null) minorOf(value.singleAmount, currency, `${where}/singleAmount`)
      if (value.sumAmount != null) minorOf(value.sumAmount, currency, `${where}/sumAmount`)
    }
  }
}

/** One without the other could not be checked. */
function checkReference({type, number}: PaymentReference): void {
  if (type === undefined || number === undefined) {
    throw badRequest('invalid-reference', '/paymentReference: type and number belong together.')
  }
  if (!hasRightLength(type, number)) {
    throw badRequest('invalid-reference', '/paymentReference/number: it has too few or too many digits.')
  }
  if (!hasCheckDigit(type, number)) {
    throw badRequest('invalid-reference', '/paymentReference/number: the check digit is wrong.')
  }
}

async function checkNumber(tx: Transaction, account: Account, changes: AccountChanges): Promise<void> {
  const reference = changes.paymentReference
  if (reference) checkReference(reference)
  const number = changes.number ?? account.number
  const kept = reference === undefined ? (account.members.paymentReference as PaymentReference) : reference
  if (kept && number !== null && !/^\d+$/.test(number)) {
    throw conflict('number-not-numeric', 'An account with a payment reference must have a numeric number.')
  }
  if (changes.number === undefined || changes.number === account.number) return
  if (changes.number.startsWith(RESERVED_PREFIX)) {
    throw conflict('number-reserved', `Numbers that begin with ${RESERVED_PREFIX} are reserved.`)
  }
  if ((await tx.accounts.count({number: changes.number})) > 0) {
    throw conflict('number-taken', 'Another account has this number.')
  }
}

async function checkCustomer(tx: Transaction, {customerId}: AccountChanges): Promise<void> {
  if (customerId !== undefined && (await tx.customers.get(customerId)) === undefined) {
    throw conflict('customer-unknown', '/customerId: there is no such customer.')
  }
}

async function checkParent(tx: Transaction, account: Account, {parentId}: AccountChanges): Promise<void> {
  for (let above = parentId; above != null; ) {
    if (above === account.id)
      throw conflict('parent-is-child', '/parentId: an account cannot stand above itself.')
    const parent = await tx.accounts.get(above)
    if (parent === undefined) throw conflict('parent-unknown', '/parentId: there is no such account.')
    above = parent.members.parentId as string | null | undefined
  }
}
