/**
 * An id, a reference, an amount or a time: never free text. A value that doesn't fit its shape is not trusted to be
 * that.
 */
export type TypedShape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'string or number'
  /** A string that matches. */
  | {readonly fits: RegExp}
  /** A number up to this maximum. */
  | {readonly most: number}

/**
 * What a field of a call holds, as far as masking is concerned: a typed value, `text` (written by people), `sensitive`,
 * the known values of an open enumeration, or further fields.
 */
export type Shape =
  | TypedShape
  | 'text'
  | 'sensitive'
  | 'unknown'
  | {readonly values: readonly string[]}
  | {readonly items: Shape}
  | {readonly members: ReadonlyMap<string, Shape>}
