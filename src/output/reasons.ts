import {isObject} from '../errors/is-object.ts'
import {count} from '../money/amount.ts'
import {maskText, maskWithin} from '../sensitive/mask-text.ts'

/** Why rows are not done: a code, how many rows have it, and the first of them. */
interface Reason {
  readonly code: string
  readonly status?: number
  readonly count: number
  readonly example: {readonly row: number; readonly message?: string; readonly request?: string}
}

/** A message of the journal may be long. */
const LONGEST = 300

/**
 * "3 × REFUSED (HTTP 409), such as row 2 (request r_…): …", for reasons as a summary has them.
 *
 * @param told the message of the error, which may have said it.
 */
export function reasonLines(reasons: unknown, told = ''): readonly string[] {
  if (!Array.isArray(reasons)) return []
  return reasons.filter(isReason).map(({code, status, count: rows, example: {row, request, message}}) => {
    const kind = status === undefined || status === null ? code : `${code} (HTTP ${status})`
    const first = `${rows === 1 ? '' : 'such as '}row ${row}${request ? ` (request ${request})` : ''}`
    return `${count(rows)} × ${kind}, ${first}${wordsOf(message, told)}`
  })
}

/** What was told isn't said twice. A row without a message was sent, and its end isn't recorded. */
const wordsOf = (message: string | undefined, told: string): string => {
  if (!message)
    return ': the run was cut off before the response was recorded, so the service may have done it'
  return told.includes(message) ? '' : `: ${maskWithin(message, LONGEST)}`
}

/** The same reasons as data. */
export const maskReasons = (reasons: unknown): unknown =>
  Array.isArray(reasons)
    ? reasons.map((reason: unknown) => {
        if (!isReason(reason) || reason.example.message === undefined) return reason
        return {...reason, example: {...reason.example, message: maskText(reason.example.message)}}
      })
    : reasons

const isReason = (value: unknown): value is Reason =>
  isObject(value) && typeof value.code === 'string' && isObject(value.example)
