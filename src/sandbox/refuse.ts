import {Failure} from '../errors/failure.ts'
import {badRequest} from './problems.ts'

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
