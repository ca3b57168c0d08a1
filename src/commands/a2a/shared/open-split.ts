import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {hadEffect, ITEM_DIGITS, wholeIn} from './parts.ts'
import {setOf} from './reference.ts'

/** A set of transfers of which the service got some batches, and not all. */
export interface OpenSplit {
  /** Number of batches of the set. */
  readonly of: number
  /** Number of those that were sent, or may have been. */
  readonly sent: number
  /** The numbers of the others. */
  readonly missing: readonly number[]
  /** The references of its batches, without their places. */
  readonly sets: readonly string[]
  /** Most transfers in one of them, as `--batch-size` said; undefined if that is not recorded. */
  readonly size: number | undefined
}

const PLACE = /\/(\d+)of(\d+)$/

/** What is left of the set that a request sent a batch of, by the places of its batches; undefined if nothing is. */
export function openSplit(
  journal: Journal,
  {job, operation}: Pick<RequestRecord, 'job' | 'operation'>,
): OpenSplit | undefined {
  if (job === undefined || operation !== 'a2a.create.v1') return undefined
  const split = splitOf(journal, job)
  if (split === undefined || split.missing.length === 0) return undefined
  const whole =
    journal.requests
      .list({job})
      .map(wholeIn)
      .find(one => one !== undefined) ?? job
  return restsOf(journal, whole).some(({isWhole}) => isWhole) ? undefined : split
}

/** What a request did, and which set it has finished, if it has sent the last of what was new with `--only-new`. */
export function withFinishedSet(journal: Journal, record: RequestRecord, did: string): string {
  const whole = wholeIn(record)
  const rest = whole === undefined ? [] : restsOf(journal, whole)
  if (whole === undefined || !rest.some(({last, isWhole}) => isWhole && last === record.id)) return did
  const begun = journal.requests.list({job: whole}).filter(hadEffect)
  const [last, ...others] = begun.flatMap(({replyId}) => replyId ?? [])
  if (last === undefined) return did
  const first = others.at(-1)
  return `${did}, the rest of the set of ${first === undefined ? `batch ${last}` : `batches ${first} to ${last}`}`
}

/** What was sent of a whole set with `--only-new`: each time of what was new then. */
function restsOf(
  journal: Journal,
  whole: string,
): readonly {readonly last: string; readonly isWhole: boolean}[] {
  const sent = journal.requests
    .list({operation: 'a2a.create.v1'})
    .filter(one => hadEffect(one) && wholeIn(one) === whole)
  return [...Map.groupBy(sent, ({job}) => job)].map(([job, some]) => ({
    last: some[0]?.id ?? '',
    isWhole: job !== undefined && (splitOf(journal, job)?.missing.length ?? 0) === 0,
  }))
}

/** The places of the batches of a set that were sent; undefined if it was one batch, or nobody knows. */
function splitOf(journal: Journal, job: string): OpenSplit | undefined {
  const sent = journal.requests.list({job}).filter(hadEffect)
  const places = sent.flatMap(({part, reference = ''}) => {
    const [, number, of] = PLACE.exec(part ?? '') ?? PLACE.exec(reference) ?? []
    return of === undefined ? [] : [{number: Number(number), of: Number(of)}]
  })
  const [last] = places
  // One request for all of them leaves nothing, and of two splits nobody knows what is left.
  if (last === undefined || places.length < sent.length || places.some(({of}) => of !== last.of))
    return undefined
  const numbers = new Set(places.map(({number}) => number))
  const all = Array.from({length: last.of}, (_, at) => at + 1)
  return {
    of: last.of,
    sent: numbers.size,
    missing: all.filter(number => !numbers.has(number)),
    sets: [...new Set(sent.flatMap(({reference}) => setOf(reference) ?? []))],
    size: sizeOf(journal, sent),
  }
}

/** "1 of 4 batches not sent" */
export const leftOfSplit = ({of, sent}: OpenSplit): string =>
  `${of - sent} of ${of} batches of the set ${of - sent === 1 ? 'was' : 'were'} not sent from here`

function sizeOf(journal: Journal, sent: readonly RequestRecord[]): number | undefined {
  const bytes = Math.max(...sent.map(({id}) => journal.requests.itemsOf(id).length))
  return bytes > 0 ? (2 * bytes) / ITEM_DIGITS : undefined
}
