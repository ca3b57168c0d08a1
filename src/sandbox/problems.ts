import {Failure} from '../errors/failure.ts'

/** A refusal of the service; it ends the request, and its transaction leaves no trace. */
export class Problem extends Error {
  readonly status: number
  /** Short and stable, becomes the `type`: `card-not-found`. */
  readonly kind: string
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  /** Members in place of the usual ones. */
  readonly members: Readonly<Record<string, unknown>> | null

  /** @param detail for a person; never quotes what may be secret. */
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
  new Problem(400, kind, 'The request cannot be understood', detail)
export const notFound = (what: string, detail = `There is no such ${what}.`) =>
  new Problem(404, `${what.replaceAll(' ', '-')}-not-found`, `${what} not found`, detail)
export const conflict = (kind: string, detail: string) =>
  new Problem(409, kind, 'The state does not allow this', detail)
export const gone = (kind: string, detail: string) => new Problem(410, kind, 'No longer valid', detail)

/**
 * Runs what reads a caller's key, block or ciphertext; its failure is the caller's, so a 400.
 * The messages of card-crypto quote nothing.
 */
export function refusing<Result>(kind: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof Failure ? badRequest(kind, error.message) : error
  }
}
