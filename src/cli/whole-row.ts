import type {AnyInput, Operation} from '../contract/operation.ts'
import {isObject} from '../errors/is-object.ts'
import type {SendOptions, ServiceResponse} from '../http/index.ts'
import {pagedItems} from './pages.ts'

type SendPage = (
  query: Readonly<Record<string, unknown>>,
  options: Pick<SendOptions, 'unmasked'>,
) => Promise<ServiceResponse>

/** Whether a request of this operation brings a list whole: one that names its page brings that page. */
export const isWholeList = ({paging}: Operation, {query}: AnyInput): boolean =>
  paging !== undefined && Object.keys(query).every(name => name === 'auditUser' || name === 'size')

/**
 * All pages of a list as the response of one row. The pages are paced like rows.
 *
 * @throws Failure LIST_INCOMPLETE, or that of a page
 */
export async function wholeList(
  operation: Operation,
  {query}: AnyInput,
  sendPage: SendPage,
): Promise<ServiceResponse> {
  let response: ServiceResponse | undefined
  const size = query.size === undefined ? {} : {'page-size': Number(query.size)}
  const pages = pagedItems(operation, {all: true, ...size}, async (page, {unmasked}) => {
    response = await sendPage({...query, ...page}, {unmasked})
    return response.body
  })
  const items: unknown[] = []
  for await (const item of pages.items) items.push(item)
  if (response === undefined) throw new Error('no page was asked for')
  const {body} = response
  if (!isObject(body)) return {...response, body: items}
  const {lastEvaluatedKey: _, ...rest} = body
  return {...response, body: {...rest, size: items.length, items}}
}
