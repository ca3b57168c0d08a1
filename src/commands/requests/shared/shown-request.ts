import {LAST} from '../../../cli/arguments.ts'
import type {Context} from '../../../cli/context.ts'
import type {Suggestion} from '../../../cli/guided/guide.ts'
import {nameNext} from '../../../cli/next-step.ts'
import {RequestWords} from '../../../cli/request-words.ts'
import {idsOf, isPathId} from '../../../contract/resource.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {ACCEPTED, requestState} from '../../../output/outcome.ts'

import {leftOfSplit, openSplit, withFinishedSet} from '../../a2a/shared/open-split.ts'
import {LINES, wholeId} from './whole-id.ts'

type Time = 'begunAt' | 'endedAt' | 'resolvedAt'

/** A request of the journal for printing; its times are ISO 8601 in UTC. */
export type ShownRequest = Omit<RequestRecord, Time> & {
  /** What was done, in words: former and new values, and whether it was undone. */
  readonly did: string
  readonly begunAt: string
  readonly endedAt: string | undefined
  readonly resolvedAt: string | undefined
  /** The fields that were sent, masked and shortened. */
  readonly sent?: unknown
  /** What cardctl last sent for the same fields of the same resource before. Others may have changed them since. */
  readonly before?: unknown
  /** The newest request that undid this one. */
  readonly undoneBy?: string | undefined
  /** Who proposed what was approved, and why. */
  readonly proposedBy?: string
  readonly proposedNote?: string
}

/** Without what was sent: a list would have columns for the fields of each operation. */
export const shownInList = (journal: Journal, words: RequestWords, record: RequestRecord): ShownRequest => {
  const {did, undoneBy} = words.tell(record)
  return {
    ...withTimes(record),
    did: withFinishedSet(journal, record, did),
    ...(undoneBy === undefined ? {} : {undoneBy}),
  }
}

/** @param journal also says which set it has finished */
export function shownRequest(words: RequestWords, record: RequestRecord, journal?: Journal): ShownRequest {
  const {did: told, ...more} = words.tell(record)
  const known = Object.entries(more).filter(([, value]) => value !== undefined)
  const did = journal === undefined ? told : withFinishedSet(journal, record, told)
  return {...withTimes(record), did, ...Object.fromEntries(known)}
}

const withTimes = (record: RequestRecord) => ({
  ...record,
  begunAt: iso(record.begunAt),
  endedAt: record.endedAt === undefined ? undefined : iso(record.endedAt),
  resolvedAt: record.resolvedAt === undefined ? undefined : iso(record.resolvedAt),
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** What a request asked for, and when it took effect, as far as the journal knows. */
export function toldOutcome(words: RequestWords, journal: Journal, id: string) {
  const record = requestIn(journal, id)
  const repeats = record.key === undefined ? [] : journal.requests.findKey(record.key)
  const repeat = repeats.find(one => one.retryOf === id && one.effect === 'done')
  // Where the service doesn't say that it replayed its response, either may have been the first to arrive.
  const at =
    repeat === undefined || repeat.replayed === true
      ? record.begunAt
      : repeat.replayed === 'unknown'
        ? undefined
        : repeat.begunAt
  const ended = requestState(record).text
  const batch = record.operation === 'a2a.create.v1' && ended !== 'done' ? ended : undefined
  const left = openSplit(journal, record)
  return {
    did: words.tell(record).did,
    at,
    isRepeated: repeat !== undefined,
    batch,
    left: left && leftOfSplit(left),
  }
}

/**
 * The request with this id; `last` is the newest.
 *
 * @throws Failure NOT_FOUND, or OTHER_SERVICE if the request is one of another service.
 */
export function requestIn(
  journal: Journal,
  id: string,
  verb: 'show' | 'resolve' | 'retry' | 'undo' = 'show',
): RequestRecord {
  const found = id === LAST ? journal.requests.list({limit: 1})[0] : journal.requests.get(id)
  if (found !== undefined) return found
  journal.others.refuseElsewhere({request: id})
  const message = `The journal of ${journal.service.words} has no request${id === LAST ? '' : ` ${id}`}.`
  const whole = wholeId(newestIds(journal), id)
  if (whole !== undefined)
    throw new Failure('NOT_FOUND', {
      message,
      hint: advice`One request has an id that begins so. Its whole id: ${LINES[verb](whole)}`,
    })
  throw new Failure('NOT_FOUND', {
    message,
    hint: advice`See ${cardctl('requests', 'list')}; each service has a journal of its own.`,
  })
}

/** Requests that are looked through for one whose id begins as typed. */
const MOST_SOUGHT = 5000

function* newestIds(journal: Journal): Generator<string> {
  for (const {id} of journal.requests.iterate({limit: MOST_SOUGHT})) yield id
}

/**
 * The request with this id; `last` is the newest whose effect is unknown.
 *
 * @throws Failure NOT_FOUND, or OTHER_SERVICE if the request is one of another service.
 */
export function unresolvedIn(journal: Journal, id: string): RequestRecord {
  if (id !== LAST) return requestIn(journal, id, 'resolve')
  for (const newest of openRequests(journal)) return newest
  throw new Failure('NOT_FOUND', {
    message: `The journal of ${journal.service.words} has no request with an unknown effect.`,
    hint: advice`For the outcome of another request, pass its id: ${cardctl('requests', 'list')}`,
  })
}

export const isOpen = ({state}: {readonly state?: string | undefined}): boolean =>
  state === 'unknown' || state === 'unfinished'

/** Below a list that has such a request. */
export const nameResolve = (context: Context, id: string): void =>
  nameNext(context, 'finds out whether it had an effect', 'requests', 'resolve', {value: id})

/** The trace of an operation of remote checkout that was accepted, and of which nobody has read how it ends. */
export function runningTrace(record: RequestRecord): string | undefined {
  if (!record.operation.startsWith('remotecheckout.') || requestState(record).text !== ACCEPTED)
    return undefined
  return idsOf('trace', record.resources).find(isPathId)
}

/** The id of the only request whose effect is unknown: where there is one, nobody is asked which. */
export async function onlyOpenRequest(context: Context): Promise<string | undefined> {
  if (!(await context.stores.hasJournal())) return undefined
  using journal = await context.stores.quietJournal()
  let only: string | undefined
  for (const {id} of openRequests(journal)) {
    if (only !== undefined) return undefined
    only = id
  }
  return only
}

const MOST_OFFERED = 20

/** The open requests for a question, newest first: what each was to do, and when. */
export async function openSuggestions(context: Context): Promise<readonly Suggestion[]> {
  if (!(await context.stores.hasJournal())) return []
  using journal = await context.stores.quietJournal()
  const words = await RequestWords.open(journal)
  const found: Suggestion[] = []
  for (const record of openRequests(journal)) {
    if (found.length === MOST_OFFERED) break
    found.push({value: record.id, from: `${words.tell(record).did}, ${context.when(record.begunAt)}`})
  }
  return found
}

/** Requests whose effect is unknown, or whose process ended before the response. Newest first. */
export function* openRequests(
  journal: Journal,
  filter: Parameters<Journal['requests']['iterate']>[0] = {},
): Generator<RequestRecord, void, undefined> {
  const unknown = journal.requests.iterate({...filter, state: 'unknown'})
  const unfinished = journal.requests.iterate({...filter, state: 'unfinished'})
  try {
    let [a, b] = [unknown.next(), unfinished.next()]
    while (a.done !== true || b.done !== true) {
      if (b.done === true || (a.done !== true && a.value.begunAt >= b.value.begunAt)) {
        if (a.done !== true) yield a.value
        a = unknown.next()
      } else {
        yield b.value
        b = unfinished.next()
      }
    }
  } finally {
    unknown.return()
    unfinished.return()
  }
}
