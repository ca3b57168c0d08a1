import {whenOf} from '../errors/blame.ts'
import {Failure, type FailureDetails} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import type {Surroundings} from './surroundings.ts'

interface Followed extends Pick<FailureDetails, 'message' | 'hint'> {
  /** The command that follows it again. */
  readonly next: SuggestedCommand
}

/**
 * Follows an operation that the service completes later. A signal ends the wait, and `details` says how to look again. So
 * does a failure that may pass: what is followed goes on without us.
 */
export async function stoppable<Result>(
  {signal}: Surroundings,
  {next, ...details}: Followed,
  follow: () => Promise<Result>,
): Promise<Result> {
  try {
    return await follow()
  } catch (error) {
    if (signal.aborted) throw interrupted(signal.reason, {...details, cause: error})
    if (!(error instanceof Failure) || error.details.data?.next !== undefined) throw error
    const nextWhen = whenOf(error.code, error.details.blame)
    throw nextWhen === undefined ? error : error.with({data: {...error.details.data, next, nextWhen}})
  }
}
