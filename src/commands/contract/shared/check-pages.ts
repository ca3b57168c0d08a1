import {Failure} from '../../../errors/failure.ts'
import type {ServiceResponse} from '../../../http/index.ts'
import {listIn} from '../../../imported/commands.ts'
import type {ResponseDifference} from './response-difference.ts'

/** Fetches a page of a list, with a query of its own. */
export type FetchListPage = (query: Readonly<Record<string, unknown>>) => Promise<ServiceResponse>

/** Walks a list in pages of one item, where the service can be asked for such. */
export interface SmallPages {
  /** Whether one item was asked for. */
  readonly isSized: boolean
  items(fetch: FetchListPage): AsyncIterable<unknown>
}

/**
 * Whether a service pages a list as it is asked to. A service that ignores it is seen by no difference in one response,
 * and its lists end early or never. Sends at most two reads.
 *
 * @throws Failure if a page can't be read
 */
export async function pagingDifferences(
  {isSized, items}: SmallPages,
  send: FetchListPage,
): Promise<readonly ResponseDifference[]> {
  const pages: (readonly unknown[])[] = []
  const fetch: FetchListPage = async query => {
    if (pages.length === 2) throw new Enough()
    const response = await send(query)
    pages.push(itemsIn(response.body))
    return response
  }
  try {
    for await (const _ of items(fetch)) if (pages.length > 1) break
  } catch (error) {
    // The walk may find the repetition first.
    const isFound = error instanceof Failure && ['ANSWER_INVALID', 'LIST_INCOMPLETE'].includes(error.code)
    if (!(error instanceof Enough) && !isFound) throw error
  }
  const [first = [], second = []] = pages
  const found: ResponseDifference[] = []
  if (isSized && first.length > 1)
    found.push(difference('must have 1 item where 1 is asked for', `${first.length} items`))
  if (first.length > 0 && JSON.stringify(first) === JSON.stringify(second))
    found.push(difference('must not be the same for the next page', 'the first page again'))
  return found
}

class Enough extends Error {}

const difference = (expected: string, found: string): ResponseDifference => ({
  kind: 'differs',
  pointer: '',
  expected,
  found,
  count: 1,
})

function itemsIn(body: unknown): readonly unknown[] {
  try {
    return listIn(body)
  } catch {
    return []
  }
}
