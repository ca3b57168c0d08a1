import {codeOf, describeCodes} from '../contract/response-codes.ts'
import {Failure} from '../errors/failure.ts'

/** The two characters of a code, or of the code with that name. Anything else is returned unchanged. */
export const codeNumber = (code: string): string => codeOf(code) ?? code

export type Outcome = 'approved' | 'partial' | 'declined'

export function outcomeOf(code: string): Outcome {
  const number = codeNumber(code)
  return number === '00' ? 'approved' : number === '10' ? 'partial' : 'declined'
}

/** A response code that declines, as sent. Takes a code or a name; undefined for anything else. */
export function findDeclineCode(text: string): string | undefined {
  const code = text.toUpperCase()
  return codeOf(code) !== undefined && outcomeOf(code) === 'declined' ? code : undefined
}

/** The codes and names that can decline, in words. */
export const declineCodesInWords = (): string => describeCodes(code => outcomeOf(code) === 'declined')

/** @throws Failure USAGE for what `findDeclineCode` doesn't know, also for 00 and 10, which decline nothing. */
export function declineCode(text: string): string {
  const code = findDeclineCode(text)
  if (code !== undefined) return code
  throw new Failure('USAGE', {
    message: `--decline takes a response code that declines: ${declineCodesInWords()}.`,
  })
}
