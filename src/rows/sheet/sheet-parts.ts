import process from 'node:process'
import {Failure} from '../../errors/failure.ts'
import {type CellLooks, cellLooks} from './cell-looks.ts'
import {type CellMarks, cellMarks, formatsOf} from './cell-marks.ts'
import {withoutEmptyKinds, withPlaces} from './cell-places.ts'
import {tagsOf} from './xml-tags.ts'

const MiB = 1024 * 1024

/** What a workbook may hold when unpacked. A spreadsheet of 10,000 transfers has about 3 MiB. */
const MOST_BYTES = 256 * MiB

/** What the cells and rows of a sheet take of the heap for each unpacked byte, at most. */
const HEAP_PER_BYTE = 8

export const unreadable = (source: string, cause?: unknown): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} is no workbook that can be read.`,
    hint: 'Open it in a spreadsheet, and save it as XLSX or as CSV in UTF-8.',
    effect: 'none',
    cause,
  })

/** What its reader can't take. The sizes of the parts are known before any is unpacked. */
export const tooLarge = (source: string, what: string, cause?: unknown): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${source} is too large for a workbook here: it has ${what}.`,
    hint: 'Save the sheet as CSV in UTF-8, which takes less memory, or divide it into several files.',
    effect: 'none',
    cause,
  })

/** The end of the heap ends the process without a word. */
function freeHeap(): number {
  const {heap_size_limit: limit, used_heap_size: used} = process
    .getBuiltinModule('node:v8')
    .getHeapStatistics()
  return Math.max(0, limit - used)
}

const READ = /(?:^|\/)(?:workbook\.xml(?:\.rels)?|styles\.xml|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/

/** What a sheet of a workbook says beside the values of its cells. */
export interface SheetParts {
  readonly isHidden: boolean
  /** The lines that the sheet doesn't show, from 1. */
  readonly rows: ReadonlySet<number>
  /** The places of columns that it doesn't show, from 0. */
  readonly columns: ReadonlySet<number>
  /** Cells that hold something else than their values show. */
  readonly marks: CellMarks
  readonly looks: CellLooks
}

/** A workbook as its reader takes it, and what that doesn't say, by the name of the sheet. */
export interface WorkbookParts {
  readonly bytes: Uint8Array
  readonly sheets: ReadonlyMap<string, SheetParts>
}

/**
 * What the reader of cells doesn't say: hidden or filtered rows, hidden sheets, errors, formats, positions left out.
 *
 * @throws Failure INPUT_INVALID if a sheet isn't found: its hidden rows would be sent.
 */
export async function readSheetParts(bytes: Uint8Array, source: string): Promise<WorkbookParts> {
  const {unzipSync, zipSync, strFromU8, strToU8} = await import('fflate')
  const most = Math.min(MOST_BYTES, freeHeap() / HEAP_PER_BYTE)
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({name, originalSize}) => {
      if (!READ.test(name)) return false
      size += originalSize
      if (size > most) throw tooLarge(source, `more than ${Math.floor(most / MiB)} MiB when unpacked`)
      return true
    },
  })
  const nameOf = (end: string): string =>
    Object.keys(parts).find(each => `/${each}`.endsWith(`/${end}`)) ?? ''
  const part = (end: string): string => {
    const data = parts[nameOf(end)]
    return data === undefined ? unknownSheet(source) : strFromU8(data)
  }
  const targets = new Map(
    tagsOf(part('workbook.xml.rels'), 'Relationship').map(({Id = '', Target = ''}) => [Id, Target]),
  )
  const optional = (end: string): string => {
    const data = Object.entries(parts).find(([name]) => `/${name}`.endsWith(end))?.[1]
    return data === undefined ? '' : strFromU8(data)
  }
  const texts = {styles: optional('/styles.xml'), strings: optional('/sharedStrings.xml')}
  const formats = formatsOf(texts.styles)
  const found = new Map<string, SheetParts>()
  const changed: Record<string, Uint8Array> = {}
  for (const sheet of tagsOf(part('workbook.xml'), 'sheet')) {
    const id = Object.entries(sheet).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
    const target = targets.get(id) ?? unknownSheet(source)
    // Charts have sheets of their own, without rows.
    if (!target.includes('worksheets/')) continue
    const end = target.replace(/^\/?(?:xl\/)?/, '')
    const written = part(end)
    const xml = withPlaces(written)
    const read = withoutEmptyKinds(xml)
    if (read !== written) changed[nameOf(end)] = strToU8(read)
    const isHidden = (sheet.state ?? 'visible') !== 'visible'
    found.set(sheet.name ?? '', {
      isHidden,
      rows: hiddenLines(xml),
      columns: hiddenColumns(xml),
      marks: cellMarks(xml, formats),
      looks: cellLooks(xml, texts),
    })
  }
  // The reader would unpack a large part in a thread whose code is text of the functions here, which no build keeps.
  return {bytes: zipSync({...parts, ...changed}, {level: 0}), sheets: found}
}

export const unknownSheet = (source: string): never => {
  throw unreadable(source)
}

/** The lines that are hidden, filtered out or of no height. */
function hiddenLines(xml: string): ReadonlySet<number> {
  const lines = new Set<number>()
  for (const {r, hidden, ht} of tagsOf(xml, 'row'))
    if (hidden === '1' || hidden === 'true' || (ht !== undefined && Number(ht) === 0)) lines.add(Number(r))
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
