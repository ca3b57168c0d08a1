import type {ImportedPaging} from '../contract-form.ts'
import type {DocumentParameter, Schema} from '../document/document.ts'
import {fieldSchemas, itemsOf, typesOf} from './walk-schema.ts'

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

const CURSORS = [
  'cursor',
  'after',
  'startingafter',
  'pagetoken',
  'nexttoken',
  'nextcursor',
  'continuation',
  'continuationtoken',
  'marker',
  'aftercursor',
  'pagecursor',
  'exclusivestartkey',
]
const PAGES = ['page', 'pagenumber', 'pageindex', 'pageno']
const OFFSETS = ['offset', 'skip', 'start', 'startindex', 'startat']
const SIZES = ['limit', 'size', 'pagesize', 'perpage', 'maxresults', 'count', 'top', 'first', 'pagelimit']

/** How to get the next page of a list, by the names of its parameters; undefined if the response has no list. */
export function findPaging(
  parameters: readonly DocumentParameter[],
  response: Schema | undefined,
  schemas: ReadonlyMap<string, Schema>,
): ImportedPaging | undefined {
  if (!holdsList(response, schemas)) return undefined
  const query = parameters.filter(({in: place}) => place === 'query')
  const named = (names: readonly string[]): string | undefined =>
    names.flatMap(name => query.filter(parameter => plain(parameter.name) === name))[0]?.name
  const [cursor, page, offset, size] = [named(CURSORS), named(PAGES), named(OFFSETS), named(SIZES)]
  const found = {
    ...(size === undefined ? {} : {size}),
    ...(cursor === undefined ? {} : {cursor}),
    ...(page === undefined ? {} : {page}),
    ...(offset === undefined ? {} : {offset}),
  }
  // Without a parameter, a Link header may still lead to the next page. That works only for a list, not for an object
  // with a list in it.
  return Object.keys(found).length > 0 || typesOf(response, schemas).includes('array') ? found : undefined
}

function holdsList(response: Schema | undefined, schemas: ReadonlyMap<string, Schema>): boolean {
  if (response === undefined) return false
  if (typesOf(response, schemas).includes('array') || itemsOf(response, schemas) !== undefined) return true
  const lists = fieldSchemas(response, schemas).filter(({schema}) =>
    typesOf(schema, schemas).includes('array'),
  )
  return lists.length === 1 || lists.some(({name}) => LIST_NAMES.includes(name.toLowerCase()))
}

/** Field names that services use for lists. */
export const LIST_NAMES: readonly string[] = [
  'data',
  'items',
  'results',
  'content',
  'records',
  'entries',
  'values',
  'list',
  'elements',
]
