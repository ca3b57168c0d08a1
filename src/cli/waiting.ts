import type {FailureDetails} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import type {Surroundings} from './surroundings.ts'

/**
 * Follows an operation that the service completes later. A signal ends the wait, and `details` says how to look again.
 */
export async function stoppable<Result>(
  {signal}: Surroundings,
  details: Pick<FailureDetails, 'message' | 'hint'>,
  follow: () => Promise<Result>,
): Promise<Result> {
  try {
    return await follow()
  } catch (error) {
    throw signal.aborted ? interrupted(signal.reason, {...details, cause: error}) : error
  }
}
