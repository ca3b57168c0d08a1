import type {Journal, RequestRecord} from '../../../journal/index.ts'
import {hadEffect, ITEM_DIGITS} from './parts.ts'
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
  if (numbers.size >= last.of) return undefined
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
