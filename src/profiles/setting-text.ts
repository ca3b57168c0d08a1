import {Failure} from '../errors/failure.ts'
import {readDuration} from '../limits/duration.ts'
import {type RateWindow, readRateWindow} from '../limits/rate-window.ts'

const MOST = 1_000_000

/** "50/s,3000/min". @throws Failure USAGE */
export function parseRateWindows(text: string, name = '--rate-limit'): readonly RateWindow[] {
  return text.split(',').map(part => {
    const window = readRateWindow(part)
    const {count = 0} = window ?? {}
    if (window !== undefined && Number.isInteger(count) && count >= 1 && count <= MOST) return window
    throw new Failure('USAGE', {
      message: `${name} takes limits such as 50/s,3000/min; the count is from 1 to ${MOST}.`,
    })
  })
}

/** "50/s,3000/min" as the quota of a profile. @throws Failure USAGE */
export function parseQuota(text: string, name: string): {perSecond?: number; perMinute?: number} {
  const rate: {perSecond?: number; perMinute?: number} = {}
  for (const {count, windowMs} of parseRateWindows(text, name)) {
    if (windowMs === 1000) rate.perSecond = count
    else if (windowMs === 60_000) rate.perMinute = count
    else throw new Failure('USAGE', {message: `${name} of a profile is by the second and the minute.`})
  }
  return rate
}

/** "20%" as 0.2. @throws Failure USAGE */
export function parsePercent(text: string, name: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? []
  const value = Number(digits) / 100
  if (value > 0 && value <= 1) return value
  throw new Failure('USAGE', {message: `${name} takes a part of the quota, such as 20%.`})
}

/** "NAME=VALUE" of each text. @throws Failure USAGE */
export function parsePairs(texts: readonly string[], name: string): [string, string][] {
  return texts.map(text => {
    const at = text.indexOf('=')
    if (at < 1) throw new Failure('USAGE', {message: `${name} takes NAME=VALUE.`})
    return [text.slice(0, at), text.slice(at + 1)]
  })
}

/** The text of a variable as yes or no. @throws Failure INPUT_INVALID */
export function parseYesNo(text: string, name: string): boolean {
  const word = text.trim().toLowerCase()
  if (['1', 'true', 'yes'].includes(word)) return true
  if (['0', 'false', 'no'].includes(word)) return false
  throw new Failure('INPUT_INVALID', {message: `${name} must be 1 or 0.`, effect: 'none'})
}

/** The text of a variable as a duration, in milliseconds. @throws Failure INPUT_INVALID */
export function parseMs(text: string, name: string): number {
  const ms = readDuration(text.trim())
  if (ms !== undefined) return ms
  throw new Failure('INPUT_INVALID', {
    message: `${name} must be a number with ms, s, m, h or d, for example 30s.`,
    effect: 'none',
  })
}

/** `groups.*.prefix` and `cards` become groups, cards, prefix; `words` and `walleta` become words, walleta. */
export function pathOfPair(name: string, key: string): readonly string[] {
  const path = name.includes('*') ? name : `${name}.*`
  return path.split('.').map(member => (member === '*' ? key : member))
}

/** Sets a field at a path. Uses defineProperty, because a name from the user may be __proto__. */
export function putAt(
  owner: Record<string, unknown>,
  [member = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const inner = Object.hasOwn(owner, member) ? owner[member] : undefined
  if (rest.length > 0) {
    const child = typeof inner === 'object' && inner !== null ? {...inner} : {}
    putAt(child, rest, value)
    putAt(owner, [member], child)
    return
  }
  const merged = typeof inner === 'object' && typeof value === 'object' ? {...inner, ...value} : value
  Object.defineProperty(owner, member, {value: merged, enumerable: true, configurable: true, writable: true})
}
