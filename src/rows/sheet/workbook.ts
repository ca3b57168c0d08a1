import {Failure} from '../../errors/failure.ts'
import type {Cell, Sheet} from './sheet.ts'

/** What a workbook may hold when unpacked. A spreadsheet of 10,000 transfers has about 3 MiB. */
const MOST_BYTES = 256 * 1024 * 1024

/** Whether the bytes begin as a ZIP file does: an XLSX workbook is one. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Whether they begin as the workbooks of Excel before 2007 (XLS), and encrypted ones, do. */
export const isCompoundFile = (bytes: Uint8Array): boolean =>
  [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte)

/**
 * The sheets of an XLSX workbook (ECMA-376), in order. Numbers are as they are stored, in the 15 digits that
 * spreadsheets keep; dates are ISO dates; a formula has the value that was saved with it.
 *
 * @throws Failure INPUT_INVALID
 */
export async function readWorkbook(bytes: Uint8Array, source: string): Promise<readonly Sheet[]> {
  try {
    const hidden = await hiddenParts(bytes, source)
    const {default: readXlsx} = await import('read-excel-file/universal')
    const whole = new Uint8Array(bytes).buffer
    const sheets = await readXlsx(whole, {trim: false, parseNumber: text => new StoredNumber(text)})
    return sheets.map(({sheet, data}) => {
      const {rows, columns, isHidden} = hidden.get(sheet) ?? unknownSheet(source)
      return {
        name: sheet,
        isHidden,
        hiddenLines: rows,
        hiddenColumns: columns,
        records: data.map((cells, at) => ({line: at + 1, fields: cells.map(cellOf)})),
      }
    })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreadable(source, error)
  }
}

const unreadable = (source: string, cause?: unknown): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} is no workbook that can be read.`,
    hint: 'Open it in a spreadsheet, and save it as XLSX or as CSV in UTF-8.',
    effect: 'none',
    cause,
  })

/** A number as the file has it. */
class StoredNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Digits that a spreadsheet keeps of a number; a computed 55.1 is stored as 55.100000000000001. */
const KEPT_DIGITS = 15

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  if (value instanceof StoredNumber) return Number(Number(value.text).toPrecision(KEPT_DIGITS))
  if (typeof value === 'number') return Number(value.toPrecision(KEPT_DIGITS))
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value)
}

interface HiddenParts {
  readonly isHidden: boolean
  /** The lines that the sheet doesn't show, from 1. */
  readonly rows: ReadonlySet<number>
  /** The places of columns that it doesn't show, from 0. */
  readonly columns: ReadonlySet<number>
}

/**
 * What a person who opens the workbook doesn't see, by the name of the sheet: hidden or filtered rows, hidden sheets. The
 * reader of cells doesn't say it.
 *
 * @throws Failure INPUT_INVALID if a sheet isn't found: its hidden rows would be sent.
 */
async function hiddenParts(bytes: Uint8Array, source: string): Promise<ReadonlyMap<string, HiddenParts>> {
  const {unzipSync, strFromU8} = await import('fflate')
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({name, originalSize}) => {
      size += originalSize
      if (size > MOST_BYTES) {
        throw new Failure('INPUT_INVALID', {
          message: `${source} has more than ${MOST_BYTES / 1024 / 1024} MiB when unpacked.`,
          hint: 'Save the sheet as CSV.',
          effect: 'none',
        })
      }
      return /(?:^|\/)(?:workbook\.xml(?:\.rels)?|worksheets\/[^/]+\.xml)$/.test(name)
    },
  })
  const part = (end: string): string => {
    const [name] = Object.keys(parts).filter(each => `/${each}`.endsWith(`/${end}`))
    const data = name === undefined ? undefined : parts[name]
    return data === undefined ? unknownSheet(source) : strFromU8(data)
  }
  const targets = new Map(
    tagsOf(part('workbook.xml.rels'), 'Relationship').map(({Id = '', Target = ''}) => [Id, Target]),
  )
  const hidden = new Map<string, HiddenParts>()
  for (const sheet of tagsOf(part('workbook.xml'), 'sheet')) {
    const id = Object.entries(sheet).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    const target = targets.get(id) ?? unknownSheet(source)
    // Charts have sheets of their own, without rows.
    if (!target.includes('worksheets/')) continue
    const xml = part(target.replace(/^\/?(?:xl\/)?/, ''))
    const isHidden = (sheet.state ?? 'visible') !== 'visible'
    hidden.set(sheet.name ?? '', {isHidden, rows: hiddenLines(xml), columns: hiddenColumns(xml)})
  }
  return hidden
}

const unknownSheet = (source: string): never => {
  throw unreadable(source)
}

/** The lines that are hidden, filtered out or of no height. A row without a number follows the one before it. */
function hiddenLines(xml: string): ReadonlySet<number> {
  const lines = new Set<number>()
  let line = 0
  for (const {r, hidden, ht} of tagsOf(xml, 'row')) {
    line = r === undefined ? line + 1 : Number(r)
    if (hidden === '1' || hidden === 'true' || (ht !== undefined && Number(ht) === 0)) lines.add(line)
  }
  return lines
}

/** A workbook has at most as many columns. */
const MOST_COLUMNS = 16_384

/** The columns that are hidden or of no width, by their places from 0. */
function hiddenColumns(xml: string): ReadonlySet<number> {
  const places = new Set<number>()
  for (const {min, max, hidden, width} of tagsOf(xml, 'col')) {
    if (hidden !== '1' && hidden !== 'true' && (width === undefined || Number(width) !== 0)) continue
    const last = Math.min(Number(max), MOST_COLUMNS)
    for (let column = Number(min); column <= last; column++) places.add(column - 1)
  }
  return places
}

/** The attributes of all elements of this name. */
function tagsOf(xml: string, name: string): readonly Readonly<Record<string, string>>[] {
  return [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key, one, other]) => [
        key,
        unescaped(one ?? other ?? ''),
      ]),
    ),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {lt: '<', gt: '>', quot: '"', apos: "'", amp: '&'}

const unescaped = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
