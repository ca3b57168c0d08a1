import {Failure} from '../errors/failure.ts'

/** Spreadsheets write any of these between values, by the language of the system. */
const DELIMITERS = [',', ';', '\t'] as const

export type Delimiter = (typeof DELIMITERS)[number]

/** The line that tells a spreadsheet the delimiter: `sep=;`. */
export const namedDelimiter = (line: string): Delimiter | undefined =>
  DELIMITERS.find(delimiter => line.toLowerCase() === `sep=${delimiter}`)

/** The delimiter that a header has most of outside quotes; a comma if it has none. */
export function delimiterOf(header: string): Delimiter {
  const unquoted = header.replaceAll(/"[^"]*(?:"|$)/g, '')
  const count = (delimiter: Delimiter): number => unquoted.split(delimiter).length
  return DELIMITERS.reduce((most, each) => (count(each) > count(most) ? each : most))
}

/** How spreadsheets write: text in this encoding, decimals after this sign. */
export const ENCODINGS = ['utf-8', 'windows-1252'] as const
export const DECIMALS = ['point', 'comma'] as const

export type Encoding = (typeof ENCODINGS)[number]
export type Decimal = (typeof DECIMALS)[number]

/** The bytes of the same text in UTF-8. */
export async function* toUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding = 'utf-8',
): AsyncIterable<Uint8Array> {
  if (encoding === 'utf-8') {
    yield* bytes
    return
  }
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, {stream: true}))
}

/** A number as spreadsheets write it, with the sign for decimals that the user named. */
const WITH_COMMA = /^-?\d+,\d+$/

/** Half of the spreadsheets of the world write 1500 so, and the other half 1.5. */
const IN_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/

/**
 * The same number with a decimal point. `1,500` and `1.500` may mean one and a half or 1500, so they count only if the
 * user said which sign comes before the decimals. Text that has none of it is returned unchanged.
 *
 * @param decimal undefined if the user said nothing about a file that people write.
 * @throws Failure INPUT_INVALID, which does not quote it.
 */
export function decimalPoint(text: string, decimal?: Decimal): string {
  const number = text.trim()
  if (decimal === 'comma') {
    if (WITH_COMMA.test(number)) return number.replace(',', '.')
    if (!/[.,]/.test(number)) return number
    throw new Failure('INPUT_INVALID', {
      message:
        'With --decimal comma, the number must be written like 1500,50: no point, no thousands separators',
    })
  }
  if (decimal === undefined && IN_THOUSANDS.test(number)) {
    throw new Failure('INPUT_INVALID', {
      message:
        'The number has a point before three digits, so it may be meant in thousands. If that is the decimal point, add --decimal point; remove thousands separators',
    })
  }
  if (!number.includes(',')) return number
  throw new Failure('INPUT_INVALID', {
    message:
      'The number has a comma. If that is the decimal comma, add --decimal comma; remove thousands separators',
  })
}

/**
 * Finds the field that a column stands for: its own name, else the one that differs only in capitals, spaces, hyphens
 * and underscores. Other columns keep their names.
 */
export function columnNames(fields: readonly string[]): (column: string) => string {
  const exact = new Set(fields)
  const alike = new Map<string, string | undefined>()
  for (const field of fields) {
    const key = plain(field)
    // Two fields that are so alike are told apart by their exact names only.
    alike.set(key, alike.has(key) && alike.get(key) !== field ? undefined : field)
  }
  return column => (exact.has(column) ? column : (alike.get(plain(column)) ?? column))
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
