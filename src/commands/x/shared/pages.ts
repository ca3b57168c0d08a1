import type {PageFlags} from '../../../cli/pages.ts'
import {type PagedItems, type PageOptions, type Query, walkPages} from '../../../cli/walk-pages.ts'
import type {ServiceResponse} from '../../../http/send-types.ts'
import type {PagedOperation} from '../../../imported/commands.ts'
import {listIn, PageTurner} from '../../../imported/commands.ts'

export type FetchImportedPage = (query: Query, options: PageOptions) => Promise<ServiceResponse>

export interface ImportedList {
  readonly operation: PagedOperation
  /** The query of the first request. */
  readonly first: Query
  /** The URL that is requested, without its query. */
  readonly here: URL
}

/** Whether a response, before anything in it was masked, says that the list goes on after it. */
export async function saysMore(
  list: ImportedList,
  body: unknown,
  headers: ServiceResponse['headers'],
): Promise<boolean> {
  try {
    if (listIn(body).length === 0) return false
  } catch {
    // Not a list this time.
    return false
  }
  return new PageTurner({...list, all: false}).turn(list.first, {body, headers}).isSaid === true
}

/**
 * The items of a list of an imported contract, page by page, up to --all or --limit.
 *
 * @throws Failure as `walkPages`; USAGE for a response that isn't a list
 */
export async function importedItems(
  {operation, first, here}: ImportedList,
  flags: PageFlags,
  fetch: FetchImportedPage,
): Promise<PagedItems> {
  const all = flags.limit === undefined
  const turner = new PageTurner({operation, first, here, all})
  const wanted = flags.limit ?? Number.POSITIVE_INFINITY
  let before = ''
  return walkPages(first, {wanted, maxPages: flags['max-pages']}, async (query, options) => {
    let raw: {readonly body: unknown} | undefined
    const unmasked = (body: unknown): void => {
      raw = {body}
    }
    const {body, headers} = await fetch(query, {...options, unmasked})
    const response = {body: raw === undefined ? body : raw.body, headers}
    const content = listIn(response.body)
    const text = JSON.stringify(content)
    // Some services send the last page for every number after it.
    if (content.length > 0 && text === before && turner.isLastAgain(content.length)) return {items: []}
    before = text
    return {items: listIn(body), content, ...turner.turn(query, response)}
  })
}
