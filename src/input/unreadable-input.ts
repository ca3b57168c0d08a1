import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'

/** What became of reading a file or stream that somebody named: what is no error of the system passes unchanged. */
export function unreadableInput(name: string, error: unknown): unknown {
  if (error instanceof Failure || errnoOf(error) === undefined) return error
  return new Failure('INPUT_INVALID', {
    message: name === '' ? 'The file to read has no name.' : `${name} cannot be read: ${reasonOf(error)}.`,
    effect: 'none',
    cause: error,
  })
}
