/** A difference from the contract. Never quotes a value: it may be secret. */
export interface Violation {
  /** JSON pointer into the body (`/address/city`, '' for all of it), `path:NAME` or `query:NAME`. */
  readonly pointer: string
  /** A sentence without a full stop: "creditlimit is not a field of a credit account". */
  readonly message: string
  /** The name or value of the contract that the user probably meant. */
  readonly suggestion?: string
}

/** A difference in a response, with the part of its message that can follow another name of the place. */
export interface BodyDifference extends Violation {
  /** The message without its subject: `must be text`, `is missing`. */
  readonly problem: string
  /** What the contract doesn't know, if that is the difference. */
  readonly unknown?: 'field' | 'value'
  /** The JSON type at the pointer, if that leads into another document than the body. */
  readonly found?: string
  /** A place of which the response proves nothing, because it has nothing there. */
  readonly unseen?: true
}

/** The type of a JSON value in words; `absent` if there is none. */
export function jsonType(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  return Array.isArray(value) ? 'list' : typeof value
}

/** An id has fewer digits than this: never quote a card number that was pasted in place of a name. */
const MANY_DIGITS = /(?:[0-9][ -]?){12}/
const LONGEST_NAME = 64

/** The name of an unknown field, safe to quote in a message. */
export function quotableName(name: string): string {
  return name.length > LONGEST_NAME || MANY_DIGITS.test(name) ? '[a name that is not shown]' : name
}
