import {minorOf} from '../amounts.ts'
import type {UsageLimit, UsageLimitValue} from '../cards/card.ts'
import type {Call} from '../handlers.ts'
import {badRequest, conflict, existing} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Account, AccountStatus} from './account.ts'
import {hasCheckDigit, hasRightLength} from './payment-reference.ts'

/** The response to an update. */
export interface Confirmation {
  readonly description: string
  readonly id: string
}

/** @throws Problem 404; 409 if the account has a different type than the path. */
export async function accountOf(tx: Transaction, id: string, type?: string): Promise<Account> {
  const account = existing(await tx.accounts.get(id), 'account')
  if (type !== undefined && account.type !== type) {
    throw conflict('account-type', `The account is not of type ${type}.`)
  }
  return account
}

/**
 * Changes the fields that are present: replaces each as a whole, or clears it if it is null. Absent fields stay.
 * @param type from the path; undefined for the version that accepts any type.
 */
export async function patchAccount(
  {tx, now}: Call,
  id: string,
  type: string | undefined,
  changes: AccountChanges,
): Promise<Confirmation> {
  const account = await accountOf(tx, id, type)
  await checkChanges(tx, account, changes)
  await tx.accounts.put(withChanges(account, changes, now))
  return {description: 'Account updated', id}
}

/** Applies the changes and counts one more effect. */
export function withChanges(account: Account, changes: AccountChanges, now: number): Account {
  const {status, number, customerId, usageLimits, ...others} = changes
  const members = {...account.members, ...others}
  return {
    ...account,
    status: status ?? account.status,
    number: number ?? account.number,
    customerId: customerId ?? account.customerId,
    usageLimits: usageLimits === undefined ? account.usageLimits : usageLimits.map(withoutReset),
    limitResets: {...account.limitResets, ...resets(usageLimits ?? [], now)},
    members: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
    effects: account.effects + 1,
  }
}

/** `reset` is an action, not a value to store. */
function withoutReset(limit: NonNullable<AccountChanges['usageLimits']>[number]): UsageLimit {
  return {...limit, values: limit.values.map(({reset: _, ...value}) => value)}
}

function resets(limits: NonNullable<AccountChanges['usageLimits']>, now: number): Record<string, number> {
  const reset = limits.flatMap(({code, values}) =>
    values.filter(value => value.reset === true).map(value => [`${code}/${value.code}`, now] as const),
  )
  return Object.fromEntries(reset)
}

/** The fields of an update that the sandbox checks. It stores all others as they are. */
interface AccountChanges {
  readonly status?: AccountStatus
  readonly number?: string
  readonly customerId?: string
  readonly parentId?: string | null
  readonly creditLimit?: number
  readonly minimumToPay?: {readonly amount?: number}
  readonly paymentReference?: PaymentReference | null
  readonly usageLimits?: readonly LimitChange[]
}

interface PaymentReference {
  readonly type?: 'MOD10' | 'FINNISH_7_3_1'
  readonly number?: string
}

interface LimitChange {
  readonly code: UsageLimit['code']
  readonly values: readonly (UsageLimitValue & {readonly reset?: boolean})[]
}

/** The service reserves some numbers. The sandbox reserves these, so that a test can see the refusal. */
const RESERVED_PREFIX = '9999'

/** Final statuses, each with the message for a request to change it. */
const final: Partial<Record<AccountStatus, string>> = {
  ACCOUNT_COLLECTION: 'The account is in collection; its status is final.',
  ACCOUNT_TO_CLOSE: 'The account is marked for closing; its status is final.',
}

/** @throws Problem 400 or 409 if the account does not allow the changes. */
async function checkChanges(tx: Transaction, account: Account, changes: AccountChanges): Promise<void> {
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
    throw conflict('status-not-of-type', 'Only a credit account can have this status.')
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

/** The check digit depends on the type, so both must be present. */
function checkReference({type, number}: PaymentReference): void {
  if (type === undefined || number === undefined) {
    throw badRequest('invalid-reference', '/paymentReference: pass both type and number.')
  }
  if (!hasRightLength(type, number)) {
    throw badRequest('invalid-reference', '/paymentReference/number: wrong number of digits for this type.')
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
    throw conflict('number-not-numeric', 'The number of an account with a payment reference must be numeric.')
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
    throw conflict('customer-unknown', '/customerId: unknown customer.')
  }
}

async function checkParent(tx: Transaction, account: Account, {parentId}: AccountChanges): Promise<void> {
  for (let above = parentId; above != null; ) {
    if (above === account.id)
      throw conflict('parent-is-child', '/parentId: an account cannot be its own parent.')
    const parent = await tx.accounts.get(above)
    if (parent === undefined) throw conflict('parent-unknown', '/parentId: unknown account.')
    above = parent.members.parentId as string | null | undefined
  }
}
