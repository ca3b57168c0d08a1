import {idArg, LAST, severalIdArgs} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {RequestRecord} from '../../../journal/index.ts'
import {batchesWords} from './next-step.ts'
import {hadEffect} from './parts.ts'

/** Of batches that are read. What a write is made of has to be named. */
const NEWEST = {last: 'the newest that was sent from here'}

export const batchArg = idArg('the batch', NEWEST)

export const batchArgs = severalIdArgs('the batch', {
  last: 'the newest that was sent from here, with the others of its set',
  more: '; several are followed together',
})

/**
 * `last` is the newest batch that this machine sent to the service. The id is said: another person or machine may have
 * sent a newer one, and it may be one of several that one command sent.
 *
 * @throws Failure NOT_FOUND, or EFFECT_UNKNOWN if nobody knows whether there is a newer one
 */
export async function batchIn(context: Context, given: string): Promise<string> {
  if (given !== LAST) return given
  const {at, ids} = await lastSet(context)
  const [newest = '', ...others] = ids
  const beside =
    others.length === 0
      ? ''
      : `. The same command sent ${batchesWords(others.toReversed()).replace('B', 'b')} too`
  context.printer.note(`The last batch sent from here, ${at}: ${newest}${beside}`)
  return newest
}

/** The same for what follows batches to their ends: one of several batches of a command is not the end of it. */
export async function batchesIn(context: Context, given: string): Promise<readonly string[]> {
  if (given !== LAST) return [given]
  const {at, ids} = await lastSet(context)
  const named = ids.length === 1 ? `The last batch` : `The last ${ids.length} batches`
  context.printer.note(`${named} sent from here, ${at}: ${ids.toReversed().join(', ')}`)
  return ids.toReversed()
}

/** The batches that the newest request has sent, with those of the same command, newest first. */
async function lastSet(context: Context): Promise<{readonly at: string; readonly ids: readonly string[]}> {
  using journal = await context.stores.journal()
  for (const request of journal.requests.iterate({operation: 'a2a.create.v1'})) {
    if (!hadEffect(request)) continue
    const {job} = request
    const others = job === undefined ? [request] : journal.requests.list({job}).filter(hadEffect)
    return {
      at: context.when(request.begunAt),
      ids: [...new Set([idOf(request), ...others.map(idOf)])],
    }
  }
  throw new Failure('NOT_FOUND', {
    message: `No batch was sent to ${journal.service.words} from this machine.`,
    hint: advice`For the batches of the service: ${cardctl('a2a', 'list')}`,
    effect: 'none',
  })
}

function idOf({id, effect, replyId}: RequestRecord): string {
  if (effect === 'done' && replyId !== undefined) return replyId
  throw new Failure('EFFECT_UNKNOWN', {
    message: `Whether the newest batch from here, request ${id}, reached the service is not known, so last has no id.`,
    hint: advice`Find out: ${cardctl('requests', 'resolve', {value: id})}`,
    effect: 'none',
  })
}
