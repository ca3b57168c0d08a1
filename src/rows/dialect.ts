/** Spreadsheets write one of the first three between values, by the language of the system; SAP and mainframes the last. */
export const DELIMITERS = [',', ';', '\t', '|'] as const

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

/** How spreadsheets write text. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

export type Encoding = (typeof ENCODINGS)[number]

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
