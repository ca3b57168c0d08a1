import type {Operation} from '../../contract/operation.ts'
import type {DocumentOperation, DocumentParameter} from '../document/document.ts'
import {type Schemas, shapeOf} from '../shapes.ts'
import type {DraftLine, DraftRule, Standing} from './draft-form.ts'

const SIZE = /^(?:limit|count|(?:page_?|per_?)?size|per_?page|max_?results)$/i
const OFFSET = /^(?:offset|start_?index|skip|start)$/i
const PAGE = /^(?:page|page_?(?:number|no|index))$/i

/** Where the page and the size of pages go. */
export function pagingLines(
  {paging}: Operation,
  {parameters}: DocumentOperation,
  schemas: Schemas,
): {readonly lines: readonly DraftLine[]; readonly isWhole: boolean} {
  if (paging !== 'page') return {lines: paging === undefined ? [] : sizeOf(parameters), isWhole: false}
  const queries = parameters.filter(one => one.in === 'query')
  const offset = queries.find(({name}) => OFFSET.test(name))
  const page = queries.find(({name}) => PAGE.test(name))
  const lines = [
    ...(offset
      ? [pageLine(offset, {as: 'offset'}, 'sure', 'the number of items before')]
      : page
        ? [numbered(page, schemas)]
        : []),
    ...sizeOf(parameters),
  ]
  return {lines, isWhole: lines.length === 0}
}

function sizeOf(parameters: readonly DocumentParameter[]): readonly DraftLine[] {
  const size = parameters.find(one => one.in === 'query' && SIZE.test(one.name))
  return size === undefined ? [] : [{...pageLine(size, {}, 'sure', 'the size of a page'), ours: 'query:size'}]
}

/** Ours count from 0. */
function numbered(page: DocumentParameter, schemas: Schemas): DraftLine {
  const {minimum, default: usual} = shapeOf(page.schema, schemas).limits
  if (minimum === 1 || usual === 1) return pageLine(page, {as: 'page-from-1'}, 'sure', 'pages from 1')
  if (minimum === 0 || usual === 0) return pageLine(page, {}, 'sure', 'pages from 0')
  return {
    ...pageLine(page, {as: 'page-from-1'}, 'unsure', 'pages from 1, or from 0'),
    others: [{at: `query:${page.name}`, rule: {}}],
  }
}

const pageLine = (
  {name}: DocumentParameter,
  rule: DraftRule,
  standing: Standing,
  why: string,
): DraftLine => ({
  ours: 'query:page',
  at: `query:${name}`,
  rule,
  standing,
  why,
  others: [],
})
