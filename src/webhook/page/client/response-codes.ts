/** Response codes (ISO 8583, data element 39) in words. */
const WORDS: Readonly<Record<string, string>> = {
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

export const wordsOf = (code: string): string | undefined =>
  Object.hasOwn(WORDS, code) ? WORDS[code] : undefined

/** What a person can decline with. */
export const DECLINES: readonly (readonly [code: string, words: string])[] = Object.entries(WORDS).filter(
  ([code]) => code !== '00' && code !== '10',
)

/** As in the terminal. */
export const DEFAULT_CODE = '51'
