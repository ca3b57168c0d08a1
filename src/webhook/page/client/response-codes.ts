import {responseCodes} from '../../../contract/response-codes.ts'

export const wordsOf = (code: string): string | undefined =>
  Object.hasOwn(responseCodes, code) ? responseCodes[code] : undefined

/** What a person can decline with. */
export const DECLINES: readonly (readonly [code: string, words: string])[] = Object.entries(
  responseCodes,
).filter(([code]) => code !== '00' && code !== '10')

/** As in the terminal. */
export const DEFAULT_CODE = '51'
