import {Failure, type FailureDetails} from './failure.ts'
import {errnoOf} from './system-reason.ts'

/** Whether the system refused to write because the disk, or this user's part of it, takes no more. */
export const isDiskFull = (error: unknown): boolean => errnoOf(error) === 'ENOSPC' || isOverQuota(error)

const isOverQuota = (error: unknown): boolean => errnoOf(error) === 'EDQUOT'

/** The failure of a file that needed more space than there is. */
export const diskFull = (
  file: string,
  {cause, ...details}: Pick<FailureDetails, 'cause' | 'effect'>,
): Failure =>
  new Failure('DISK_FULL', {
    message: isOverQuota(cause) ? `The disk quota for ${file} is used up.` : `The disk of ${file} is full.`,
    cause,
    ...details,
  })
