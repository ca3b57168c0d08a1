import type {Exchange} from '../exchange.ts'
import type {Recording} from '../recording/recording.ts'
import {briefOf, type HistoryPage} from './wire.ts'

/** Calls of one page: reading more at once would keep other calls waiting. */
const PAGE = 500

/** The calls of the recording, for the page. */
export interface History {
  /** The calls that arrived until a time and are older than an event, newest first, without what a list doesn't show. */
  page(before?: {readonly at: number; readonly event?: string | undefined}): HistoryPage
  /** A whole call by the id of its event. */
  call(event: string): Exchange | undefined
  close(): void
}

/** Opens the recording when it is first asked for. */
export function createHistory(open: () => Recording): History {
  let opened: Recording | undefined
  const recording = () => {
    opened ??= open()
    return opened
  }
  return {
    page: before => {
      const calls: Exchange[] = []
      // Calls of the same millisecond come again: those up to the named one are known.
      let known = before?.event !== undefined
      const sameTime: Exchange[] = []
      for (const exchange of recording().iterate(before && {until: before.at + 1})) {
        if (known && exchange.event.at === before?.at) {
          sameTime.push(exchange)
          if (exchange.event.event === before.event) {
            sameTime.length = 0
            known = false
          }
          continue
        }
        if (sameTime.length > 0) calls.push(...sameTime.splice(0))
        known = false
        calls.push(exchange)
        if (calls.length >= PAGE) break
      }
      calls.push(...sameTime)
      const last = calls.length >= PAGE ? calls.at(-1)?.event : undefined
      return {
        calls: calls.map(briefOf),
        total: recording().count(),
        ...(last && {next: {at: last.at, event: last.event}}),
      }
    },
    call: event => {
      const at = timeOf(event)
      return at === undefined ? undefined : recording().get(event, at)
    },
    close: () => opened?.close(),
  }
}

/** Crockford's base 32, in which ids have their time. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const EVENT = /^e_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/

/** When the call of an event arrived, to the millisecond: the recording is searched only there. */
export function timeOf(event: string): number | undefined {
  const [, time] = EVENT.exec(event) ?? []
  if (time === undefined) return undefined
  return [...time].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0)
}
