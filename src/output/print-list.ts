import {isObject} from '../errors/is-object.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {spareMemory} from '../rows/spare-memory.ts'
import {chooseFields, fieldAt, jsonText, plain} from './fields.ts'
import {csvColumns, csvEncoder, valuedColumns} from './formats.ts'
import type {OutputOptions} from './printer-options.ts'
import {escapeUnits, jsonLine} from './styled.ts'

/** Number of items that determine the columns of a streaming CSV list. */
const LOOKED_AT = 100

export interface ListOutput {
  write(text: string): Promise<void>
  warn(text: string): void
  /** Whether the reader closed the output. */
  isClosed(): boolean
}

type Items = AsyncIterable<unknown> | Iterable<unknown>

/** Number of items of a long list that are formatted together, where a format has no lines. */
export const PART = 1000

type Abandonably = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * The items in lists of at most `size`. Items that are there without waiting are collected abandonably: no signal would
 * be noticed while a million of them are read from a file.
 */
export async function* inParts<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
  abandonably: Abandonably,
): AsyncGenerator<Item[], undefined, undefined> {
  const isThere = Symbol.iterator in items
  const left = isThere ? items[Symbol.iterator]() : items[Symbol.asyncIterator]()
  const collect = async (): Promise<Item[]> => {
    const part: Item[] = []
    while (part.length < size) {
      const next = await left.next()
      if (next.done === true) break
      part.push(next.value)
    }
    return part
  }
  try {
    for (;;) {
      const part = isThere ? await abandonably(collect) : await collect()
      if (part.length === 0) return
      yield part
    }
  } finally {
    await left.return?.()
  }
}

/** Prints items as NDJSON as they arrive. Stops fetching once the reader has closed the output. */
export async function streamNdjson(
  items: Items,
  {columns}: OutputOptions,
  output: ListOutput,
): Promise<void> {
  const missing = missingColumns(columns)
  const lineOf = (item: unknown): string => {
    if (columns === undefined) return escapeUnits(jsonText(item))
    const value = plain(item)
    missing.see(value)
    return jsonLine(chooseFields(value, columns))
  }
  await writeLines(items, output, async write => {
    for await (const item of items) {
      await write(`${lineOf(item)}\n`)
      if (output.isClosed()) return
    }
    missing.tell(output)
  })
}

/**
 * Prints items as CSV as they arrive. Unless columns are chosen, the first hundred items determine them. If a later
 * item has more fields, a warning names them.
 */
export async function streamCsv(items: Items, options: OutputOptions, output: ListOutput): Promise<void> {
  const missing = missingColumns(options.columns)
  await writeLines(items, output, async write => {
    const writer = csvWriter(options, {write, warn: text => output.warn(text)})
    for await (const item of items) {
      const value = plain(item)
      missing.see(value)
      await writer.add(value)
      if (output.isClosed()) return
    }
    await writer.end()
    missing.tell(output)
  })
}

type WriteLine = (text: string) => Promise<void> | undefined

/** Number of characters per write: a write for each line costs more than building the line. */
const TOGETHER = 65_536

/**
 * Lets `work` write lines in batches while items are available without waiting. Before it waits for an item, and if
 * `work` throws, everything so far is written.
 */
async function writeLines(
  items: Items,
  output: ListOutput,
  work: (write: WriteLine) => Promise<void>,
): Promise<void> {
  spareMemory()
  const most = Symbol.iterator in items ? TOGETHER : 0
  let waiting = ''
  const flush = (): Promise<void> => {
    const text = waiting
    waiting = ''
    return output.write(text)
  }
  try {
    await work(text => {
      waiting += text
      return waiting.length >= most ? flush() : undefined
    })
  } finally {
    await flush()
  }
}

function csvWriter(
  options: OutputOptions,
  output: {readonly write: WriteLine; readonly warn: (text: string) => void},
) {
  const left = new Set<string>()
  let waiting: unknown[] = []
  let write: ((value: unknown) => Promise<void> | undefined) | undefined
  const begin = async () => {
    const columns = options.columns ?? csvColumns(waiting)
    // The columns of an empty list are unknown, and an empty header would be a blank line.
    if (columns.length === 0) return
    const encoder = await csvEncoder(columns, options)
    const known = new Set(columns)
    write = value => {
      if (options.columns === undefined) {
        for (const name of valuedColumns(value)) if (!known.has(name)) left.add(name)
      }
      return output.write(encoder.item(value))
    }
    await output.write(encoder.header())
    for (const value of waiting) await write(value)
    waiting = []
  }
  return {
    async add(value: unknown) {
      if (write !== undefined) return write(value)
      waiting.push(value)
      if (options.columns !== undefined || waiting.length >= LOOKED_AT) await begin()
    },
    async end() {
      if (write === undefined) await begin()
      if (left.size > 0) output.warn(`The columns omit fields that some items have: ${[...left].join(', ')}`)
    },
  }
}

/** Finds chosen columns that no item has; they are probably misspelled. */
export function missingColumns(columns: readonly string[] | undefined) {
  const missing = new Set(columns)
  const members = new Set<string>()
  let items = 0
  return {
    see(value: unknown): void {
      items += 1
      for (const name of missing) if (fieldAt(value, name) !== undefined) missing.delete(name)
      if (missing.size > 0 && isObject(value)) for (const name of Object.keys(value)) members.add(name)
    },
    tell(output: Pick<ListOutput, 'warn'>): void {
      if (items === 0 || missing.size === 0) return
      const meant = [...missing].flatMap(name => nearestName(name, members) ?? [])
      const question = meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`
      output.warn(`No item has the field ${[...missing].join(', ')}${question}`)
    },
  }
}
