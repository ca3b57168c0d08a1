import {createHash} from 'node:crypto'
import {ITEM_BYTES} from '../../../cli/audit-entries.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import type {Transfer} from './read-transfers.ts'
import {LONGEST_DESCRIPTION, referenceOf, referred, rowsMark} from './reference.ts'
import {fixMarks, type Replaced} from './replaced-rows.ts'
import {rowLine} from './same-rows.ts'

/** The failed transfers of a batch that may be sent again. */
export interface FailedTransfers {
  readonly batch: string
  readonly transfers: readonly Transfer[]
  /** All batches of the service. */
  readonly listed: readonly unknown[]
  /** The request that made the batch, if this journal has it. */
  readonly request: RequestRecord | undefined
}

/** One batch of a set of transfers that may need several. */
export interface Part {
  /** From 1. */
  readonly number: number
  readonly of: number
  readonly transfers: readonly Transfer[]
  readonly key: string
  /** `ref:…`, followed by `/2of3` if there are several batches; undefined with `--no-reference`. */
  readonly reference: string | undefined
  readonly body: unknown
}

export interface PartToSend extends Part {
  /** Shows `--rest` later which transfers were sent. */
  readonly digest: string
  /** Digests of its transfers, to recognise each of them later in another set. */
  readonly items: Uint8Array
}

export interface PartOptions {
  /** Maximum number of transfers in one batch. */
  readonly size: number
  /** Source of the keys and references of all parts, so that the same key gives the same bytes. */
  readonly key: string
  readonly reference: boolean
  /** The failed transfers that they replace. */
  readonly replaced?: Replaced | undefined
}

/** Splits a body with its transfers into batches, keeping their order. */
export function partsOf(
  body: {readonly transfers: readonly Transfer[]},
  {size, key, reference, replaced}: PartOptions,
): Part[] {
  const {transfers} = body
  const of = Math.max(1, Math.ceil(transfers.length / size))
  return Array.from({length: of}, (_, at) => {
    const some = transfers.slice(at * size, (at + 1) * size)
    const mark = of === 1 ? referenceOf(key) : `${referenceOf(key)}/${at + 1}of${of}`
    const marks = `${mark} ${rowsMark(some)}`
    const part = {
      ...withFixes(body, some, {replaced, room: reference ? marks.length + 1 : 0}),
      transfers: some,
    }
    return {
      number: at + 1,
      of,
      transfers: some,
      key:
        of === 1
          ? key
          : createHash('sha256')
              .update(`${key}#${at + 1}`)
              .digest('hex')
              .slice(0, 40),
      reference: reference ? mark : undefined,
      body: reference ? referred(part, marks) : part,
    }
  })
}

/** The body with what its batch replaces at the end of its description, as far as there is room. */
function withFixes<Body extends object>(
  body: Body,
  transfers: readonly Transfer[],
  {replaced, room}: {readonly replaced: Replaced | undefined; readonly room: number},
): Body {
  const {description = ''} = body as {readonly description?: unknown}
  if (replaced === undefined || typeof description !== 'string') return body
  const marks = fixMarks(transfers, replaced, LONGEST_DESCRIPTION - [...description].length - 1 - room)
  return marks === '' ? body : {...body, description: `${description} ${marks}`.trimStart()}
}

/** The job's name in the journal, whichever command sends it. It is the same for the same set of transfers in any order. */
export function jobOf(journal: Journal, transfers: readonly Transfer[]): string {
  return `j_${journal.store.digest(transfers.map(rowLine).sort()).slice(0, 24)}`
}

/** The job of a batch whose failed transfers are sent again. It is the same however they are read. */
export const retryJobOf = (journal: Journal, batch: string): string =>
  `j_${journal.store.digest(['retry', batch]).slice(0, 24)}`

/** In the description of a batch that sends failed transfers again. */
export const retryMark = (batch: string): string => `retry:${batch}`

/**
 * The failed transfers of a batch may also have been sent again from a file.
 *
 * @throws Failure USAGE or EFFECT_UNKNOWN, which names the request.
 */
export function refuseSentSince(
  journal: Journal,
  {batch, transfers, request}: FailedTransfers,
  {commandLine, when}: Pick<Context, 'commandLine' | 'when'>,
): void {
  const plain = transfers.map(({text: _, ...transfer}) => transfer)
  const jobs = new Set([jobOf(journal, transfers), jobOf(journal, plain)])
  const sent = [...jobs]
    .flatMap(job => journal.requests.list({job}))
    .find(one => hadEffect(one) && one.id !== request?.id && (one.state !== 'done' || isSince(one, request)))
  if (sent === undefined) return
  throw new Failure(sent.state === 'done' ? 'USAGE' : 'EFFECT_UNKNOWN', {
    message: `The failed transfers of batch ${batch} were sent again at ${when(sent.begunAt)}: ${nameOf(sent)}.`,
    hint: advice`See: ${commandLine('requests', sent.state === 'done' ? 'show' : 'resolve', {value: sent.id})}`,
    effect: 'none',
  })
}

export const hadEffect = ({effect, state}: RequestRecord): boolean =>
  effect !== 'none' && state !== 'none' && state !== 'refused'

/** What was sent before the batch is no retry of it. Without its request, everything may be one. */
const isSince = (one: RequestRecord, request: RequestRecord | undefined): boolean =>
  request === undefined || one.begunAt > request.begunAt

/**
 * Identifies the content of a batch, in its order. Its number isn't enough: with another file or batch size, the same
 * number holds other transfers.
 */
export function digestOf(journal: Journal, transfers: readonly Transfer[]): string {
  return journal.store.digest(transfers.map(rowLine)).slice(0, 24)
}

/**
 * What a request records of its part: the digest, the job of the whole set of which it sends what was new, and its
 * place in a split, which a reference may not say.
 */
export const recordedPart = ({digest, number, of}: PartToSend, whole?: string): string =>
  [
    digest,
    ...(whole === undefined ? [] : [`${WHOLE}${whole}`]),
    ...(of === 1 ? [] : [`${number}of${of}`]),
  ].join('/')

const WHOLE = 'of:'

/** The job of the whole set of which a request has sent what was new. */
export const wholeIn = ({part}: Pick<RequestRecord, 'part'>): string | undefined =>
  part
    ?.split('/')
    .find(step => step.startsWith(WHOLE))
    ?.slice(WHOLE.length)

export const digestIn = ({part}: RequestRecord): string | undefined => part?.split('/')[0]

/** Length of the digest of one transfer, in hex digits. */
export const ITEM_DIGITS = 2 * ITEM_BYTES

export const itemDigests = (journal: Journal, transfers: readonly Transfer[]): string[] =>
  transfers.map(one => journal.store.digest(rowLine(one)).slice(0, ITEM_DIGITS))

/** The digests that a request recorded of its transfers. */
export const digestsIn = (items: Uint8Array): string[] =>
  Buffer.from(items)
    .toString('hex')
    .match(new RegExp(`.{${ITEM_DIGITS}}`, 'g')) ?? []

/**
 * Ids of all requests in the journal for this set of transfers, to notice later if another process has started to send
 * it.
 */
export function requestsOf(journal: Journal, job: string): Set<string> {
  return new Set(journal.requests.list({job}).map(({id}) => id))
}

/** Another process is at it. */
export const sentNow = (running: RequestRecord, commandLine: CommandLine): Failure =>
  new Failure('JOB_RUNNING', {
    message: `Another command is sending the same transfers: ${nameOf(running)}. This command sent nothing.`,
    hint: advice`The other one goes on, and says how it ends. To look at that request: ${commandLine('requests', 'show', {value: running.id})}`,
    effect: 'none',
  })

/** @throws Failure if the journal has a request for the set that isn't among the known ones: JOB_RUNNING, ALREADY_SENT, EFFECT_UNKNOWN. */
export function refuseOthers(
  journal: Journal,
  job: string,
  known: ReadonlySet<string>,
  commandLine: CommandLine,
): void {
  const other = journal.requests.list({job}).find(({id}) => !known.has(id))
  if (other === undefined) return
  if (other.state === 'running') throw sentNow(other, commandLine)
  throw new Failure(other.state === 'done' ? 'ALREADY_SENT' : 'EFFECT_UNKNOWN', {
    message: `The same transfers were just sent by another command: ${nameOf(other)}${other.state === 'done' ? '' : ', effect unknown'}.`,
    hint: advice`This command sent nothing more. See: ${commandLine('requests', other.state === 'done' ? 'show' : 'resolve', {value: other.id})}`,
    effect: 'none',
  })
}

export const nameOf = ({replyId, id}: Pick<RequestRecord, 'replyId' | 'id'>): string =>
  replyId === undefined ? `request ${id}` : `batch ${replyId} (request ${id})`
