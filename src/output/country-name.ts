import {countryName} from '../contract/countries.ts'

/** `AUS (Australia)`, so that nobody takes it for Austria. Other text stays as it is. */
export function countryWords(code: string): string {
  const name = countryName(code)
  return name === undefined ? code : `${code} (${name})`
}
