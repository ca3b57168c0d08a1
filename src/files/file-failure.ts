import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'

/** Failure CONFIG_UNREADABLE, or DISK_FULL, for a file or folder of the tool that cannot be `read`, `written` or `made`. */
export function fileFailure(path: string, verb: 'read' | 'written' | 'made', error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isDiskFull(error)) return diskFull(path, {cause: error, effect: 'none'})
  // What Node makes of a read-only file system when it makes folders with their parents.
  const unmade = verb === 'made' && errnoOf(error) === 'ENOENT'
  const reason = unmade ? 'the file system is read-only, or its parent is gone' : reasonOf(error)
  return new Failure('CONFIG_UNREADABLE', {
    message: `${path} cannot be ${verb}: ${reason}.`,
    effect: 'none',
    cause: error,
  })
}
