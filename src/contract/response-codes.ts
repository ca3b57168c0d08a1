import {nearestName} from '../errors/nearest-name.ts'

/** Meanings of the contract's response codes (ISO 8583, data element 39), for people. */
export const responseCodes: Readonly<Record<string, string>> = {
  '00': 'approved',
  '05': 'do not honour',
  '10': 'partially approved',
  '14': 'invalid card',
  '41': 'lost card',
  '43': 'stolen card',
  '46': 'closed account',
  '51': 'insufficient funds',
  '54': 'expired card',
  '55': 'wrong PIN',
  '57': 'not permitted',
  '59': 'suspected fraud',
  '61': 'exceeds the amount limit',
  '62': 'restricted card',
  '65': 'exceeds the frequency limit',
  '75': 'PIN tries exceeded',
  '96': 'system error',
}

/** Names of response codes. A service or an endpoint may use the name or the code. */
export const responseCodeNames: Readonly<Record<string, string>> = {
  APPROVED: '00',
  DO_NOT_HONOR: '05',
  PARTIALLY_APPROVED: '10',
  NOT_SUFFICIENT_FUNDS: '51',
  NOT_PERMITTED: '57',
  EXCEEDS_AMOUNT_LIMIT: '61',
  RESTRICTED_CARD: '62',
  EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT: '65',
  SYSTEM_ERROR: '96',
}

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

/** What is wrong with a word that isn't a code, as a sentence without a full stop. Doesn't quote the word. */
export function unknownCode(word: string): {readonly message: string; readonly suggestion?: string} {
  const suggestion = nearestName(word, Object.keys(responseCodeNames))
  return {
    message: `the response code is unknown; there are ${allResponseCodes.join(', ')}, and names such as NOT_SUFFICIENT_FUNDS`,
    ...(suggestion === undefined ? {} : {suggestion}),
  }
}
