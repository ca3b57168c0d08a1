import {hash, randomBytes} from 'node:crypto'
import type {AnyInput} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import {isObject, parseObject} from '../errors/is-object.ts'
import {canonicalJson, isSenderName} from '../journal/index.ts'
import {isNamedBy} from '../profiles/index.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {isPlan, type KeptPlan} from './kept-plan.ts'
import {isTenantMark, type TenantMark} from './proposal-tenant.ts'

/**
 * Requests that are kept in a file, to be sent later exactly as they are. The file's id is the digest of its bytes, so
 * that a person who names the id names the content.
 */
export interface KeptRequests {
  readonly format: typeof FORMAT
  /** ISO 8601, UTC. */
  readonly at: string
  readonly expiresAt: string
  /** As who it was made, in its maker's words. Who made it is the owner of the file. */
  readonly auditUser: string
  /** The identity of the service, and its name for people. */
  readonly service: string
  readonly serviceWords: string
  /** Of a proposal: the journal that may send what somebody signs on another machine. */
  readonly sender?: string | undefined
  /** Name and digest of the dialect of the service. */
  readonly dialect?: string | undefined
  /** Of a profile whose secret headers name a tenant. */
  readonly tenant?: TenantMark | undefined
  readonly note?: string | undefined
  readonly ticket?: string | undefined
  readonly requests: readonly KeptRequest[]
  /** Of transfers, which may need several batches. */
  readonly transfers?: KeptTransfers | undefined
  /** Of a plan: what was seen when it was made. */
  readonly plan?: KeptPlan | undefined
  /** Makes an id of its own for each file. */
  readonly nonce: string
}

export interface KeptRequest {
  /** Of the contract, or `x:CONTRACT/tag/command` of an imported document. */
  readonly operation: string
  /** SHA-256 of what the document says of it, in hex. */
  readonly digest?: string | undefined
  /** Without the audit user, who is the one that sends it. */
  readonly input: AnyInput
  /** The idempotency key, if the operation takes one. It lives for 24 hours, as long as the file. */
  readonly key?: string | undefined
}

export interface KeptTransfers {
  /** As the flags of `a2a create`. */
  readonly again: boolean
  readonly rest: boolean
  /** Of the batches, in the order of the requests. */
  readonly batches: readonly {readonly key: string; readonly reference?: string | undefined}[]
}

/** The service keeps keys for 24 hours, so that what is sent twice by any mistake has one effect. */
export const KEPT_MS = 86_400_000

/** Whether a request is one of those that are kept, unchanged. */
export const isPartOf = (
  {requests}: Pick<KeptRequests, 'requests'>,
  asked: Pick<KeptRequest, 'operation' | 'input' | 'key'>,
): boolean =>
  requests.some(
    kept =>
      kept.operation === asked.operation &&
      kept.key === asked.key &&
      contentOf(kept.input) === contentOf(asked.input),
  )

/** Who acts is not a part of it. */
const contentOf = ({path, query, body}: AnyInput): string => {
  const {auditUser: _, ...others} = query
  return canonicalJson({path, query: others, body})
}

const FORMAT = 'cardctl-requests/1'

const TRANSFERS: OperationId = 'a2a.create.v1'

/** 160 bits: nobody finds two contents for it. */
const ID_DIGITS = 40
const ID = new RegExp(`^p_[0-9a-f]{${ID_DIGITS}}$`)

export const isKeptId = (text: string): boolean => ID.test(text)

/** `p_` and the first 40 digits of what `sha256sum` prints of the file. */
const idOf = (bytes: Uint8Array): string => `p_${hash('sha256', bytes).slice(0, ID_DIGITS)}`

/** The bytes of the file, and its id. */
export function encodeKept(content: Omit<KeptRequests, 'format' | 'nonce'>): {id: string; bytes: Buffer} {
  for (;;) {
    const whole = {format: FORMAT, ...content, nonce: randomBytes(16).toString('hex')}
    const bytes = Buffer.from(`${JSON.stringify(whole, null, 1)}\n`)
    const id = idOf(bytes)
    // Digits that look like a card number would be masked on the screen, and refused on a command line.
    if (maskText(id) === id && !holdsCardNumber(id)) return {id, bytes}
  }
}

/** The content of a file, with masks over its texts; undefined if the id names other bytes, or they are none. */
export function decodeKept(id: string, bytes: Uint8Array): KeptRequests | undefined {
  if (!isKeptId(id) || idOf(bytes) !== id) return undefined
  const content: unknown = parseObject(Buffer.from(bytes).toString('utf8'))
  return isKept(content) ? withMasks(content) : undefined
}

/** Texts that stand in the trail, the journal and the log of the system once it was decided. */
const withMasks = (content: KeptRequests): KeptRequests => ({
  ...content,
  auditUser: maskText(content.auditUser),
  serviceWords: maskText(content.serviceWords),
  ...(content.note === undefined ? {} : {note: maskText(content.note)}),
  ...(content.ticket === undefined ? {} : {ticket: maskText(content.ticket)}),
})

const isKept = (one: unknown): one is KeptRequests =>
  isObject(one) &&
  one.format === FORMAT &&
  isTime(one.at) &&
  isTime(one.expiresAt) &&
  Date.parse(one.expiresAt) - Date.parse(one.at) <= KEPT_MS &&
  isShort(one.auditUser) &&
  isShort(one.service) &&
  isShort(one.serviceWords) &&
  isNamedBy(one.service, one.serviceWords) &&
  (one.sender === undefined || isSenderName(one.sender)) &&
  isTextOrNothing(one.dialect) &&
  (one.tenant === undefined || isTenantMark(one.tenant)) &&
  (one.note === undefined || isShort(one.note)) &&
  (one.ticket === undefined || isShort(one.ticket)) &&
  Array.isArray(one.requests) &&
  one.requests.length > 0 &&
  one.requests.every(isRequest) &&
  // Transfers are checked and confirmed together, and nothing else can be among them.
  new Set(one.requests.map(({operation}) => operation === TRANSFERS)).size === 1 &&
  (one.transfers === undefined || isTransfers(one.transfers, one.requests)) &&
  (one.plan === undefined || isPlan(one.plan, one.requests.length))

const IMPORTED = /^x:[^/]+\/[^/]+\/[^/]+$/
const SHA256 = /^[0-9a-f]{64}$/

const isRequest = (one: unknown): one is KeptRequest =>
  isObject(one) &&
  typeof one.operation === 'string' &&
  (one.digest === undefined
    ? Object.hasOwn(operations, one.operation)
    : IMPORTED.test(one.operation) && typeof one.digest === 'string' && SHA256.test(one.digest)) &&
  (one.key === undefined || isMark(one.key)) &&
  isObject(one.input) &&
  // What isn't shown isn't sent.
  Object.keys(one.input).every(name => ['path', 'query', 'body'].includes(name)) &&
  hasTexts(one.input.path) &&
  isObject(one.input.query)

const isTransfers = (one: unknown, requests: readonly KeptRequest[]): one is KeptTransfers =>
  isObject(one) &&
  requests[0]?.operation === TRANSFERS &&
  typeof one.again === 'boolean' &&
  typeof one.rest === 'boolean' &&
  Array.isArray(one.batches) &&
  one.batches.length === requests.length &&
  one.batches.every(
    (batch: unknown, at) =>
      isObject(batch) &&
      batch.key === requests[at]?.key &&
      (batch.reference === undefined || isMark(batch.reference)),
  )

/** A key or a reference, which records keep as it is. */
const isMark = (one: unknown): one is string => typeof one === 'string' && !holdsCardNumber(one)

const hasTexts = (one: unknown): boolean =>
  isObject(one) && Object.values(one).every(value => typeof value === 'string')

/** Longer than any that cardctl takes. What is masked takes the time of those who read it. */
const LONGEST = 4_000

const isShort = (one: unknown): one is string => typeof one === 'string' && one.length <= LONGEST

const isTextOrNothing = (one: unknown): boolean => one === undefined || typeof one === 'string'

export const isTime = (one: unknown): one is string =>
  typeof one === 'string' && /^\d{4}-\d\d-\d\dT/.test(one) && !Number.isNaN(Date.parse(one))
