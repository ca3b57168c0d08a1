import type {JsonSchema} from './json-schema.ts'
import type {Shape} from './shape.ts'
import type {BodyDifference, Violation} from './violation.ts'

/** The effect of an operation. Confirmations, key, journal and retry depend on this mark, never on the HTTP method. */
export const EFFECTS = ['read', 'disclose', 'write', 'destroy'] as const
export type Effect = (typeof EFFECTS)[number]

/** Effects stand in order: what demands more comes later. */
export const stricterEffect = (a: Effect, b: Effect): Effect =>
  EFFECTS.indexOf(a) > EFFECTS.indexOf(b) ? a : b

/** Operations that share a base URL and a prefix. */
export const GROUPS = [
  'cards',
  'pin',
  'pincontrol',
  'accounts',
  'pricelists',
  'a2a',
  'wallets',
  'remotecheckout',
  'sandbox',
] as const
export type Group = (typeof GROUPS)[number]

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'QUERY'

/**
 * Kinds of resources that a request can touch. A `control` id is a secret that lives for seconds: it links requests and
 * is never shown.
 */
export const RESOURCE_KINDS = [
  'card',
  'plastic',
  'customer',
  'account',
  'pricelist',
  'period',
  'batch',
  'trace',
  'control',
] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

/** Where a request or its response names a resource that it touches. */
interface TouchMark {
  readonly kind: ResourceKind
  /** `path:NAME`, a JSON pointer into the request's body, or `reply:` and a pointer into the body of the response. */
  readonly at: string
}

interface QueryParameter {
  readonly name: string
  readonly required: boolean
  /** Its fields, which are query parameters themselves. */
  readonly members?: readonly string[]
}

/** Where a request has an amount of money. */
export interface AmountMark {
  /** JSON pointer into the request's body, `*` for every item of an array. */
  readonly pointer: string
  /** The member beside it that names its currency. Without it, only the service knows the currency. */
  readonly currency?: string
  /** 0 means no limit. */
  readonly unlimited?: true
}

/** Where a response names the resource that was asked for. */
export interface AnswerMark {
  /** The path parameter that asks for it. */
  readonly param: string
  /** JSON pointer into the body of a success, `*` for every item of an array. */
  readonly at: string
  /** Nobody promised it: only ids of the same form prove that another resource was named. */
  readonly isGuess?: true
}

/** Values that can't be undone once the service has accepted them. */
interface IrreversibleMark {
  /** JSON pointer into the request's body, or `path:NAME` for a path parameter. */
  readonly pointer: string
  readonly values: readonly string[]
  readonly warning: string
}

/** A value that does something unexpected. The question before the request shows `warning`. */
interface HazardMark {
  /** JSON pointer into the request's body, `*` for every item of an array. */
  readonly pointer: string
  readonly value: unknown
  readonly warning: string
}

/** An object that is replaced as a whole: members that are not given are cleared. */
interface WholeMark {
  /** JSON pointer into the request's body. */
  readonly pointer: string
  /** Those that are rarely meant to be cleared. */
  readonly members: readonly string[]
}

/**
 * One operation of the service, as the contract describes it: the small form that every command loads. Schemas are
 * separate: `schema.ts` and `validate.ts` load them when needed.
 */
export interface Operation {
  /** `operationId` of the contract, e.g. `cards.get.v4`. */
  readonly id: string
  readonly topic: string
  /** `imported`: an operation of an imported contract, at the profile's base URL. */
  readonly group: Group | 'imported'
  readonly method: Method
  /** As in the contract, without a prefix: `/v4/{id}`. */
  readonly path: string
  /** The prefix that services usually put before the group's paths; `''` for none. */
  readonly prefix: string
  readonly summary: string
  readonly deprecated: boolean
  /** Ids of the operations that replace a deprecated one. */
  readonly replacedBy?: readonly string[]
  /** Values of path parameters of a deprecated operation that no replacement accepts. */
  readonly notReplaced?: readonly string[]
  readonly effect: Effect
  /** An imported contract's user chose this effect, which demands less than the document's own. */
  readonly loosened?: {
    readonly from: Effect
    readonly to: Effect
    /** SHA-256 of the imported contract, in hex. */
    readonly document: string
  }
  /** What the request does, for a question: `delete price list {id}`, with path parameters in braces. */
  readonly action?: string
  /** The consequence, in one or two sentences. */
  readonly consequence?: string
  /** Whether the service documents `x-idempotency-key` for it. */
  readonly idempotent: boolean
  /** Whether it isn't one of the 47 documented operations. */
  readonly extension: boolean
  readonly pathParams: readonly string[]
  /** Known values of path parameters with an open enumeration, by the parameter's name. */
  readonly known?: Readonly<Record<string, readonly string[]>>
  readonly query: readonly QueryParameter[]
  readonly paging?: 'page' | 'cursor'
  /** Items in a page: without a requested size, and at most. */
  readonly pageSize?: {readonly usual: number; readonly largest: number}
  readonly body: 'none' | 'optional' | 'required'
  /** Statuses that mean success. */
  readonly success: readonly number[]
  /** JSON pointers of the fields that a response needs to prove success; see http/read-response.ts. */
  readonly needs?: readonly string[]
  /** Where a response names the resource that was asked for; undefined if it names none. */
  readonly answers?: AnswerMark
  /** JSON pointers of sensitive fields, with `*` for every item of an array: `/pinBlock`. */
  readonly sensitive: {readonly request: readonly string[]; readonly reply: readonly string[]}
  /** Fields of an imported operation that a name alone would call secret: ids. `made` is that of what a request creates. */
  readonly ids?: {
    readonly request: readonly string[]
    readonly reply: readonly string[]
    readonly made?: string
  }
  /** Fields of an imported operation about a person, which are shown to who asks and kept nowhere. */
  readonly personal?: {
    readonly request: readonly string[]
    readonly reply: readonly string[]
    /** Names of path parameters. */
    readonly path?: readonly string[]
  }
  /** Path parameters of an imported operation whose values are shown nowhere. */
  readonly hiddenPath?: readonly string[]
  /** The resources that it touches. Empty for reads, and for the sandbox's controls, which are not in the journal. */
  readonly touches: readonly TouchMark[]
  readonly irreversible: readonly IrreversibleMark[]
  readonly hazards: readonly HazardMark[]
  /** Absent if it has none. */
  readonly wholes?: readonly WholeMark[]
  /** The amounts of money in a request; absent if it has none. */
  readonly amounts?: readonly AmountMark[]
  /** Writes and checks requests of an imported operation; undefined for the others. */
  readonly form?: RequestForm
}

/**
 * Whether requests of the operation are recorded in the journal and the audit trail: writes and disclosures are. The
 * controls of the sandbox are not requests to the service.
 */
export const leavesRecord = ({effect, group}: Pick<Operation, 'effect' | 'group'>): boolean =>
  effect !== 'read' && group !== 'sandbox'

/** How lists are written in a query where the document leaves it open: `expand=a` or `expand[]=a`. */
export type ArrayStyle = 'repeat' | 'brackets'

/** Writes and checks the requests of an operation as its imported contract says. */
export interface RequestForm {
  /** @throws Failure INPUT_INVALID for a value that a path, header or body can't hold. */
  write(input: AnyInput, arrays?: ArrayStyle): WrittenRequest
  check(input: AnyInput): Promise<readonly Violation[]>
  /** How a response differs from the imported contract. */
  checkResponse(status: number, body: unknown): Promise<readonly BodyDifference[]>
  /** Whether an error has the shape that the imported contract describes, so that the service itself has sent it. */
  isOwnError(status: number, body: unknown): Promise<boolean>
  /** SHA-256 of what the document says of the operation, in hex. */
  digest(): string
  /** Whether the imported contract lists a status of success. */
  lists(status: number): boolean
  /** What a success must look like; undefined if any response is a success. */
  readonly responseShape: Shape | undefined
  /** The header of idempotency keys. */
  readonly keyHeader: string | undefined
  readonly accept: string
  /** Where to send the credential for this header instead, by the header's name in lower case. */
  readonly credentials: Readonly<Record<string, CredentialPlace>>
  /** Whether secrets in responses stay, because of --reveal. */
  readonly handsOut: boolean
  /** How rows of a file fill requests, in a bulk job. */
  readonly rows?: RowForm
  /** The operation of the same document that reads what this one changes: GET on the same path. */
  readBack?(): Promise<Operation | undefined>
}

/** How rows of a file fill the requests of an operation. */
export interface RowForm {
  /** A digest of what the document says of the operation. */
  readonly digest: string
  readonly parameters: readonly RowParameter[]
  /** The schema of the body, free of references; undefined if it has no fields. */
  readonly body: JsonSchema | undefined
  /** The body is a file, and no request goes without it. */
  readonly takesFile: boolean
}

export interface RowParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly sensitive: boolean
  readonly isNumber: boolean
  /** The value as the document types it. @throws Failure USAGE, INPUT_INVALID for one that can't be read */
  read(value: unknown): Promise<unknown>
}

/** A query parameter or cookie, and its name. */
export interface CredentialPlace {
  readonly in: 'query' | 'cookie'
  readonly name: string
}

/** Contains unmasked secrets: only for sending. Only the `shown` part may be printed or stored. */
export interface WrittenRequest {
  /** Path and query, percent-encoded. */
  readonly target: string
  /** The same with secrets masked. */
  readonly shownTarget: string
  readonly headers: Readonly<Record<string, string>>
  /** Names of headers that hold a secret. */
  readonly secretHeaders: readonly string[]
  readonly body?: {readonly bytes: Buffer; readonly type: string}
}

/** The parts of a request before they become a URL and bytes; of any operation, checked or not. */
export interface AnyInput {
  path: Record<string, string>
  query: Record<string, unknown>
  /** Of an operation of an imported contract, or what `api -H` adds. */
  headers?: Record<string, unknown>
  cookies?: Record<string, unknown>
  body?: unknown
}

/** The input with the audit user in its query, if the operation takes one and the input has none. */
export function withAuditUser<Given extends AnyInput>(
  {query}: Pick<Operation, 'query'>,
  input: Given,
  auditUser: string,
): Given {
  if (!query.some(({name}) => name === 'auditUser')) return input
  return {...input, query: {...input.query, auditUser: input.query.auditUser ?? auditUser}}
}

/** The request header of an idempotency key, as the contract describes it. */
export const KEY_HEADER = 'x-idempotency-key'

/** The service sets this header on a replayed response. */
export const REPLAYED_HEADER = 'x-idempotent-replayed'

/** Whether cardctl sends a key with the operation: a write by POST or PATCH. */
export function takesKey({effect, method}: Pick<Operation, 'effect' | 'method'>): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

interface KeySettings {
  readonly idempotency: 'documented' | 'all'
  /** The header of keys, if the service doesn't take them where its contract says. */
  readonly idempotencyHeader?: string | undefined
  readonly dialect?:
    | {honours(id: string, profileHeader?: string): boolean; carriesKey(id: string): boolean}
    | undefined
}

/**
 * The header that carries the key of an operation, in lower case: the profile's, else the one that the imported document
 * describes, else the contract's.
 */
export const keyHeaderOf = (
  {form}: Pick<Operation, 'form'>,
  {idempotencyHeader}: Pick<KeySettings, 'idempotencyHeader'>,
): string => (idempotencyHeader ?? form?.keyHeader ?? KEY_HEADER).toLowerCase()

/**
 * Whether the service honours the key, so that a retry with the same key and bytes has no second effect.
 *
 * @param settings of the profile: `documented` trusts the contract's mark, `all` trusts every write.
 */
export function honoursKey(
  operation: Pick<Operation, 'id' | 'effect' | 'method' | 'idempotent' | 'form'>,
  settings: KeySettings,
): boolean {
  if (operation.effect !== 'write' || !takesKey(operation)) return false
  const {dialect, idempotency, idempotencyHeader} = settings
  // What the contract documents is of another service.
  if (dialect !== undefined && operation.form === undefined) {
    const isSent = idempotencyHeader !== undefined || dialect.carriesKey(operation.id)
    return dialect.honours(operation.id, idempotencyHeader) || (idempotency === 'all' && isSent)
  }
  if (idempotency === 'all') return true
  // A document promises nothing for another header than the one that it describes.
  const described = operation.form?.keyHeader?.toLowerCase()
  return operation.idempotent && (described === undefined || described === keyHeaderOf(operation, settings))
}
