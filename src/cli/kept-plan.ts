import {isObject} from '../errors/is-object.ts'

/** What a plan knew of the service before anything was sent, and what it left out. */
export interface KeptPlan {
  /** Name of the profile that it was made with. */
  readonly profile: string
  /** The file that the rows came from, as it was named, and the SHA-256 of its bytes in hex. */
  readonly source?: {readonly name: string; readonly digest: string} | undefined
  /** One for each request, in their order; none for transfers, of which nothing can be read. */
  readonly seen: readonly SeenRequest[]
  /** Rows that are left out, because they would change nothing. */
  readonly unchanged: readonly PlanRow[]
  /** Rows that are left out, because the service has nothing that they could change. */
  readonly refused: readonly (PlanRow & {readonly reason: string})[]
}

/** Where the value before a change is known from. */
export const SOURCES = ['service', 'journal', 'nothing'] as const

export interface PlanRow {
  /** Number of the data row, from 1, and the line that it begins on; both 1 for a request without a file. */
  readonly row: number
  readonly line: number
  /** What it changes: `account:2001`. */
  readonly resource?: string | undefined
}

export interface SeenRequest extends PlanRow {
  readonly from: (typeof SOURCES)[number]
  /** Dotted field → its value before. Fields of which nothing was known are missing. */
  readonly before: Readonly<Record<string, unknown>>
  /** The newest write of the same resource in the journal, as long as the service wasn't read. */
  readonly last?: string | undefined
}

export const isPlan = (one: unknown, requests: number): one is KeptPlan =>
  isObject(one) &&
  typeof one.profile === 'string' &&
  (one.source === undefined || isSource(one.source)) &&
  isListOf(one.seen, isSeen) &&
  (one.seen.length === requests || one.seen.length === 0) &&
  isListOf(one.unchanged, isRow) &&
  isListOf(one.refused, row => isRow(row) && typeof (row as {reason?: unknown}).reason === 'string')

const isListOf = (list: unknown, fits: (one: unknown) => boolean): list is readonly unknown[] =>
  Array.isArray(list) && list.every(fits)

const isSource = (one: unknown): boolean =>
  isObject(one) &&
  typeof one.name === 'string' &&
  typeof one.digest === 'string' &&
  /^[0-9a-f]{64}$/.test(one.digest)

const isRow = (one: unknown): boolean =>
  isObject(one) &&
  [one.row, one.line].every(number => Number.isSafeInteger(number) && Number(number) > 0) &&
  isTextOrNothing(one.resource)

const isSeen = (one: unknown): boolean =>
  isRow(one) &&
  isObject(one) &&
  SOURCES.some(source => source === one.from) &&
  isObject(one.before) &&
  isTextOrNothing(one.last)

const isTextOrNothing = (one: unknown): boolean => one === undefined || typeof one === 'string'
