import {allResponseCodes, codeOf, responseCodes} from '../../../contract/response-codes.ts'

/** The meaning of a code or its name; undefined if it is unknown. */
export const wordsOf = (code: string): string | undefined => responseCodes[codeOf(code) ?? '']

/** What a person can decline with, from low to high. */
export const DECLINES: readonly (readonly [code: string, words: string])[] = allResponseCodes
  .filter(code => code !== '00' && code !== '10')
  .map(code => [code, responseCodes[code] ?? ''])

/** As in the terminal. */
export const DEFAULT_CODE = '51'
