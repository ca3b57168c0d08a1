import type {Client} from '../../../cli/client/client.ts'
import type {Call} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {REFUSED_CHARACTERS} from '../../../contract/network-characters.ts'
import type {AnyInput} from '../../../contract/operation.ts'
import {resource} from '../../../contract/resource.ts'
import type {ResponseTo} from '../../../contract/types.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {fieldAt, textAt} from '../../../output/fields.ts'
import {isAnyInProgress} from './traces.ts'

export type Enrolled = ResponseTo<'remotecheckout.getCustomer.v1'>

/** What the card network has of the customer whom a request is about. */
interface Enrolment {
  readonly customerId: string
  readonly enrolled: Enrolled | undefined
}

/** Undefined if the card names no customer. @throws Failure NOT_FOUND if there is no such card. */
export async function enrolmentOf(client: Client, {path, body}: AnyInput): Promise<Enrolment | undefined> {
  const customerId = path.customerId ?? (await customerOf(client, path.cardId ?? ''))
  if (customerId === '') return undefined
  const customerBID = textAt(body, 'customerBID')
  try {
    const call = {
      operation: 'remotecheckout.getCustomer.v1',
      path: {customerId},
      body: {customerBID},
    } as const
    return {customerId, enrolled: await client.call(call)}
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return {customerId, enrolled: undefined}
    throw error
  }
}

async function customerOf(client: Client, cardId: string): Promise<string> {
  return textAt(await client.call({operation: 'cards.get.v4', path: {id: cardId}}), 'customerId')
}

interface CheckOptions {
  /** Whether what the network would refuse is not sent. */
  readonly isRefused: boolean
  /** `--bid`, for the commands of hints. */
  readonly bid: string | undefined
}

/**
 * Reads the enrolment before a request changes it. The service accepts every request, and the card network refuses some
 * of them later, in the status. What shows that already here is not sent.
 *
 * @throws Failure NOT_FOUND, INPUT_INVALID
 */
export async function checkBeforeSending(
  context: Context,
  client: Client,
  call: Call,
  {isRefused, bid}: CheckOptions,
): Promise<Enrolled | undefined> {
  const {input} = call
  // Input that doesn't match the contract is refused where it is sent, in the words of the flags.
  if (!(await client.build(call).catch(() => undefined))) return undefined
  if (isRefused) refuseCharacters(input)
  const enrolment = await enrolmentOf(client, input).catch((error: unknown) =>
    withoutAnswer(error, isRefused),
  )
  if (enrolment === undefined || !isRefused) return enrolment?.enrolled
  const commandLine: Context['commandLine'] = (...words) =>
    context.commandLine(...words, ...(bid === undefined ? [] : (['--bid', {value: bid}] as const)))
  const refusal = refusalOf(call, enrolment, commandLine)
  if (refusal === undefined) return enrolment.enrolled
  const {cardId = textAt(input.body, 'cardId.0')} = input.path
  const resources = [resource('customer', enrolment.customerId), resource('card', cardId)]
  if (await isAnyInProgress(context, client, resources)) return enrolment.enrolled
  throw refusal
}

/** A service that lets nobody read may still take the request. One that can't be reached will not. */
function withoutAnswer(error: unknown, isRefused: boolean): undefined {
  if (!(error instanceof Failure) || error.details.status === undefined) throw error
  if (error.code === 'NOT_FOUND' && isRefused) throw error
}

function refuseCharacters({body}: AnyInput): void {
  for (const [name, value] of Object.entries(fieldAt(body, 'cardOverrides') ?? {})) {
    const found = typeof value === 'string' ? REFUSED_CHARACTERS.exec(value)?.[0] : undefined
    if (found === undefined) continue
    throw new Failure('INPUT_INVALID', {
      message: `cardOverrides.${name} has the character ${found}, which the card network refuses in an address.`,
      hint: 'Leave it out, or write a word for it.',
      effect: 'none',
    })
  }
}

/** Why the card network would refuse the request, if the enrolment shows it. */
function refusalOf(
  {operation, input}: Call,
  {customerId, enrolled}: Enrolment,
  commandLine: Context['commandLine'],
): Failure | undefined {
  const enrols = operation.id.startsWith('remotecheckout.enroll')
  const {cardId = textAt(input.body, 'cardId.0')} = input.path
  const isAboutCard = input.path.cardId !== undefined
  const bid = textAt(input.body, 'customerBID')
  if (enrolled === undefined) {
    if (enrols && !isAboutCard) return undefined
    const enroll = commandLine('remotecheckout', 'enroll', '--customer', {value: customerId}, '--card', {
      value: cardId,
    })
    return absent(
      `Customer ${customerId}${isAboutCard ? ` of card ${cardId}` : ''} is not enrolled with customerBID ${bid}.`,
      enrols ? advice`Enrol the customer with the card: ${enroll}` : undefined,
    )
  }
  if (enrols && !isAboutCard) {
    const enroll = commandLine('remotecheckout', 'enroll', '--card', {value: cardId})
    return present(`Customer ${customerId} is enrolled already.`, advice`Enrol the card alone: ${enroll}`)
  }
  if (!isAboutCard) return undefined
  const cards = fieldAt(enrolled, 'paymentInstruments')
  // A response without the list shows nothing.
  if (!Array.isArray(cards)) return undefined
  const has = cards.some(one => textAt(one, 'cardId') === cardId)
  const get = advice`See what is enrolled: ${commandLine('remotecheckout', 'get', '--customer', {value: customerId})}`
  if (enrols) return has ? present(`Card ${cardId} is enrolled already.`, get) : undefined
  return has ? undefined : absent(`Card ${cardId} is not enrolled with customerBID ${bid}.`, get)
}

const absent = (message: string, hint: Hint = 'Check the id and the customerBID (--bid).'): Failure =>
  new Failure('NOT_FOUND', {message, hint, effect: 'none'})

const present = (message: string, hint: Hint): Failure =>
  new Failure('INPUT_INVALID', {message, hint, effect: 'none'})
