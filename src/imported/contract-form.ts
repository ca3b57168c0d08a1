import type {CredentialPlace, Effect} from '../contract/operation.ts'
import type {DocumentMethod, DocumentParameter, FieldEncoding, Schema} from './document/document.ts'

/** A parameter, and the flag or argument that gives it. */
export interface ImportedParameter extends DocumentParameter {
  /** The argument of a path parameter or the flag of any other one, in kebab-case. */
  readonly flag: string
  /** Whether it is a secret. Its flag then takes a reference, even for a path parameter. */
  readonly sensitive?: true
  /** Whether it is personal data: typed, but kept out of the journal and logs. */
  readonly personal?: true
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'other'

export interface ImportedBody {
  readonly required: boolean
  readonly description?: string
  readonly mediaType: string
  readonly kind: BodyKind
  readonly schema?: Schema
  readonly example?: unknown
  readonly encoding?: Readonly<Record<string, FieldEncoding>>
}

/** How to get the next page of a list, with the document's parameter names. */
export interface ImportedPaging {
  readonly size?: string
  readonly cursor?: string
  readonly page?: string
  readonly offset?: string
  /** Where a response leads to the next page, by a cursor or a link, if the profile says so: a JSON pointer. */
  readonly next?: string
  /** Where a response says whether there is more, if the profile says so: a JSON pointer. */
  readonly more?: string
}

/** What a field can hold. `plain` is what only a person says: neither a secret nor about a person. */
export const FIELD_KINDS = ['secret', 'personal', 'id', 'plain'] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

/** What a field was taken for, and why, in words. */
export interface Taken {
  readonly kind: FieldKind
  readonly why: string
}

/** Fields of a request and its response, as JSON pointers with `*` for every item of a list. */
export interface Pointers {
  readonly request: readonly string[]
  readonly reply: readonly string[]
}

/** The stored data of one command of an imported contract. */
export interface ImportedOperation {
  /** `x:shop/orders/list`: no operation of the built-in contract has such an id. */
  readonly id: string
  readonly tag: string
  readonly name: string
  readonly operationId?: string
  readonly method: DocumentMethod
  /** As in the document, with the prefix of the contract. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly deprecated: boolean
  readonly effect: Effect
  /** What the document itself says, where the user chose an effect that demands less. */
  readonly documentEffect?: Effect
  readonly parameters: readonly ImportedParameter[]
  /** The header for an idempotency key, if the document describes one. */
  readonly keyHeader?: string
  readonly body?: ImportedBody
  /** Schemas of JSON responses by status: `200`, `2XX`, `default`. */
  readonly replies: Readonly<Record<string, Schema>>
  /** The statuses of successes: `200`, `2XX`. Contracts of older versions lack them. */
  readonly successes?: readonly string[]
  /** Whether a success may be something other than JSON. */
  readonly otherReplies: boolean
  readonly accept: string
  readonly paging?: ImportedPaging
  readonly sensitive: Pointers
  readonly ids?: Pointers & {readonly made?: string}
  readonly personal?: Pointers
  /** Where to send the profile's credential in place of a header with that name. */
  readonly credentials?: Readonly<Record<string, CredentialPlace>>
}

/** A line of a list of operations. */
export interface ListedOperation {
  readonly method: DocumentMethod
  readonly path: string
  readonly summary: string
  readonly effect: Effect
  readonly deprecated?: true
}

export interface ListedTag {
  readonly description?: string
  readonly operations: Readonly<Record<string, ListedOperation>>
}

/** The description of a contract. */
export interface ContractFacts {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly openapi: string
  /** The imported file, as the user named it. */
  readonly source: string
  /** ISO 8601. */
  readonly importedAt: string
  /** The prefix of every path. */
  readonly prefix: string
  readonly servers: readonly string[]
  readonly operations: number
  readonly leftOut: number
}

/** An effect that the user chose for an operation, in place of the default. */
export type EffectChoice = readonly [operation: string, effect: Effect]
