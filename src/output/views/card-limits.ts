import {amount, count} from '../amount.ts'
import type {Lines} from '../detail.ts'
import {styledWidth} from '../lay-out.ts'
import {listAt, numberAt, textAt} from '../read-member.ts'
import {dim, type Span, type Styled, strong, warn} from '../styled.ts'

/** From here on a count of uses is no limit (it is how the service writes "none"). */
const NO_COUNT = 9_999_999

/**
 * Usage limits, a line per period: "DAILY  ATM 500  RETAIL 2,000", or per use where that is too long. An amount of 0 is
 * no limit, so it says that: read as zero it would look like the opposite.
 */
export function usageLimits(reply: unknown, width: number): Lines {
  const periods = listAt(reply, 'usageLimits')
  const longest = Math.max(0, ...periods.map(period => textAt(period, 'code').length))
  const lines = periods.flatMap((period): Styled[] => {
    const code = strong(textAt(period, 'code').padEnd(longest))
    const uses = listAt(period, 'values').map(useOf)
    const line: Styled = [code, ...uses.flatMap(use => ['  ', ...use])]
    if (styledWidth(line) <= width) return [line]
    return uses.map((use, at): Styled => [at === 0 ? code : ' '.repeat(longest), '  ', ...use])
  })
  return {lines}
}

function useOf(use: unknown): readonly (string | Span)[] {
  const [sum, single] = [numberAt(use, 'sumAmount'), numberAt(use, 'singleAmount')]
  const [uses, left, usesLeft] = [
    numberAt(use, 'count'),
    numberAt(use, 'availableAmount'),
    numberAt(use, 'availableCount'),
  ]
  const parts: (string | Span)[] = [`${textAt(use, 'code')} `, limit(sum ?? single)]
  if (sum !== undefined && single !== undefined)
    parts.push(...(single > 0 ? [`, at most ${amount(single)} at once`] : []))
  if (uses !== undefined && uses < NO_COUNT) parts.push(`, ${count(uses)} times`)
  const rest = [
    left !== undefined && sum !== undefined && sum > 0 ? amount(left) : '',
    usesLeft !== undefined && uses !== undefined && uses < NO_COUNT ? `${count(usesLeft)} times` : '',
  ].filter(part => part !== '')
  if (rest.length > 0) parts.push(dim(` (left ${rest.join(', ')})`))
  return parts
}

const limit = (value: number | undefined): string | Span =>
  value === undefined ? 'no amount' : value === 0 ? warn('no limit') : amount(value)

const regions = [
  'home',
  'europe',
  'africa',
  'asia',
  'oceania',
  'northAmerica',
  'southAmerica',
  'ecomm',
] as const
const names: Readonly<Partial<Record<string, string>>> = {
  northAmerica: 'north america',
  southAmerica: 'south america',
  ecomm: 'e-commerce',
}

/** Where the card works and where it is blocked: "home europe · blocked: africa asia". True blocks. */
export function regionBlocks(reply: unknown, separator: string): Styled {
  const flags = regions.map(region => ({
    name: names[region] ?? region,
    blocked: textAt(reply, `regionAndEcommBlocking.${region}`),
  }))
  const open = flags.filter(({blocked}) => blocked === 'false').map(({name}) => name)
  const blocked = flags.filter(({blocked}) => blocked === 'true').map(({name}) => name)
  const parts: (string | Span)[] = open.length > 0 ? [open.join(', ')] : []
  if (blocked.length > 0) {
    if (parts.length > 0) parts.push(` ${separator} `)
    parts.push(warn('blocked:'), ` ${blocked.join(', ')}`)
  }
  return parts
}
