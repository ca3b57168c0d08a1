import type {ImportedPaging} from '../contract-form.ts'
import type {DocumentParameter, Schema} from '../document/document.ts'
import {isCursorName, type Kind, kindsOf, plainName} from '../pages/names.ts'
import {fieldSchemas, itemsOf, typesOf} from './walk-schema.ts'

const CURSORS = [
  'cursor',
  'after',
  'startingafter',
  'startingafterid',
  'startafter',
  'startafterid',
  'afterid',
  'lastid',
  'sinceid',
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
    names.flatMap(name => query.filter(parameter => plainName(parameter.name) === name))[0]?.name
  const [page, offset, size] = [named(PAGES), named(OFFSETS), named(SIZES)]
  const cursor = named(CURSORS) ?? cursorOf(query.filter(({name}) => ![page, offset, size].includes(name)))
  const found = {
    ...(size === undefined ? {} : {size}),
    ...(cursor === undefined ? {} : {cursor}),
    ...(page === undefined ? {} : {page}),
    ...(offset === undefined ? {} : {offset}),
  }
  // Without a parameter, a link may still lead to the next page: in a header, where the response is nothing but a list.
  const isPaged =
    Object.keys(found).length > 0 ||
    typesOf(response, schemas).includes('array') ||
    tellsOfPages(response, schemas)
  return isPaged ? found : undefined
}

/** A parameter that is a cursor by its name, or by what the document says of it. */
const cursorOf = (query: readonly DocumentParameter[]): string | undefined =>
  (
    query.find(({name}) => isCursorName(name)) ??
    query.find(({name, description = ''}) => !BACKWARDS.test(name) && CURSOR_WORDS.test(description))
  )?.name

const CURSOR_WORDS = /\bcursor\b|\bnext page\b|\b(?:page|pagination|continuation) token\b/i
const BACKWARDS = /before|prev|last$/i

/** Whether a response has fields such as `has_more` or `next_page_uri` beside its list. */
function tellsOfPages(
  response: Schema | undefined,
  schemas: ReadonlyMap<string, Schema>,
  depth = 2,
): boolean {
  return fieldSchemas(response, schemas).some(({name, schema}) => {
    const kinds = kindsOf(name)
    if (kinds.some(kind => TELLING.has(kind))) return true
    return depth > 0 && kinds.includes('holder') && tellsOfPages(schema as Schema, schemas, depth - 1)
  })
}

const TELLING: ReadonlySet<Kind> = new Set(['more', 'link', 'linkOrCursor', 'cursor'])

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
