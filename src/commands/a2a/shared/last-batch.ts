import {idArg, LAST, severalIdArgs} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {hadEffect} from './parts.ts'

/** Of batches that are read. What a write is made of has to be named. */
const NEWEST = {last: 'the newest that was sent from here'}

export const batchArg = idArg('the batch', NEWEST)

export const batchArgs = severalIdArgs('the batch', {...NEWEST, more: '; several are followed together'})

/**
 * `last` is the newest batch that this machine sent to the service. The id is said: another person or machine may have
 * sent a newer one.
 *
 * @throws Failure NOT_FOUND, or EFFECT_UNKNOWN if nobody knows whether there is a newer one
 */
export async function batchIn(context: Context, given: string): Promise<string> {
  if (given !== LAST) return given
  using journal = await context.stores.journal()
  for (const request of journal.requests.iterate({operation: 'a2a.create.v1'})) {
    if (!hadEffect(request)) continue
    if (request.effect !== 'done' || request.replyId === undefined)
      throw new Failure('EFFECT_UNKNOWN', {
        message: `Whether the newest batch from here, request ${request.id}, reached the service is not known, so last has no id.`,
        hint: advice`Find out: ${cardctl('requests', 'resolve', {value: request.id})}`,
        effect: 'none',
      })
    context.printer.note(
      `The last batch sent from here, ${context.when(request.begunAt)}: ${request.replyId}`,
    )
    return request.replyId
  }
  throw new Failure('NOT_FOUND', {
    message: `No batch was sent to ${journal.service.words} from this machine.`,
    hint: advice`For the batches of the service: ${cardctl('a2a', 'list')}`,
    effect: 'none',
  })
}
