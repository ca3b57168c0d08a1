/** Stands for a value that is there and cannot be read as what it should be. */
export const UNREADABLE = Symbol('unreadable')

/** What stands under a name in a call. */
export interface Values {
  /** The items of lists one by one; nothing for what is absent or null. */
  readonly found: readonly unknown[]
  /** Whether something is not there that every call should have: what it would be nobody knows. */
  readonly lacking: boolean
}
