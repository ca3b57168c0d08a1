import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {reasonOf} from '../errors/system-reason.ts'

/** Failure CONFIG_UNREADABLE, or DISK_FULL, for a file or folder of the tool that cannot be `read`, `written` or `made`. */
export function fileFailure(path: string, verb: 'read' | 'written' | 'made', error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isDiskFull(error)) return diskFull(path, {cause: error, effect: 'none'})
  return new Failure('CONFIG_UNREADABLE', {
    message: `${path} cannot be ${verb}: ${reasonOf(error)}.`,
    effect: 'none',
    cause: error,
  })
}
