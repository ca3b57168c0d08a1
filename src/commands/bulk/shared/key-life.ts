import {type JournalStore, KEY_LIFE_MS} from '../../../journal/index.ts'

/** How long before the service forgets a key it is no longer used, in milliseconds: the run itself takes time. */
const KEY_MARGIN_MS = 30 * 60_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Until when rows that were sent at this time, in ms since 1970, are sent again without a second effect. */
export const keyEnd = (since: number): number => since + KEY_LIFE_MS - KEY_MARGIN_MS

/** Whether the service still knows the keys of rows that were sent then, as far as the clock of this machine says. */
export const isKeyAlive = (since: number, now: number): boolean =>
  now >= since - KEY_MARGIN_MS && now < keyEnd(since)

/** Whether it was sent by a clock that was ahead of the one of now. */
export const isToCome = (since: number, now: number): boolean => since - KEY_MARGIN_MS > now

/**
 * How far the clock of this machine is ahead of what a service said the time is, in ms, where that alone is why keys
 * count as forgotten: with the clock set right, what was sent then is sent again without a second effect.
 */
export function onlyAheadMs(since: number, store: Pick<JournalStore, 'now' | 'span'>): number | undefined {
  const {from, until} = store.span()
  const ahead = store.now() - from
  return ahead > MINUTE_MS && !isKeyAlive(since, until) && isKeyAlive(since, from) ? ahead : undefined
}

/** How far it is ahead, for a sentence. */
export function aheadWords(ms: number): string {
  const hours = Math.max(1, Math.round(ms / HOUR_MS))
  const far = hours < 72 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`
  return `The clock of this machine is about ${far} ahead of the service's`
}

/** The condition for what is safe then. */
export const CLOCK_RIGHT = 'when the clock is right'
