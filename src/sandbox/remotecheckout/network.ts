import {REFUSED_CHARACTERS} from '../../contract/network-characters.ts'
import type {Transaction} from '../store/store.ts'
import type {EnrolledCard, EnrolledCustomer, ErrorDetail, Trace} from './traces.ts'

/** Why the card network refuses these fields; empty if it accepts them. */
function badCharacters(overrides: Readonly<Record<string, unknown>> | undefined): ErrorDetail[] {
  return Object.entries(overrides ?? {})
    .filter(([, value]) => typeof value === 'string' && REFUSED_CHARACTERS.test(value))
    .map(([member]) => ({
      field: `cardOverrides.${member}`,
      reason: 'INVALID_CHARACTERS',
      message: `${member} has a character that the card network refuses`,
    }))
}

const notEnrolled = (field: string): ErrorDetail => ({
  field,
  reason: 'NOT_ENROLLED',
  message: `${field} is not enrolled with this customerBID`,
})

const alreadyEnrolled = (field: string): ErrorDetail => ({
  field,
  reason: 'ALREADY_ENROLLED',
  message: `${field} is already enrolled`,
})

/** The body of a request to the card network; the fields depend on the operation. */
interface NetworkRequest {
  readonly customerBID?: string
  readonly active?: boolean
  readonly overrides?: {readonly emails?: readonly string[]; readonly phones?: readonly string[]}
  readonly cardOverrides?: Readonly<Record<string, unknown>>
}

type Step = (tx: Transaction, trace: Trace, request: NetworkRequest) => Promise<ErrorDetail[]>

/** Carries out a request at the card network. @returns why it was refused; empty if it succeeded. */
export async function settleTrace(tx: Transaction, trace: Trace): Promise<ErrorDetail[]> {
  const request: NetworkRequest = trace.body
  const errors = badCharacters(request.cardOverrides)
  const step = steps[trace.operation]
  if (errors.length > 0 || step === undefined) return errors
  return step(tx, trace, request)
}

const steps: Readonly<Record<string, Step>> = {
  'remotecheckout.enrollCustomer.v1': async (tx, trace, request) => {
    if (await tx.enrolledCustomers.get(trace.customerId)) return [alreadyEnrolled('customerId')]
    await tx.enrolledCustomers.put({
      id: trace.customerId,
      customerBID: request.customerBID ?? '',
      active: true,
      emails: request.overrides?.emails ?? [],
      phones: request.overrides?.phones ?? [],
    })
    return enrolCard(tx, trace, request)
  },

  'remotecheckout.enrollCard.v1': async (tx, trace, request) => {
    if (!(await customerAt(tx, trace, request))) return [notEnrolled('customerId')]
    return enrolCard(tx, trace, request)
  },

  'remotecheckout.updateCard.v1': async (tx, trace, request) => {
    const card = await cardAt(tx, trace, request)
    if (card === undefined) return [notEnrolled('cardId')]
    await tx.enrolledCards.put({...card, billing: {...card.billing, ...request.cardOverrides}})
    return []
  },

  'remotecheckout.deleteCard.v1': async (tx, trace, request) => {
    const card = await cardAt(tx, trace, request)
    if (card === undefined) return [notEnrolled('cardId')]
    await tx.enrolledCards.delete(card.id)
    return []
  },

  'remotecheckout.updateCustomerStatus.v1': (tx, trace, request) =>
    changeCustomer(tx, trace, request, {active: request.active ?? true}),

  'remotecheckout.updateCustomer.v1': (tx, trace, request) =>
    changeCustomer(tx, trace, request, {...request.overrides}),

  'remotecheckout.deleteCustomer.v1': async (tx, trace, request) => {
    const customer = await customerAt(tx, trace, request)
    if (customer === undefined) return [notEnrolled('customerId')]
    for (const card of await tx.enrolledCards.list({where: {customerId: customer.id}})) {
      await tx.enrolledCards.delete(card.id)
    }
    await tx.enrolledCustomers.delete(customer.id)
    return []
  },
}

async function customerAt(
  tx: Transaction,
  {customerId}: Trace,
  {customerBID}: NetworkRequest,
): Promise<EnrolledCustomer | undefined> {
  const customer = await tx.enrolledCustomers.get(customerId)
  return customer?.customerBID === customerBID ? customer : undefined
}

async function cardAt(
  tx: Transaction,
  trace: Trace,
  request: NetworkRequest,
): Promise<EnrolledCard | undefined> {
  if (trace.cardId === null || !(await customerAt(tx, trace, request))) return undefined
  return tx.enrolledCards.get(trace.cardId)
}

async function changeCustomer(
  tx: Transaction,
  trace: Trace,
  request: NetworkRequest,
  change: Partial<EnrolledCustomer>,
): Promise<ErrorDetail[]> {
  const customer = await customerAt(tx, trace, request)
  if (customer === undefined) return [notEnrolled('customerId')]
  await tx.enrolledCustomers.put({...customer, ...change})
  return []
}

async function enrolCard(tx: Transaction, trace: Trace, request: NetworkRequest): Promise<ErrorDetail[]> {
  const {cardId} = trace
  if (cardId === null) return [notEnrolled('cardId')]
  if (await tx.enrolledCards.get(cardId)) return [alreadyEnrolled('cardId')]
  await tx.enrolledCards.put({
    id: cardId,
    customerId: trace.customerId,
    // Made up, in the format of real ones.
    tokenReferenceID: `TEST${trace.id.replaceAll('-', '').toUpperCase()}`,
    tokenRequestorID: '90000000001',
    billing: request.cardOverrides ?? {},
  })
  return []
}
