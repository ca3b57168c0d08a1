/**
 * What stands in a place of a call, as far as showing it goes: `typed` (an id, a reference, an amount, a time: never
 * free text), `text` (written by people), `sensitive`, the known values of an open enumeration, or what is inside.
 */
export type Shape =
  | 'typed'
  | 'text'
  | 'sensitive'
  | 'unknown'
  | {readonly values: readonly string[]}
  | {readonly items: Shape}
  | {readonly members: ReadonlyMap<string, Shape>}
