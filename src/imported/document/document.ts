import {withoutHalves} from '../../contract/resource.ts'
import {plainWords} from './plain-words.ts'

/** A text that isn't blank. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** The same for a person to read. */
export function words(value: unknown): string | undefined {
  const found = text(value)
  return found === undefined ? undefined : text(plainWords(found))
}

/** A step of a JSON pointer inside of a URL. */
export const pointerStep = (step: string | number): string =>
  encodeURIComponent(withoutHalves(String(step)).replaceAll('~', '~0').replaceAll('/', '~1'))

/** JSON Schema 2020-12, for documents of any version. A `$ref` is always `#/$defs/NAME`, of the document's `schemas`. */
export type Schema = boolean | {readonly [keyword: string]: unknown}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const
export type DocumentMethod = (typeof METHODS)[number]

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'

/** The styles of each place. The first is the default. */
export const STYLES: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

export interface DocumentParameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly deprecated?: true
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
  readonly style: ParameterStyle
  readonly explode: boolean
  /** The document itself says how a list is written. */
  readonly isStyled?: true
  readonly allowReserved?: true
  /** The value is sent as this media type, without a style. */
  readonly mediaType?: string
}

/** How one field of a form is written; see the Encoding Object of OpenAPI. */
export interface FieldEncoding {
  readonly contentType?: string
  readonly style?: ParameterStyle
  readonly explode?: boolean
}

export interface DocumentContent {
  readonly mediaType: string
  /** Absent if the document has none. */
  readonly schema?: Schema
  readonly example?: unknown
  readonly encoding?: Readonly<Record<string, FieldEncoding>>
}

export interface DocumentBody {
  readonly required: boolean
  readonly description?: string
  readonly contents: readonly DocumentContent[]
}

export interface DocumentResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string
  readonly description?: string
  /** Names of headers, in lower case. */
  readonly headers: readonly string[]
  readonly contents: readonly DocumentContent[]
}

/** Alternatives: each item is enough on its own. An item lists names that are needed together, or none. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface DocumentOperation {
  /** Its place in the document: `#/paths/~1v4~1{id}/get`. */
  readonly pointer: string
  readonly method: DocumentMethod
  /** As in the document: `/v4/{id}`. */
  readonly path: string
  readonly operationId?: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated: boolean
  readonly parameters: readonly DocumentParameter[]
  readonly body?: DocumentBody
  readonly replies: readonly DocumentResponse[]
  readonly security: Security
  /** `x-…` fields of the operation. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export interface SecurityScheme {
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'
  /** Of `http`: `basic`, `bearer` …, in lower case. */
  readonly scheme?: string
  /** Of `apiKey`. */
  readonly in?: 'query' | 'header' | 'cookie'
  readonly name?: string
  readonly tokenUrl?: string
}

/** Something in a document that can't be used. */
export interface Fault {
  /** As the user named it. For files that it refers to, relative to its folder. */
  readonly file: string
  /** JSON pointer into that file, with `#` before it. */
  readonly pointer: string
  /** Counted from 1; absent if unknown. */
  readonly line?: number
  readonly message: string
  /** `left out`: the operation can't be called. `unchecked`: it can, but this part of the document is not used. */
  readonly consequence: 'left out' | 'unchecked'
  /** `GET /v4/{id}`, if it concerns an operation. */
  readonly operation?: string
}

export interface ImportedDocument {
  /** `3.1.0` */
  readonly openapi: string
  readonly title: string
  /** The document's own version. */
  readonly version: string
  readonly description?: string
  readonly tags: readonly {readonly name: string; readonly description?: string}[]
  /** URLs of its `servers`. They are shown and never called. */
  readonly servers: readonly string[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly operations: readonly DocumentOperation[]
  /** The schemas that others refer to, each by its name. */
  readonly schemas: ReadonlyMap<string, Schema>
  readonly faults: readonly Fault[]
  /** Number of webhooks in the document. No command calls them. */
  readonly webhooks: number
}
