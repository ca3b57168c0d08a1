import type {Client} from '../../../cli/client/client.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {ResponseTo} from '../../../contract/types.ts'
import {isObject} from '../../../errors/is-object.ts'
import {fieldAt} from '../../../output/fields.ts'

/** A batch with all its items, from as many pages as needed. */
export async function wholeBatch(
  client: Client,
  id: string,
  size?: number,
  {paced = false} = {},
): Promise<ResponseTo<'a2a.get.v1'>> {
  let batch: unknown
  const fetch: FetchPage = async (query, options) => {
    const page = await client.call(
      {operation: 'a2a.get.v1', path: {id}, query},
      {
        ...options,
        paced: paced || options.paced,
        unmasked: (body, page) => options.unmasked?.(fieldAt(body, 'transfers'), page),
      },
    )
    batch ??= page
    // Here, items and cursor are one level deeper.
    return fieldAt(page, 'transfers')
  }
  const flags = {all: true, 'page-size': size}
  const items: unknown[] = []
  for await (const item of pagedItems(operations['a2a.get.v1'], flags, fetch).items) items.push(item)
  const whole = isObject(batch) ? batch : {}
  const {lastEvaluatedKey: _, ...transfers} = isObject(whole.transfers) ? whole.transfers : {}
  const read: unknown = {...whole, transfers: {...transfers, items, size: items.length}}
  return read as ResponseTo<'a2a.get.v1'>
}
