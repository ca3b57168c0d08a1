import {createHash} from 'node:crypto'
import type {Client} from '../../../cli/client/client.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {textAt} from '../../../output/fields.ts'
import type {Transfer} from './read-transfers.ts'
import {rowLine} from './same-rows.ts'

/** The contract's limit for the description of a batch, in characters. */
export const LONGEST_DESCRIPTION = 255

/**
 * The reference of a request, derived from its key: the same key gives the same bytes. Letters only, because digits in
 * a text may look like a card number and would be masked in responses.
 */
export const referenceOf = (key: string): string => `ref:${lettersOf(key, 20)}`

/** A reference without the place in the split: that of all its batches. */
export const setOf = (reference: string | undefined): string | undefined => reference?.split('/')[0]

/**
 * A digest of the rows of a batch with their texts, in any order. It has no key, so that other machines find the same
 * rows by it; 64 bits are enough against accident. Who reads it can test a guess of all rows of a batch, and no less.
 */
export const rowsMark = (transfers: readonly Transfer[]): string =>
  `rows:${lettersOf(transfers.map(rowLine).sort().join('\n'), 16)}`

/** The start of a SHA-256 in letters, 4 bits each. */
export function lettersOf(text: string, length: number): string {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, length)
  return hex.replaceAll(/\d/g, digit => 'ghijklmnop'.charAt(Number(digit)))
}

/**
 * The body of a new batch with its reference and the digest of its rows at the end of its description.
 *
 * @throws Failure USAGE if there is no space for it.
 */
export function referred(body: unknown, marks: string): unknown {
  if (!isObject(body)) return body
  const {description = ''} = body
  // If it isn't text, the check against the contract reports it.
  if (typeof description !== 'string') return body
  const whole = `${description} ${marks}`.trimStart()
  if ([...whole].length <= LONGEST_DESCRIPTION) return {...body, description: whole}
  throw new Failure('USAGE', {
    message: `The description leaves no room for the reference by which the batch can be found again: at most ${LONGEST_DESCRIPTION - marks.length - 1} characters.`,
    hint: 'Shorten it, or leave the reference out with --no-reference.',
    effect: 'none',
  })
}

/** The body of a batch that goes on with the set of another machine says so, for the reports of both, if there is room. */
export function asRestOf(body: unknown, set: string): unknown {
  if (!isObject(body)) return body
  const {description} = body
  if (typeof description !== 'string') return body
  const whole = description.replace(
    /(?=ref:[a-z]{20}\/\d+of\d+ rows:[a-z]{16}$)/,
    `${set.replace(/^ref:/, 'rest:')} `,
  )
  return [...whole].length <= LONGEST_DESCRIPTION ? {...body, description: whole} : body
}

/** The batch with the reference, the number of batches that were searched, and the one of them that started last. */
export async function findBatch(
  client: Client,
  reference: string,
): Promise<{batch: unknown; seen: number; newest: unknown}> {
  const fetch: FetchPage = (query, options) => client.call({operation: 'a2a.list.v1', query}, options)
  let seen = 0
  let newest: unknown
  for await (const item of pagedItems(operations['a2a.list.v1'], {all: true}, fetch).items) {
    seen++
    if (
      newest === undefined ||
      Date.parse(textAt(item, 'startTime')) > Date.parse(textAt(newest, 'startTime'))
    )
      newest = item
    if (textAt(item, 'description').split(/\s+/).includes(reference)) return {batch: item, seen, newest}
  }
  return {batch: undefined, seen, newest}
}
