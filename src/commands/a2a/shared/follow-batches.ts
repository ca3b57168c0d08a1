import type {Client} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import type {ResponseTo} from '../../../contract/types.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {amount, counted} from '../../../money/amount.ts'
import {sumByCurrency} from '../../../money/sum-by-currency.ts'
import {listAt, numberAt} from '../../../output/fields.ts'
import {FOLLOW_WITHIN, followBatch} from './batches.ts'
import {batchesWords, followCommand} from './next-step.ts'
import {itemTransfer} from './sent-texts.ts'

/** A batch as it was created, as it was last seen, or as it ended. */
export type BatchResponse = ResponseTo<'a2a.create.v1' | 'a2a.status.v1' | 'a2a.get.v1'>

interface FollowOptions {
  readonly within?: number | undefined
  /** The time is for all of them together, not for each in its turn. */
  readonly isForAll?: boolean
  readonly failedTo?: string | undefined
}

/**
 * Follows batches to their ends, one after the other. Whatever breaks the wait off names all that have not ended, and
 * those with failures: who follows only one of them must not take its end for the end of all.
 *
 * @param states gets each batch as it was last seen, at the place of its id.
 * @returns what to report if transfers failed.
 * @throws Failure ITEMS_IN_PROGRESS if the time is over first; then the others were looked at, too.
 */
export async function followBatches(
  context: Context,
  client: Client,
  ids: readonly string[],
  states: BatchResponse[],
  {within = FOLLOW_WITHIN, isForAll = false, failedTo}: FollowOptions = {},
): Promise<Failure | undefined> {
  const {now} = context.surroundings
  const deadline = now() + within
  const failures = new Map<string, Failure>()
  const late = new Map<string, Failure>()
  for (const [at, id] of ids.entries()) {
    const left = isForAll ? Math.max(0, deadline - now()) : within
    try {
      const {batch, failure} = await followBatch(context, client, id, {
        within: late.size > 0 ? 0 : left,
        failedTo,
        left: ids.slice(at),
        named: ids.filter((one, place) => place >= at || late.has(one) || failures.has(one)),
        seen: state => {
          states[at] = state
        },
      })
      states[at] = batch
      if (failure !== undefined) failures.set(id, failure)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code !== 'ITEMS_IN_PROGRESS') throw withFailed(error, [...failures.values()])
      late.set(id, error)
    }
  }
  const failed = [...failures.values()]
  if (late.size > 0) throw withFailed(inProgress(context, ids, late, failures), failed)
  if (ids.length > 1) noteSums(context, states, failed)
  return failed.length === 0 ? undefined : summaryOf(failed)
}

function inProgress(
  context: Context,
  ids: readonly string[],
  late: ReadonlyMap<string, Failure>,
  failures: ReadonlyMap<string, Failure>,
): Failure {
  const [first] = late.values()
  if (ids.length === 1 && first !== undefined) return first
  const next = followCommand(
    context,
    ids.filter(id => late.has(id) || failures.has(id)),
  )
  return new Failure('ITEMS_IN_PROGRESS', {
    message: `${batchesWords([...late.keys()]).replace(/^b/, 'B')} of ${ids.length} ${late.size === 1 ? 'has' : 'have'} not ended; the time to wait is over.`,
    hint: advice`Follow with: ${next}`,
  })
}

/** What failed before is said, too: its exit code is not that of the whole. */
const withFailed = (error: Failure, failures: readonly Failure[]): Failure =>
  failures.length === 0
    ? error
    : error.with({
        message: `${error.message} ${messagesOf(failures)}`,
        data: {...error.details.data, batches: failures.map(({details}) => details.data ?? {})},
      })

const messagesOf = (failures: readonly Failure[]): string => failures.map(({message}) => message).join(' ')

/** "3 batches: 6 of 9 transfers booked. Failed: 3 transfers, EUR 172.50", where the service counts. */
function noteSums(context: Context, states: readonly BatchResponse[], failures: readonly Failure[]): void {
  const sum = (name: string) =>
    states.reduce((all: number, state) => all + (numberAt(state, name) ?? Number.NaN), 0)
  const [booked, total] = [sum('successfulTransferItems'), sum('transferItemCount')]
  if (Number.isNaN(booked) || Number.isNaN(total)) return
  const failed = failures
    .flatMap(({details}) => listAt(details.data, 'failed'))
    .map(item => itemTransfer(item))
  const sums = sumByCurrency(failed).map(({text, currency}) => amount(text, currency))
  const rest =
    failed.length === 0 ? '' : `. Failed: ${[counted(failed.length, 'transfer'), ...sums].join(', ')}`
  context.printer.note(`${states.length} batches: ${booked} of ${total} transfers booked${rest}`)
}

/** One failure for all batches in which transfers failed. */
function summaryOf(failures: readonly Failure[]): Failure {
  const [first] = failures
  if (first !== undefined && failures.length === 1) return first
  return new Failure('PARTLY_DONE', {
    message: messagesOf(failures),
    hint: advice`Write the failed transfers of each batch to a file, correct them and send that file: ${cardctl('a2a', 'get', {value: 'BATCH'}, '--failed-to', {value: 'FILE'})}`,
    effect: 'done',
    saysEffect: true,
    data: {batches: failures.map(({details}) => details.data ?? {})},
  })
}
