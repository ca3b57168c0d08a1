import {idArg, LAST, severalIdArgs} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {RequestRecord} from '../../../journal/index.ts'
import {batchesWords, followCommand} from './next-step.ts'
import {hadEffect} from './parts.ts'

/** Of batches that are read. What a write is made of has to be named. */
const NEWEST = {last: 'the newest that was sent from here'}

export const batchArg = idArg('the batch', NEWEST)

export const batchArgs = severalIdArgs('the batch', {
  last: 'the newest that was sent from here, with the others of the same command',
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
  const {newest, others, at} = await lastSet(context)
  if (newest.replyId === undefined) throw withoutId(context, newest, others)
  const beside =
    others.length === 0 ? '' : `. The same command sent ${batchesWords(others.map(nameOf).toReversed())} too`
  context.printer.note(`The last batch sent from here, ${at}: ${newest.replyId}${beside}`)
  return newest.replyId
}

/** The same for what follows batches to their ends: one of several batches of a command is not the end of it. */
export async function batchesIn(context: Context, given: string): Promise<readonly string[]> {
  if (given !== LAST) return [given]
  const {newest, others, at} = await lastSet(context)
  const set = [newest, ...others]
  const lacking = set.find(({replyId}) => replyId === undefined)
  if (lacking !== undefined)
    throw withoutId(
      context,
      lacking,
      set.filter(one => one !== lacking),
    )
  const ids = [...new Set(set.map(nameOf))].toReversed()
  const named = ids.length === 1 ? `The last batch` : `The last ${ids.length} batches`
  context.printer.note(`${named} sent from here, ${at}: ${ids.join(', ')}`)
  return ids
}

interface LastSet {
  readonly at: string
  readonly newest: RequestRecord
  /** Of the same command, newest first. */
  readonly others: readonly RequestRecord[]
}

/** The newest request that has sent a batch, or may have, with those of the same command. */
async function lastSet(context: Context): Promise<LastSet> {
  using journal = await context.stores.journal()
  for (const newest of journal.requests.iterate({operation: 'a2a.create.v1'})) {
    if (!hadEffect(newest)) continue
    const {job, id, begunAt} = newest
    const ofJob = job === undefined ? [] : journal.requests.list({job}).filter(hadEffect)
    return {at: context.when(begunAt), newest, others: ofJob.filter(one => one.id !== id)}
  }
  throw new Failure('NOT_FOUND', {
    message: `No batch was sent to ${journal.service.words} from this machine.`,
    hint: advice`For the batches of the service: ${cardctl('a2a', 'list')}`,
    effect: 'none',
  })
}

const nameOf = ({id, replyId}: RequestRecord): string => replyId ?? `of request ${id}`

/** Of a request that may have had an effect, or that had one whose id nobody recorded. */
function withoutId(context: Context, {id, effect}: RequestRecord, others: readonly RequestRecord[]): Failure {
  const which =
    others.length === 0
      ? `the newest batch from here, request ${id},`
      : `the batch of request ${id}, one of the last ${others.length + 1} from here,`
  const known = others.flatMap(({replyId}) => replyId ?? []).toReversed()
  const rest = known.length === 0 ? '' : ` The same command sent ${batchesWords(known)}.`
  const isOpen = effect !== 'done'
  const find = isOpen ? cardctl('requests', 'resolve', {value: id}) : cardctl('a2a', 'list')
  return new Failure(isOpen ? 'EFFECT_UNKNOWN' : 'NOT_FOUND', {
    message: isOpen
      ? `Whether ${which} reached the service is not known, so last has no id for it.${rest}`
      : `The journal has no id for ${which} only that it reached the service.${rest}`,
    hint:
      known.length === 0
        ? advice`Find out: ${find}`
        : advice`Find out: ${find}; follow the others: ${followCommand(context, known)}`,
    effect: 'none',
  })
}
