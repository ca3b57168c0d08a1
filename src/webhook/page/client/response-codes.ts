import {allResponseCodes, codeOf, responseCodes} from '../../../contract/response-codes.ts'

/** What a code or its name means; undefined for one that nobody knows. */
export const wordsOf = (code: string): string | undefined => responseCodes[codeOf(code) ?? '']

/** What a person can decline with, from low to high. */
export const DECLINES: readonly (readonly [code: string, words: string])[] = allResponseCodes
  .filter(code => code !== '00' && code !== '10')
  .map(code => [code, responseCodes[code] ?? ''])

/** As in the terminal. */
export const DEFAULT_CODE = '51'
