/** How much a match counts in each kind of text: BM25F's weights. */
export const WEIGHTS = {
  /** The name of a command, the title of a page. */
  name: 6,
  heading: 5,
  summary: 5,
  /** What people say who need it. */
  asked: 6,
  /** Words that are tried as a command, and the one that does it. */
  instead: 7,
  /** How an operation is called on the wire. */
  wire: 1.5,
  /** Flags, arguments, examples, and all the rest. */
  text: 0.7,
} as const

export type Field = keyof typeof WEIGHTS

/** A line of help. What is `asked` is only searched, and never shown. */
export interface Text {
  readonly text: string
  readonly field: Field
  /** The heading of the page that it is below. */
  readonly under?: string
}

/** A name that people see elsewhere, and what it means. */
export interface Named {
  /** As it is written: `partialApprovalAmount`, `51`, `ENOSPC`. */
  readonly name: string
  /** What people say instead. */
  readonly says?: string
  /** What stands for it in an error line, any words at each asterisk: `database * does not exist`. */
  readonly printed?: readonly string[]
  /** The commands that don't exist, of the error that names one: `cards close`. */
  readonly tried?: readonly string[]
  /** Shown where it is asked for. */
  readonly line: string
  /** Zero for what explains it best. */
  readonly rank: number
}

/** A command, help topic or page. */
export interface Entry {
  /** As a user types it: `cards get`, `help environment`. A page by its file: `docs/security.md`. */
  readonly name: string
  readonly summary: string
  readonly texts: readonly Text[]
  /** Of a command: whether it only looks, or sends something that changes the service. */
  readonly effect?: 'read' | 'write'
  readonly sendsMoney?: boolean
  /** Names that it explains. */
  readonly named?: readonly Named[]
  /** Found after all others: what was changed and why, and lists of what has entries of its own. */
  readonly isBackground?: boolean
  /** Tables that are made from data: they have no say in how rare a word is. */
  readonly isReference?: boolean
}

/** A step of what to do: a command without its program's name, placeholders in capitals. */
export interface Step {
  /** What the command does, before a colon. */
  readonly does: string
  readonly words: string
}

/** What a caller says, and what can be done about it. */
export interface Situation {
  /** A noun phrase: `a stolen or lost card`. */
  readonly about: string
  /** Words and phrases for it, with commas between them. One phrase is enough, with all its words. */
  readonly phrases: string
  /** What the service can't do, as a sentence. */
  readonly lacks?: string
  /** In this order. */
  readonly steps: readonly Step[]
}
