import {honoursKey} from '../../contract/idempotency-key.ts'
import type {AnyInput, Operation} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import {touchedInReply} from '../../contract/resource.ts'
import {Failure} from '../../errors/failure.ts'
import type {Answer} from '../../http/send-types.ts'
import type {Journal, RequestRecord} from '../../journal/index.ts'
import type {CommandLine} from '../command-line.ts'
import type {Context} from '../context.ts'
import type {Client, RequestOptions} from '../request.ts'
import {replyIdOf, startOf} from './journalled.ts'
import {judgeRepeat} from './judge-repeat.ts'

/** A request that may be sent once more. */
interface Repeatable {
  /** Why, in words. */
  readonly why: string
  readonly operation: Operation
  readonly input: AnyInput
}

/**
 * Sees whether a request of the journal may be sent once more.
 *
 * @throws Failure USAGE, EFFECT_UNKNOWN or KEY_REUSED that says why not.
 */
export async function repeatable(
  context: Context,
  client: Client,
  record: RequestRecord,
): Promise<Repeatable> {
  const {KEY_LIFE_MS} = await import('../../journal/index.ts')
  const {target} = client
  const operation = (operations as Readonly<Record<string, Operation>>)[record.operation]
  using journal = await context.journal()
  const input = journal.keptInput(record.id)
  const honoured = operation !== undefined && honoursKey(operation, target)
  if (!honoured) refuseSentAnew(journal, record, context.commandLine)
  let knownSince: number | undefined = record.begunAt
  if (operation !== undefined && input !== undefined) {
    const {url} = await client.preview({operation, input}, {idempotencyKey: record.key})
    if (record.key !== undefined) {
      const known = journal.judgeKey(startOf({target, operation, input, url}, record.key))
      knownSince = known.state === 'new' ? undefined : known.since
    }
  }
  const why = judgeRepeat(record, {
    operation,
    honoured,
    knownSince,
    kept: input !== undefined,
    now: context.surroundings.now(),
    keyLifeMs: KEY_LIFE_MS,
    commandLine: context.commandLine,
  })
  // judgeRepeat refuses what has no operation or content.
  if (operation === undefined || input === undefined) throw new Error('nothing to repeat')
  return {why, operation, input}
}

export interface Repeated {
  readonly answer: Answer
  readonly requestId: string | undefined
}

/** Sends it: the same key and bytes. What an answer says of the first sending is written down there too. */
export async function repeat(
  context: Context,
  client: Client,
  record: RequestRecord,
  {operation, input}: Repeatable,
  {confirm, confirmed}: Pick<RequestOptions, 'confirm' | 'confirmed'> = {},
): Promise<Repeated> {
  const honoured = honoursKey(operation, client.target)
  const {answer, requestId} = await client.request(
    {operation, input},
    {
      idempotencyKey: record.key,
      confirm,
      confirmed,
      trace: {
        retryOf: record.id,
        reference: record.reference,
        part: record.part,
        job: record.job,
        guard: honoured ? undefined : journal => refuseSentAnew(journal, record, context.commandLine),
      },
    },
  )
  if (honoured) {
    using journal = await context.journal()
    const replyId = replyIdOf(answer.body, operation.sensitive.reply)
    const resources = touchedInReply(operation, answer.body)
    journal.resolve(record.id, {effect: 'done', evidence: evidenceOf(answer, requestId), replyId, resources})
  }
  return {answer, requestId}
}

/**
 * What had no effect may have been sent anew since, by its key or as the same set of transfers; once more would be twice.
 *
 * @throws Failure USAGE that names the other request.
 */
function refuseSentAnew(journal: Journal, record: RequestRecord, commandLine: CommandLine): void {
  const {id, key, job, operation} = record
  const sameKey = key === undefined ? [] : journal.findKey(key)
  const sameJob = job === undefined ? [] : journal.list({operation, job})
  const other = [...sameKey, ...sameJob.filter(one => !isOtherPart(one, record))].find(
    one => one.id !== id && one.effect !== 'none',
  )
  if (other === undefined) return
  throw new Failure('USAGE', {
    message: `What request ${id} asked for was sent again as ${other.id} (${other.state}).`,
    hint: `See: ${commandLine('requests', 'show', other.id)}`,
    effect: 'none',
  })
}

/** Another batch of one split has a reference of its own: `ref:…/2of3`. */
function isOtherPart(one: RequestRecord, record: RequestRecord): boolean {
  const [first, second] = [one, record].map(({reference}) => /\/(\d+)of(\d+)$/.exec(reference ?? ''))
  return first?.[2] !== undefined && first[2] === second?.[2] && first[1] !== second?.[1]
}

/** What a success under an honoured key says. */
export function evidenceOf({status, replayed}: Answer, repeatId: string | undefined): string {
  return replayed
    ? `The service still had its answer (${status}) under its key, and gave it again to ${repeatId}.`
    : `Sent again with the same key as ${repeatId} and answered ${status}: the effect is there, once.`
}
