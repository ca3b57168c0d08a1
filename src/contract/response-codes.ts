import {nearestName} from '../errors/nearest-name.ts'
import {responseCodeNames, responseCodes} from './response-codes.gen.ts'

export {responseCodeNames, responseCodes}

/** Every code in ascending order. (In an object, fields whose names are integers come before all others.) */
export const allResponseCodes: readonly string[] = Object.keys(responseCodes).sort()

/** The code that a word means: a code, or the name of one. Undefined for anything else: no service knows it. */
export function codeOf(word: string): string | undefined {
  if (Object.hasOwn(responseCodeNames, word)) return responseCodeNames[word]
  return Object.hasOwn(responseCodes, word) ? word : undefined
}

/** Codes and their names. */
export const describeCodes = (isWanted: (code: string) => boolean): string => {
  const names = Object.keys(responseCodeNames).filter(name => isWanted(responseCodeNames[name] ?? ''))
  return `${allResponseCodes.filter(isWanted).join(', ')}, or by name ${names.join(', ')}`
}

/** A word that can't be a secret: three digits at most, or letters. */
const QUOTABLE = /^(?:\d{1,3}|[A-Za-z_]{1,40})$/

/** What is wrong with a word that isn't a code, as a sentence without a full stop. Quotes only what can't be a secret. */
export function unknownCode(word: string): {readonly message: string; readonly suggestion?: string} {
  const suggestion = nearestName(word, Object.keys(responseCodeNames))
  return {
    message: `${QUOTABLE.test(word) ? `"${word}"` : 'what it has'} is not a response code; there are ${allResponseCodes.join(', ')}, and names such as NOT_SUFFICIENT_FUNDS`,
    ...(suggestion === undefined ? {} : {suggestion}),
  }
}
