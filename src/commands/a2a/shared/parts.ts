import {createHash} from 'node:crypto'
import {ITEM_BYTES} from '../../../cli/audit-entries.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import type {Context} from '../../../cli/context.ts'
import {CLOCK_HINT} from '../../../cli/doubtful-clock.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {type Advice, advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {batchesWords, followCommand} from './next-step.ts'
import type {PartsElsewhere} from './parts-elsewhere.ts'
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
function digestOf(journal: Journal, transfers: readonly Transfer[]): string {
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

const digestIn = ({part}: RequestRecord): string | undefined => part?.split('/')[0]

/** Length of the digest of one transfer, in hex digits. */
export const ITEM_DIGITS = 2 * ITEM_BYTES

export const itemDigests = (journal: Journal, transfers: readonly Transfer[]): string[] =>
  transfers.map(one => journal.store.digest(rowLine(one)).slice(0, ITEM_DIGITS))

/** The digests that a request recorded of its transfers. */
export const digestsIn = (items: Uint8Array): string[] =>
  Buffer.from(items)
    .toString('hex')
    .match(new RegExp(`.{${ITEM_DIGITS}}`, 'g')) ?? []

export interface BeforeOptions {
  readonly again?: boolean | undefined
  readonly rest?: boolean | undefined
  /** What another machine has sent of them, if the service was asked. */
  readonly elsewhere?: PartsElsewhere | undefined
  /** Failed transfers of one batch, which are sent again at most once, however long ago that was. */
  readonly isRetry?: boolean | undefined
  /** Formats a time for a message. */
  when(millis: number): string
  readonly commandLine: CommandLine
}

/**
 * The parts to send, given the requests of the last 7 days for the same set.
 *
 * @throws Failure ALREADY_SENT or PARTLY_DONE, which names the earlier batch; EFFECT_UNKNOWN if its outcome must be found out first.
 */
export function partsToSend(
  journal: Journal,
  job: string,
  parts: readonly Part[],
  {again, rest, elsewhere, isRetry = false, when, commandLine}: BeforeOptions,
): readonly PartToSend[] {
  const all = parts.map(part => ({
    ...part,
    digest: digestOf(journal, part.transfers),
    items: Buffer.from(itemDigests(journal, part.transfers).join(''), 'hex'),
  }))
  const known = isRetry ? journal.requests.list({job}) : journal.requests.protecting({job}, AGAIN_AFTER_MS)
  const earlier = known.filter(hadEffect)
  if (rest) return withoutSent(journal, all, earlier, {elsewhere, commandLine})
  const [last] = earlier
  if (again || last === undefined) return all
  const isPart = earlier.length < parts.length && wholeOf(journal, all, earlier) === undefined
  const sent = isPart ? 'PARTLY_DONE' : 'ALREADY_SENT'
  throw new Failure(last.state === 'done' ? sent : 'EFFECT_UNKNOWN', {
    message: `The same transfers were sent at ${when(last.begunAt)}: ${namesOf(earlier)}.`,
    hint:
      last.state === 'done'
        ? advice`${lookAt(earlier, commandLine)}${isPart ? '; send what is left with --rest' : ''}${isRetry ? '' : '; send them a second time with --again'}.${clockHint(journal)}`
        : advice`Find out what became of it: ${commandLine('requests', 'resolve', {value: last.id})}`,
    effect: 'none',
    data: {earlier: earlier.map(({id, replyId, state}) => ({request: id, batch: replyId, state}))},
  })
}

/** All of a split, in the order in which they were sent. */
function namesOf(earlier: readonly RequestRecord[]): string {
  const [first, ...others] = [...earlier].reverse()
  if (first === undefined || others.length === 0) return first === undefined ? '' : nameOf(first)
  const ids = [first, ...others].flatMap(({replyId, state}) => (state === 'done' ? (replyId ?? []) : []))
  const rest = earlier.length - ids.length
  if (rest === 0) return batchesWords(ids)
  return [first, ...others]
    .map(one => `${nameOf(one)}${one.state === 'done' ? '' : ', effect unknown'}`)
    .join('; ')
}

function lookAt(earlier: readonly RequestRecord[], commandLine: CommandLine): Advice {
  const [last, ...others] = earlier
  const ids = [...earlier].reverse().map(({replyId}) => replyId ?? 'BATCH')
  return others.length === 0
    ? advice`Look at it with ${commandLine('a2a', 'get', {value: last?.replyId ?? 'BATCH'})}`
    : advice`Look at them with ${followCommand({commandLine}, ids)}`
}

/** What was sent long ago still stops a repeat if the clock can't be believed. */
export const clockHint = (journal: Journal): string => (journal.store.isBelieved() ? '' : ` ${CLOCK_HINT}`)

/** @throws Failure ALREADY_SENT; USAGE; EFFECT_UNKNOWN if it is uncertain which transfers are left. */
function withoutSent(
  journal: Journal,
  parts: readonly PartToSend[],
  earlier: readonly RequestRecord[],
  {elsewhere, commandLine}: Pick<BeforeOptions, 'elsewhere' | 'commandLine'>,
): readonly PartToSend[] {
  const unknown = earlier.find(({state}) => state !== 'done')
  if (unknown !== undefined) {
    throw new Failure('EFFECT_UNKNOWN', {
      message: `The effect of ${nameOf(unknown)} is unknown, and so is what is left to send.`,
      hint: advice`Find out first: ${commandLine('requests', 'resolve', {value: unknown.id})}`,
      effect: 'none',
      requestId: unknown.id,
    })
  }
  if (earlier.length === 0 && !elsewhere?.batches.size) throw noRest(elsewhere)
  const whole = wholeOf(journal, parts, earlier)
  if (whole !== undefined) allSent(`All of these transfers were sent already: ${nameOf(whole)}.`)
  // Compare content, not numbers: in another order or split, a number stands for another batch.
  const open = [...parts]
  for (const sent of earlier) {
    const at = open.findIndex(({digest}) => digest === digestIn(sent))
    if (at === -1) {
      refuse(
        'These transfers were sent before in another split or order, so cardctl does not know which are left.',
        advice`Use the same file and --batch-size as before; compare with ${cardctl('requests', 'list', '--operation', 'a2a.create.v1')}`,
      )
    }
    open.splice(at, 1)
  }
  const left = open.filter(({number}) => !elsewhere?.batches.has(number))
  if (left.length === 0) allSent('All of these transfers were sent already.')
  return left
}

/** Nothing is known of which there is a rest. */
function noRest(elsewhere: PartsElsewhere | undefined): Failure {
  const none = 'No batch of just these transfers was sent from this machine in the last 7 days'
  const unread = elsewhere?.unread
  if (unread !== undefined)
    return unread.with({
      message: `${none}. What another one has sent is not known, because the batches of the service can't be read: ${unread.message}`,
      hint: 'Nothing was sent. Run the command again later.',
      effect: 'none',
    })
  const ofService =
    ', and no batch of the service is one of these: in this order, with this --batch-size and with a reference'
  return new Failure('USAGE', {
    message: `${none}${elsewhere === undefined ? '' : ofService}. So it is not known what the rest is.`,
    hint: 'Nothing was sent. If a row was changed since a part was sent, or another machine has sent some, pass --only-new in place of --rest: that compares each transfer. If nothing was sent before, leave --rest out.',
    effect: 'none',
  })
}

/** The request that sent all of the transfers. */
function wholeOf(
  journal: Journal,
  parts: readonly Part[],
  earlier: readonly RequestRecord[],
): RequestRecord | undefined {
  const all = digestOf(
    journal,
    parts.flatMap(({transfers}) => transfers),
  )
  return earlier.find(one => digestIn(one) === all || isOfWhole(one.reference))
}

/** Whether the reference is for a whole set; that of one of several batches ends in `/2of3`. */
const isOfWhole = (reference: string | undefined): boolean =>
  reference !== undefined && !/\/\d+of\d+$/.test(reference)

function allSent(message: string): never {
  throw new Failure('ALREADY_SENT', {message, effect: 'none'})
}

function refuse(message: string, hint?: Hint): never {
  throw new Failure('USAGE', {message, hint, effect: 'none'})
}

/**
 * Ids of all requests in the journal for this set of transfers, to notice later if another process has started to send
 * it.
 */
export function requestsOf(journal: Journal, job: string): Set<string> {
  return new Set(journal.requests.list({job}).map(({id}) => id))
}

/** @throws Failure USAGE if the journal has a request for the set that isn't among the known ones. */
export function refuseOthers(
  journal: Journal,
  job: string,
  known: ReadonlySet<string>,
  commandLine: CommandLine,
): void {
  const other = journal.requests.list({job}).find(({id}) => !known.has(id))
  if (other === undefined) return
  throw new Failure('USAGE', {
    message: `The same transfers were just sent by another command: ${nameOf(other)}.`,
    hint: advice`This command sent nothing more. See: ${commandLine('requests', 'show', {value: other.id})}`,
    effect: 'none',
  })
}

export const nameOf = ({replyId, id}: Pick<RequestRecord, 'replyId' | 'id'>): string =>
  replyId === undefined ? `request ${id}` : `batch ${replyId} (request ${id})`
