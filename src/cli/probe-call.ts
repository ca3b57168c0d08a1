import {operations} from '../contract/operations.gen.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Target} from '../profiles/target.ts'
import type {CommandCall} from './client/options.ts'

/** Ids that no service gives to a card, in the forms that ids have. */
const NOBODY = ['0', '000000000', '00000000-0000-0000-0000-000000000000']

/** A read that changes nothing and needs no data of the service, to find out whether it accepts the credential. */
export interface ProbeCall {
  readonly call: CommandCall<'a2a.list.v1' | 'cards.get.v4'>
  /** Whether an error proves as much as a success: the service itself says that this user may not, or that no such card exists. */
  proves(error: unknown): boolean
}

/** @throws Failure NOT_OFFERED if the dialect of the profile maps no such read */
export function probeCall({dialect}: Pick<Target, 'dialect'>): ProbeCall {
  const isForbidden = (error: unknown) => error instanceof Failure && error.code === 'FORBIDDEN'
  if (dialect?.refusal(operations['a2a.list.v1']) === undefined)
    return {call: {operation: 'a2a.list.v1', query: {size: 1}}, proves: isForbidden}
  const id = NOBODY.find(one => dialect.isId('card', one) !== false)
  if (id === undefined || dialect.refusal(operations['cards.get.v4']) !== undefined)
    throw new Failure('NOT_OFFERED', {
      message: `The dialect ${dialect.name} has no read that can be sent without an id of the service.`,
      hint: advice`Read a card whose id you know: ${cardctl('cards', 'get', {value: 'ID'})}`,
      effect: 'none',
    })
  // Any web server has a 404; one in the error form of the dialect is the service's own.
  const isMissing = (error: unknown) =>
    error instanceof Failure && error.code === 'NOT_FOUND' && dialect.isOwnError(error.details.problem)
  return {
    call: {operation: 'cards.get.v4', path: {id}},
    proves: error => isForbidden(error) || isMissing(error),
  }
}
