import {maskAnswer} from '../contract/mask-answer.ts'
import {maskWithin} from '../sensitive/mask-text.ts'

/** More of an answer is not shown. */
const LONGEST = 500

/** What an endpoint or a command said, as it may be shown: masked, and not more than its beginning. */
export function shownAnswer(text: string): string {
  const masked = maskAnswer(text)
  const words = typeof masked === 'string' ? masked : JSON.stringify(masked)
  return words === '' ? 'no body' : maskWithin(words, LONGEST)
}
