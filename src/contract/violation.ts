/** Something that does not fit the contract. Values are never quoted: they may be secret. */
export interface Violation {
  /** JSON pointer into the body (`/address/city`, '' for all of it), `path:NAME` or `query:NAME`. */
  readonly pointer: string
  /** A sentence without a full stop: "creditlimit is not a member of a credit account". */
  readonly message: string
  /** What was probably meant: a name or value of the contract. */
  readonly suggestion?: string
}

/** More digits than an id needs: a card number pasted where a name belongs must not be repeated. */
const MANY_DIGITS = /(?:[0-9][ -]?){12}/
const LONGEST_NAME = 64

/** A member name that the contract doesn't know, as it may be repeated in a message. */
export function quotableName(name: string): string {
  return name.length > LONGEST_NAME || MANY_DIGITS.test(name) ? '[a name that is not shown]' : name
}

/** A member below a JSON pointer (RFC 6901). */
export const below = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
