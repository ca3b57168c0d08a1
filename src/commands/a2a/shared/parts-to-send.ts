import type {CommandLine} from '../../../cli/command-line.ts'
import {CLOCK_HINT} from '../../../cli/doubtful-clock.ts'
import {AGAIN_AFTER_MS} from '../../../cli/retention.ts'
import {type Advice, advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl, type SuggestedCommand} from '../../../errors/suggested-command.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {batchesWords, followCommand} from './next-step.ts'
import {
  digestIn,
  digestOf,
  hadEffect,
  itemDigests,
  nameOf,
  type Part,
  type PartToSend,
  sentNow,
} from './parts.ts'
import type {PartsElsewhere} from './parts-elsewhere.ts'
import type {Transfer} from './read-transfers.ts'
import {fateWords, type PartFate, sumsOfTransfers} from './split-words.ts'

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
  readonly lineFor?: LineFor | undefined
}

/** The line of the same command that sends what is left, if that is known, and agrees to it. */
export type LineFor = (
  way: '--rest' | '--only-new',
  left: readonly Transfer[] | undefined,
) => SuggestedCommand

/**
 * The parts to send, given the requests of the last 7 days for the same set.
 *
 * @throws Failure ALREADY_SENT or PARTLY_DONE, which names the earlier batch; EFFECT_UNKNOWN if its outcome must be found out first.
 */
export function partsToSend(
  journal: Journal,
  job: string,
  parts: readonly Part[],
  {again, rest, elsewhere, isRetry = false, when, commandLine, lineFor}: BeforeOptions,
): readonly PartToSend[] {
  const all = parts.map(part => ({
    ...part,
    digest: digestOf(journal, part.transfers),
    items: Buffer.from(itemDigests(journal, part.transfers).join(''), 'hex'),
  }))
  const known = isRetry ? journal.requests.list({job}) : journal.requests.protecting({job}, AGAIN_AFTER_MS)
  const earlier = known.filter(hadEffect)
  const running = earlier.find(({state}) => state === 'running')
  if (running !== undefined && !again) throw sentNow(running, commandLine)
  const unknown = again && !rest ? undefined : earlier.find(({state}) => state !== 'done')
  if (unknown !== undefined) throw openSet(all, known, unknown, {when, commandLine, lineFor})
  if (rest) return withoutSent(journal, all, known, {elsewhere})
  const [last] = earlier
  if (again || last === undefined) return all
  if (earlier.length < parts.length && wholeOf(journal, all, earlier) === undefined)
    throw partlySent(all, known, last, {when, commandLine, lineFor})
  throw new Failure('ALREADY_SENT', {
    message: `The same transfers were sent at ${when(last.begunAt)}: ${namesOf(earlier)}.`,
    hint: advice`${lookAt(earlier, commandLine)}${isRetry ? '' : '; send them a second time with --again'}.${clockHint(journal)}`,
    effect: 'none',
    data: {left: 0, earlier: earlier.map(({id, replyId, state}) => ({request: id, batch: replyId, state}))},
  })
}

type Words = Pick<BeforeOptions, 'when' | 'commandLine' | 'lineFor'>

/** A set of which nobody knows yet what is left. */
function openSet(
  parts: readonly PartToSend[],
  known: readonly RequestRecord[],
  unknown: RequestRecord,
  {when, commandLine, lineFor}: Words,
): Failure {
  const fates = fatesOf(parts, known)
  const isSplit = parts.length > 1
  const words =
    fates === undefined || !isSplit
      ? `The effect of ${nameOf(unknown)} is unknown: ${sumsOfTransfers(parts.flatMap(({transfers}) => transfers))}.`
      : fateWords(fates).join(' ')
  const line = lineFor?.(fates === undefined ? '--only-new' : '--rest', undefined)
  const then = line === undefined ? advice`` : advice`. Then send what is left, if anything: ${line}`
  return new Failure('EFFECT_UNKNOWN', {
    message: `${isSplit ? 'Some of the' : 'The'} same transfers were sent at ${when(unknown.begunAt)}, and it is not known whether all of them were made. ${words}`,
    hint: advice`This command sent nothing. First find out what became of ${isSplit ? 'that batch' : 'them'}, which sends none: ${commandLine('requests', 'resolve', {value: unknown.id})}${then}`,
    effect: 'none',
    requestId: unknown.id,
    data: {earlier: earlierOf(known)},
  })
}

/** A set of which some batches were sent, and others were not. */
function partlySent(
  parts: readonly PartToSend[],
  known: readonly RequestRecord[],
  last: RequestRecord,
  {when, commandLine, lineFor}: Words,
): Failure {
  const fates = fatesOf(parts, known)
  const left = fates?.flatMap(({part, fate}) => (fate === 'accepted' ? [] : part.transfers))
  const line =
    lineFor?.(
      fates === undefined || fates.some(({fate}) => fate === 'refused') ? '--only-new' : '--rest',
      left,
    ) ?? commandLine('a2a', 'create', '--from', {value: 'FILE'}, '--only-new')
  const words =
    fates === undefined ? `Sent: ${namesOf(known.filter(hadEffect))}.` : fateWords(fates).join(' ')
  return new Failure('PARTLY_DONE', {
    message: `Some of the same transfers were sent at ${when(last.begunAt)}, and the others were not. ${words}`,
    hint: advice`This command sent nothing. Send what is left: ${line}`,
    effect: 'none',
    data: {earlier: earlierOf(known)},
  })
}

const earlierOf = (known: readonly RequestRecord[]) =>
  known.filter(hadEffect).map(({id, replyId, state}) => ({request: id, batch: replyId, state}))

/** What became of each batch of a set; undefined if it was sent in another split or order. */
function fatesOf(
  parts: readonly PartToSend[],
  known: readonly RequestRecord[],
): readonly PartFate[] | undefined {
  const open = [...known].reverse()
  const take = (digest: string, isOf: (one: RequestRecord) => boolean): RequestRecord | undefined => {
    const at = open.findIndex(one => digestIn(one) === digest && isOf(one))
    return at === -1 ? undefined : open.splice(at, 1)[0]
  }
  const fates = parts.map((part): PartFate => {
    const sent = take(part.digest, hadEffect)
    if (sent !== undefined) {
      const {state, replyId: batch, id: request} = sent
      return state === 'done' ? {part, fate: 'accepted', batch} : {part, fate: 'unknown', request}
    }
    const refused = take(part.digest, ({state}) => state === 'refused')
    return {part, fate: refused === undefined ? 'unsent' : 'refused'}
  })
  return open.some(hadEffect) ? undefined : fates
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
const clockHint = (journal: Journal): string => (journal.store.isBelieved() ? '' : ` ${CLOCK_HINT}`)

/** @throws Failure ALREADY_SENT; USAGE */
function withoutSent(
  journal: Journal,
  parts: readonly PartToSend[],
  known: readonly RequestRecord[],
  {elsewhere}: Pick<BeforeOptions, 'elsewhere'>,
): readonly PartToSend[] {
  const earlier = known.filter(hadEffect)
  // What was tried from here without an effect is all left.
  if (known.length === 0 && !elsewhere?.batches.size) throw noRest(elsewhere)
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
  throw new Failure('ALREADY_SENT', {
    message,
    hint: advice`Nothing is left to send. See them: ${cardctl('requests', 'list', '--operation', 'a2a.create.v1')}`,
    effect: 'none',
    data: {left: 0},
  })
}

function refuse(message: string, hint?: Hint): never {
  throw new Failure('USAGE', {message, hint, effect: 'none'})
}
