/** An id, a reference, an amount, a time: never free text. What such a place holds is what it says only if it fits. */
export type TypedShape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'string or number'
  /** A string that matches. */
  | {readonly fits: RegExp}
  /** A number that is no greater. */
  | {readonly most: number}

/**
 * What stands in a place of a call, as far as showing it goes: typed, `text` (written by people), `sensitive`, the known
 * values of an open enumeration, or what is inside.
 */
export type Shape =
  | TypedShape
  | 'text'
  | 'sensitive'
  | 'unknown'
  | {readonly values: readonly string[]}
  | {readonly items: Shape}
  | {readonly members: ReadonlyMap<string, Shape>}
