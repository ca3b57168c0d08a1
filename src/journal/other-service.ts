import {Failure} from '../errors/failure.ts'

/** What belongs to one service is not gone on with at another; both are named, in words. */
export function otherService(what: string, theirs: string, ours: string): Failure {
  return new Failure('OTHER_SERVICE', {
    message: `${what} belongs to ${theirs}, and this profile leads to ${ours}.`,
    effect: 'none',
    data: {service: theirs, profileService: ours},
  })
}
