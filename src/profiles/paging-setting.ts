import {byOperation, checkedText} from './value-types.ts'

/** How the pages of one list follow each other: names of parameters, and JSON pointers into a response. */
export interface PagingSetting {
  readonly size?: string
  readonly cursor?: string
  readonly page?: string
  readonly offset?: string
  readonly next?: string
  readonly more?: string
}

const PARTS: Readonly<Record<keyof PagingSetting, RegExp>> = {
  size: /^[^\s,]+$/,
  cursor: /^[^\s,]+$/,
  page: /^[^\s,]+$/,
  offset: /^[^\s,]+$/,
  next: /^(?:\/[^/*,]+)+$/,
  more: /^(?:\/[^/*,]+)+$/,
}

const HOW =
  'must say how its pages follow, such as cursor=after,next=/meta/next or page=page,size=limit,more=/has_more'

/** The parts of `cursor=after,next=/meta/next`; undefined if it isn't that. */
export function parsePaging(text: string): PagingSetting | undefined {
  const parts = text.split(',').map(part => /^(\w+)=(.+)$/.exec(part))
  const found: [string, string][] = []
  for (const part of parts) {
    const [, name = '', value = ''] = part ?? []
    if (!Object.hasOwn(PARTS, name) || !PARTS[name as keyof PagingSetting].test(value)) return undefined
    if (found.some(([other]) => other === name)) return undefined
    found.push([name, value])
  }
  const {cursor, page, offset, next, ...others}: PagingSetting = Object.fromEntries(found)
  const ways = [cursor, page, offset].filter(way => way !== undefined).length
  // A cursor is read from a place; a link may lead on by itself.
  if (ways > 1 || (ways === 0 && next === undefined) || (cursor !== undefined && next === undefined))
    return undefined
  return {
    ...(cursor !== undefined && {cursor}),
    ...(page !== undefined && {page}),
    ...(offset !== undefined && {offset}),
    ...(next !== undefined && {next}),
    ...others,
  }
}

export const pagingType = byOperation(
  checkedText(value => (parsePaging(value) === undefined ? {problem: HOW} : {value}), {minLength: 1}),
)
