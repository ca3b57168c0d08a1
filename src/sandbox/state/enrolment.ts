import type {Stored} from '../store/store.ts'

/** A customer at the remote checkout service. */
export interface EnrolledCustomer extends Stored {
  readonly customerBID: string
  readonly active: boolean
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

/** A card at the remote checkout service. */
export interface EnrolledCard extends Stored {
  readonly customerId: string
  readonly tokenReferenceID: string
  readonly tokenRequestorID: string
  readonly billing: Readonly<Record<string, unknown>>
}

export interface ErrorDetail {
  readonly field: string
  readonly reason: string
  readonly message: string
}

/** A request that the card network works on; it ends when the sandbox clock passes `dueAt`. */
export interface Trace extends Stored {
  readonly operation: string
  readonly customerId: string
  readonly cardId: string | null
  readonly body: Readonly<Record<string, unknown>>
  /** 0 while it runs, 1 when it ended; a number so that it can be indexed. */
  readonly ended: 0 | 1
  readonly dueAt: number
  readonly errors: readonly ErrorDetail[]
}
