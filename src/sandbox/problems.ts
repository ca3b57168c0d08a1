import {Failure} from '../errors/failure.ts'

/** A refusal of a request. Ends the request and rolls back its transaction. */
export class Problem extends Error {
  readonly status: number
  /** Short and stable, becomes the `type`, for example `card-not-found`. */
  readonly kind: string
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  /** Fields that replace the usual ones in the body. */
  readonly members: Readonly<Record<string, unknown>> | null

  /** @param detail for people; never quotes what may be secret. */
  constructor(
    status: number,
    kind: string,
    title: string,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    members: Readonly<Record<string, unknown>> | null = null,
  ) {
    super(detail)
    this.status = status
    this.kind = kind
    this.title = title
    this.headers = headers
    this.members = members
  }
}

export const badRequest = (kind: string, detail: string) =>
  new Problem(400, kind, 'The request is invalid', detail)
export const notFound = (what: string) =>
  new Problem(
    404,
    `${what.replaceAll(' ', '-')}-not-found`,
    `${what} not found`,
    `The sandbox has no such ${what}.`,
  )
/** Returns the row. @throws Problem 404 if there is none. */
export function existing<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what)
  return row
}
export const conflict = (kind: string, detail: string) =>
  new Problem(409, kind, 'The current state does not allow this', detail)
export const gone = (kind: string, detail: string) => new Problem(410, kind, 'No longer valid', detail)

/**
 * Runs `work` on a key, PIN block or ciphertext of the caller, and turns its failure into a 400. Messages of
 * card-crypto never quote their input.
 */
export function refuseOnFailure<Result>(kind: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof Failure ? badRequest(kind, error.message) : error
  }
}
