import {minorOf} from '../amounts.ts'
import type {UsageLimit, UsageLimitValue} from '../cards/card.ts'
import type {Call} from '../handlers.ts'
import {badRequest, conflict, notFound} from '../problems.ts'
import type {Transaction} from '../store/store.ts'
import type {Account, AccountStatus} from './account.ts'

type ReferenceType = 'MOD10' | 'FINNISH_7_3_1'

/** Check digit included: the Finnish standard has 4 to 20 digits, references by the Luhn algorithm have 2 to 25. */
const LENGTHS: Readonly<Record<ReferenceType, readonly [number, number]>> = {
  MOD10: [2, 25],
  FINNISH_7_3_1: [4, 20],
}

/** Whether a payment reference has as many digits as its type allows. */
export function hasRightLength(type: ReferenceType, reference: string): boolean {
  const [least, most] = LENGTHS[type]
  return reference.length >= least && reference.length <= most
}

/** Whether a payment reference ends in the check digit of its type. */
export function hasCheckDigit(type: ReferenceType, reference: string): boolean {
  const digits = [...reference].map(Number)
  const given = digits.pop()
  return given !== undefined && digits.length > 0 && given === checkDigits[type](digits.reverse())
}

/** The check digit over the digits before it, the last of them first. */
const checkDigits = {
  /** The Luhn algorithm: every other digit doubled. */
  MOD10: (digits: readonly number[]) =>
    upToTen(
      digits.map((digit, index) => {
        const weighted = index % 2 === 0 ? digit * 2 : digit
        return weighted > 9 ? weighted - 9 : weighted
      }),
    ),
  /** The Finnish reference number: weights 7, 3, 1 from the right. */
  FINNISH_7_3_1: (digits: readonly number[]) =>
    upToTen(digits.map((digit, index) => digit * ([7, 3, 1][index % 3] ?? 0))),
}

const upToTen = (terms: readonly number[]) => (10 - (terms.reduce((sum, term) => sum + term, 0) % 10)) % 10

/** Account numbers that the sandbox keeps for itself, so that the refusal can be tried. */
const RESERVED_PREFIX = '9999'

/** Statuses that never change again. */
const final: Partial<Record<AccountStatus, string>> = {
  ACCOUNT_COLLECTION: 'The account is in collection; its status can never be changed back.',
  ACCOUNT_TO_CLOSE: 'The account is to be closed; its status can never be changed back.',
}

/** @throws Problem 400 or 409 when the account may not be changed so. */
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
      throw conflict('parent-is-child', '/parentId: an account cannot be its own parent.')
    const parent = await tx.accounts.get(above)
    if (parent === undefined) throw conflict('parent-unknown', '/parentId: there is no such account.')
    above = parent.members.parentId as string | null | undefined
  }
}

/** What an update answers. */
export interface Confirmation {
  readonly description: string
  readonly id: string
}

/** @throws Problem 404; 409 when the account is of another type than the path says. */
export async function accountOf(tx: Transaction, id: string, type?: string): Promise<Account> {
  const account = await tx.accounts.get(id)
  if (account === undefined) throw notFound('account')
  if (type !== undefined && account.type !== type) {
    throw conflict('account-type', `The account is not of type ${type}.`)
  }
  return account
}

/**
 * A partial update: a member that is absent stays, every member that is there is replaced whole, null clears.
 * @param type as in the path; undefined for the version that takes any account.
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

/** The account after the changes, their effect counted. */
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

/** `reset` is something to do, not to keep. */
function withoutReset(limit: NonNullable<AccountChanges['usageLimits']>[number]): UsageLimit {
  return {...limit, values: limit.values.map(({reset: _, ...value}) => value)}
}

function resets(limits: NonNullable<AccountChanges['usageLimits']>, now: number): Record<string, number> {
  const reset = limits.flatMap(({code, values}) =>
    values.filter(value => value.reset === true).map(value => [`${code}/${value.code}`, now] as const),
  )
  return Object.fromEntries(reset)
}

/** The members of an account update that the sandbox looks at; all others it only keeps. */
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
