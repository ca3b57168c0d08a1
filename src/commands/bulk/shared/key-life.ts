import {KEY_LIFE_MS} from '../../../journal/index.ts'

/** How long before the service forgets a key it is no longer used, in milliseconds: the run itself takes time. */
const KEY_MARGIN_MS = 30 * 60_000

/** Until when rows that were sent at this time, in ms since 1970, are sent again without a second effect. */
export const keyEnd = (since: number): number => since + KEY_LIFE_MS - KEY_MARGIN_MS

/** Whether the service still knows the keys of rows that were sent then, as far as the clock of this machine says. */
export const isKeyAlive = (since: number, now: number): boolean =>
  now >= since - KEY_MARGIN_MS && now < keyEnd(since)

/** Whether it was sent by a clock that was ahead of the one of now. */
export const isToCome = (since: number, now: number): boolean => since - KEY_MARGIN_MS > now
