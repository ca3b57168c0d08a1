import {jsonFault} from '../../../input/json-fault.ts'
import {formatAmount, THIN_SPACE} from '../../../money/amount.ts'

/** What draws nothing, turns the writing around, or joins what it must not: shown as its number instead. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Text of others, so that what is seen is what is there. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** JSON that can be copied into a terminal: nothing in it is unseen. */
export const plainJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, undefined, indent) ?? '').replace(UNSEEN, char =>
    char === '\n' ? char : visible(char),
  )

/** `12 345.60` with a thin space between the groups. */
export const amountText = (amount: number, currency: string | undefined): string =>
  formatAmount(amount, currency, {grouping: THIN_SPACE})

/** `1 250` with a thin space; tenths below ten. */
export function millisText(ms: number): string {
  return ms < 9.95
    ? ms.toFixed(1).replace('.0', '')
    : formatAmount(Math.round(ms), undefined, {grouping: THIN_SPACE})
}

/** `14:02:08` in the browser's zone; whole, with milliseconds and the zone: `14:02:08.117 UTC+2`. */
export function clockText(at: number, {millis = false} = {}): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const whole = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return millis ? `${whole}.${String(date.getMilliseconds()).padStart(3, '0')} ${zoneText(date)}` : whole
}

/** `UTC`, `UTC+5:30`: as the command line names it. */
function zoneText(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Why a text cannot be sent as JSON, as a sentence; undefined where it can. */
export function whyNoJson(text: string): string | undefined {
  if (text.trim() === '') return 'The body is empty.'
  const fault = jsonFault(text)
  if (!fault) return undefined
  if (fault.isEnd) return 'Invalid JSON: the end is missing.'
  return `Invalid JSON at line ${fault.line}, column ${fault.column}.`
}

/** Words as a sentence. */
export const sentenceOf = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
