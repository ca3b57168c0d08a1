import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import {valuesAt} from '../sensitive/json-pointer.ts'
import {holdsCredential} from '../sensitive/mask-text.ts'
import type {Client} from './client/client.ts'
import type {Call} from './client/options.ts'
import type {Context} from './context.ts'
import {KEPT_MS, type KeptRequest, type KeptRequests, type KeptTransfers} from './proposal-content.ts'
import {tenantMark} from './proposal-tenant.ts'
import {namedByPath} from './wire-gate.ts'

/** Requests that a file will keep, as the command that would send them has them. */
export interface ToKeep {
  /** What keeps them. */
  readonly in: 'proposal' | 'plan'
  readonly calls: readonly Call[]
  readonly transfers: KeptTransfers | undefined
  readonly idempotencyKey: string | undefined
  readonly allowV2: boolean | undefined
  /** `--not-a-card-number`. */
  readonly isNoCardNumber: boolean | undefined
}

/** What a file says of itself, beside its requests. */
export async function keptHead(
  context: Context,
  {target}: Pick<Client, 'target'>,
): Promise<Omit<KeptRequests, 'format' | 'nonce' | 'requests'>> {
  const {note, ticket} = await context.purposes.given(target)
  const now = context.surroundings.now()
  const {identity, words} = await context.service.identity()
  const tenant = await tenantMark(target)
  return {
    at: new Date(now).toISOString(),
    expiresAt: new Date(now + KEPT_MS).toISOString(),
    auditUser: target.auditUser,
    service: identity,
    serviceWords: words,
    ...(target.dialect && {dialect: target.dialect.label}),
    ...(tenant && {tenant}),
    ...(note === undefined ? {} : {note}),
    ...(ticket === undefined ? {} : {ticket}),
  }
}

/**
 * Checks requests as if they were sent.
 *
 * @throws Failure whatever sending them would throw before a question; USAGE for what a file must not keep.
 */
export async function keptContent(
  context: Context,
  client: Client,
  asked: ToKeep,
): Promise<Omit<KeptRequests, 'format' | 'nonce'>> {
  const head = await keptHead(context, client)
  const requests: KeptRequest[] = []
  for (const [at, call] of asked.calls.entries()) {
    const idempotencyKey = asked.transfers?.batches[at]?.key ?? asked.idempotencyKey
    requests.push(await keptRequest(client, call, {...asked, idempotencyKey}))
  }
  return {...head, requests, ...(asked.transfers === undefined ? {} : {transfers: withBoth(asked.transfers)})}
}

/** A flag that wasn't given is missing. */
const withBoth = ({again, rest, batches}: KeptTransfers): KeptTransfers => ({
  again: Boolean(again),
  rest: Boolean(rest),
  batches,
})

async function keptRequest(
  client: Client,
  call: Call,
  {in: what, idempotencyKey, allowV2, isNoCardNumber}: ToKeep,
): Promise<KeptRequest> {
  const {operation, input} = namedByPath(call)
  const isBuiltIn = operation.id in operations
  if (!isBuiltIn && operation.form === undefined)
    throw unfit(`Only a request that a contract describes fits into a ${what}.`)
  if (operation.effect !== 'write' && operation.effect !== 'destroy')
    throw unfit(
      `"${operation.summary}" changes nothing, so there is nothing to ${what === 'plan' ? 'plan' : 'approve'}.`,
    )
  if (
    operation.sensitive.request.some(pointer =>
      valuesAt(input.body, pointer).some(value => value !== undefined),
    )
  )
    throw unfit(`The request holds a secret, which a ${what} would keep where colleagues read it.`)
  if (holdsCredential(JSON.stringify(input)))
    throw unfit(`The request holds a credential, which a ${what} would keep where colleagues read it.`)
  if (what === 'plan' && operation.form === undefined && operation.sensitive.reply.length > 0)
    throw unfit('The response holds secrets, which the records of a plan would keep.')
  if (!isNoCardNumber && holdsCardNumber(JSON.stringify(input)))
    throw unfit(
      `The request holds what looks like a card number, and colleagues read ${what}s. If it is none, add --not-a-card-number.`,
    )
  if (input.headers !== undefined) throw unfit(`A ${what} keeps no headers, so it takes no --header.`)
  if (isBuiltIn) await client.gate(operation.id as OperationId, {allowV2, kept: true})
  if (
    operation.form !== undefined &&
    input.body !== undefined &&
    !isObject(input.body) &&
    !Array.isArray(input.body)
  )
    throw unfit(`A ${what} keeps JSON, and the body of this request is none.`)
  const {
    request: {key},
  } = await client.prepare(call, {idempotencyKey, allowV2, approved: true, kept: true})
  return {
    operation: operation.id,
    ...(operation.form && {digest: operation.form.digest()}),
    input,
    ...(key === undefined ? {} : {key}),
  }
}

export const unfit = (message: string): Failure =>
  new Failure('USAGE', {message, hint: 'Nothing was kept or sent.', effect: 'none'})
