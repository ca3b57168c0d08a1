import {Failure, type FailureDetails} from '../errors/failure.ts'

/**
 * Files of a folder that was moved away while they were open. Making the folder again would be in the way of its return.
 *
 * @param what is no longer in its place.
 */
export const movedFolder = (what: string, details: Partial<FailureDetails> = {}): Failure =>
  new Failure('STORE_UNAVAILABLE', {
    message: `${what} was moved or removed while this command ran, so nothing more is sent.`,
    hint: 'Put the folder back where it was: what was sent is recorded only there.',
    ...details,
  })
