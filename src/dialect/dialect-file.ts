import type {Method} from '../contract/operation.ts'

/** One of their requests; every location is a pointer into `{path, query, header, body}`. */
export interface Step {
  readonly route: Route
  readonly input: Shape
  readonly with: Readonly<Record<Location, unknown>>
  readonly envelope: Location
}

export interface Variant extends Step {
  readonly first?: Step
  readonly output: Shape | undefined
  readonly proof: readonly Location[]
  readonly pages: 'whole' | undefined
  readonly idempotent: boolean
  readonly key: Location | undefined
}

export type Report = (pointer: string, message: string, what?: 'key') => void

/**
 * A place in a request or a response. A JSON pointer leads into a body; a step of it may choose one item of a list by a
 * member, `/usageLimits/[code=MONTHLY]/values/[code=ALL]/sumAmount`. In requests also `path:NAME`, `query:NAME` and
 * `header:NAME`.
 */
export type Location = string

/** How a value is written on both sides. */
export const FORMS = [
  'minor',
  'decimal-text',
  'number',
  'last4',
  'utc',
  'MMYY',
  'MM/YY',
  'YYYY-MM',
  'offset',
  'page-from-1',
] as const
export type Form = (typeof FORMS)[number]

/** Our values and theirs. Of several of theirs, the first is sent. */
export type ValueMap = Readonly<Record<string, Scalar | readonly Scalar[]>>
export type Scalar = string | number | boolean | null

/** Where a member of ours is in theirs, and how its value is written there. */
export interface MemberRule {
  readonly at?: Location
  readonly values?: string | ValueMap
  /** Values of ours that they can't have, or that mean something else there. */
  readonly except?: readonly Scalar[]
  readonly as?: Form
  /** For `minor`: the currency itself, or the member of ours beside the amount that has it; `*` for amounts by currency. */
  readonly currency?: string
  /** For `minor`, where the currency is unknown. */
  readonly exponent?: number
  /** A list; each of its items by this shape. */
  readonly items?: string | Shape
  /** An object, by this shape. */
  readonly shape?: string | Shape
  /** Only in responses: a fixed value. */
  readonly is?: unknown
  /** Only in responses: what the request had. */
  readonly input?: Location
  /** Only in responses: a JMESPath expression on theirs. */
  readonly jmespath?: string
  /** From the response to `first`. */
  readonly first?: Location
}

/** Members of ours, by their location, and where each is in theirs. */
export type Shape = Readonly<Record<Location, Location | MemberRule>>

/** One of their requests. */
interface RequestFile {
  /** `GET /cards/{card_id}`. */
  readonly request: string
  /** What of ours goes where. */
  readonly input?: Shape
  /** What they get besides, by its location: a value, or `{first: /version}`. */
  readonly with?: Readonly<Record<Location, unknown>>
  /** Where the content of their responses is. */
  readonly envelope?: Location
}

/** How an operation of ours is carried out there. */
export interface VariantFile extends RequestFile {
  /** A read before it, whose response the request or the result needs. */
  readonly first?: RequestFile
  readonly output?: Shape
  /** Locations in their response that must hold something, or it proves nothing. */
  readonly proof?: readonly Location[]
  /** They send the whole list at once. */
  readonly pages?: 'whole'
  /** Whether the service honours the key: the same key and request have one effect. */
  readonly idempotent?: boolean
  /** Where the idempotency key goes. */
  readonly key?: Location
}

interface Cannot {
  /** Why the service can't do it, for the user. */
  readonly cannot: string
}

export type OperationFile = Cannot | VariantFile | readonly VariantFile[]

/** The authorisation calls of the service, between our members and theirs. */
export interface WebhookFile {
  readonly request: string
  readonly call: SideFile
  readonly answer: SideFile & {
    /** The HTTP status by our response code, and `else`. */
    readonly statuses?: Readonly<Record<string, number>>
    /** The code of declines that have no value of their own there. */
    readonly decline?: string
  }
}

export interface SideFile {
  readonly members: Shape
  /** What theirs has besides, by its location: a value, or `{call: /token}`, what their call has there. */
  readonly with?: Readonly<Record<Location, unknown>>
  /** Members of ours that theirs has no place for, and that are left out. */
  readonly without?: readonly Location[]
}

/** A dialect as written. */
export interface DialectFile {
  readonly dialect: 1
  readonly name: string
  readonly describes?: string
  /** The pattern of ids, by kind of resource. */
  readonly ids?: Readonly<Record<string, string>>
  readonly envelope?: Location
  readonly key?: Location
  /** Where an error of the service has its code and text. */
  readonly errors?: {readonly code: Location; readonly message?: Location}
  readonly values?: Readonly<Record<string, ValueMap>>
  readonly shapes?: Readonly<Record<string, Shape>>
  readonly operations: Readonly<Record<string, OperationFile>>
  readonly webhook?: {
    readonly warmUp?: {readonly request: string; readonly with?: SideFile['with']}
    readonly auth: WebhookFile
  }
}

/** A method and a path with `{names}`. */
export interface Route {
  readonly method: Method
  readonly path: string
}

export function routeOf(request: string): Route {
  const [method = '', path = ''] = request.split(' ')
  return {method: method as Method, path}
}

/** The names in a path: `card_id` of `/cards/{card_id}`. */
export const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
