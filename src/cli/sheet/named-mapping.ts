import {Failure} from '../../errors/failure.ts'
import {escapeText} from '../../output/styled.ts'
import type {Column, Table} from '../../rows/sheet/find-table.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import type {Context} from '../context.ts'
import {plainTitle} from './column-words.ts'
import {checkMappingName, findMapping, type KeptMapping, writeMapping} from './mappings-file.ts'
import type {SheetFlags} from './sheet-source.ts'

/** What a command used of a spreadsheet, so that it can be kept. */
export type UsedMapping = Pick<KeptMapping, 'map' | 'fill' | 'sheet' | 'headings'>

/** What flags and a kept mapping say together. */
export type SaidOfSheet = SheetFlags & {
  /** The kept mapping, without what a flag says otherwise. */
  readonly kept?: KeptMapping | undefined
}

const columnOf = (pair: string): string => plainTitle(pair.slice(0, pair.lastIndexOf('=')))
const fieldOf = (pair: string): string => pair.slice(pair.lastIndexOf('=') + 1).trim()

/**
 * What `--mapping` and the other flags say of a spreadsheet. A flag wins over the mapping, and that is said.
 *
 * @throws Failure USAGE for a mapping that isn't kept, or is for another operation
 */
export function withMapping(context: Context, operation: string, flags: SheetFlags): SaidOfSheet {
  const {mapping: name, 'save-mapping': saved} = flags
  if (saved !== undefined) checkMappingName(saved)
  if (name === undefined) return flags
  const found = findMapping(context, name)
  if (found.operation !== operation) {
    throw new Failure('USAGE', {
      message: `The mapping ${name} is for ${found.operation}, and not for ${operation}.`,
      hint: 'Name the columns with --map, and keep another mapping with --save-mapping.',
      effect: 'none',
    })
  }
  const {map = [], fill = []} = flags
  const isOther = (one: string) => (pair: string) =>
    columnOf(pair) !== columnOf(one) && (fieldOf(pair) === 'none' || fieldOf(pair) !== fieldOf(one))
  const keptMap = found.map.filter(pair => map.every(one => isOther(one)(pair)))
  const keptFill = found.fill.filter(pair => fill.every(one => columnOf(pair) !== columnOf(one)))
  const sheet = flags.sheet ?? found.sheet
  const replaced = [
    ...found.map.filter(pair => !keptMap.includes(pair) && !map.includes(pair)),
    ...found.fill.filter(pair => !keptFill.includes(pair) && !fill.includes(pair)),
    ...(found.sheet !== undefined && sheet !== found.sheet ? [`sheet ${found.sheet}`] : []),
  ]
  if (replaced.length > 0) {
    context.printer.note(
      `Flags are used in place of what the mapping ${name} says: ${replaced.map(escapeText).join('; ')}.`,
    )
  }
  return {
    ...flags,
    map: [...keptMap, ...map],
    fill: [...keptFill, ...fill],
    sheet,
    kept: {...found, map: keptMap, fill: keptFill},
  }
}

/**
 * A heading as it is kept and compared. What may be data, as where the header is missing, is a position.
 */
const keptHeading = ({title, place}: Column): string => (isKeepable(title) ? title : `column ${place + 1}`)

const isKeepable = (title: string): boolean =>
  title.length <= 100 &&
  /\p{L}/u.test(title) &&
  title.replace(/\D/g, '').length <= 4 &&
  !/\p{Cc}/u.test(title) &&
  maskText(title) === title

export const headingsOf = ({columns}: Table): readonly string[] => columns.map(keptHeading)

/**
 * A kept mapping is used for the same headings only, in any order: another column may have what one of the kept ones had.
 *
 * @throws Failure INPUT_INVALID, which says what differs
 */
export function refuseOtherHeadings(table: Table, kept: KeptMapping | undefined, source: string): void {
  if (kept === undefined) return
  const found = headingsOf(table)
  const missing = without(kept.headings, found)
  const more = without(found, kept.headings)
  if (missing.length + more.length === 0) return
  const named = (titles: readonly string[]): string => titles.map(escapeText).join('; ')
  const differences = [
    ...(missing.length > 0 ? [`the file lacks ${named(missing)}`] : []),
    ...(more.length > 0 ? [`the file also has ${named(more)}`] : []),
  ]
  throw new Failure('INPUT_INVALID', {
    message: `${source} has other headings than those of the mapping ${kept.name}: ${differences.join(', and ')}.`,
    hint: `If the file is right, leave out --mapping, name the columns with --map, and keep them with --save-mapping ${kept.name}.`,
    effect: 'none',
  })
}

/** The titles that the others don't have, counting each. */
function without(titles: readonly string[], others: readonly string[]): readonly string[] {
  const left = others.map(plainTitle)
  return titles.filter(title => {
    const at = left.indexOf(plainTitle(title))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/**
 * Keeps what a command used of a spreadsheet, for `--save-mapping`.
 *
 * @throws Failure USAGE if the titles can't be kept, or don't tell the columns apart
 */
export async function keepMapping(
  context: Context,
  name: string | undefined,
  operation: string,
  used: UsedMapping | undefined,
): Promise<void> {
  if (name === undefined || used === undefined) return
  const headings = used.headings.map(plainTitle)
  for (const pair of used.map) {
    const count = headings.filter(title => title === columnOf(pair)).length
    if (count === 1) continue
    throw new Failure('USAGE', {
      message:
        count > 1
          ? `--save-mapping keeps columns by their headings, and ${count} columns have the one of ${fieldOf(pair)}.`
          : `--save-mapping keeps columns by their headings, and the one of ${fieldOf(pair)} may be data.`,
      hint: 'Give the column another heading in the file, or leave out --save-mapping.',
      effect: 'none',
    })
  }
  if ([...used.fill, used.sheet ?? ''].some(text => maskText(text) !== text)) {
    throw new Failure('USAGE', {
      message: '--save-mapping keeps no card numbers, and one may be among the values of --fill.',
      hint: 'Leave out --save-mapping.',
      effect: 'none',
    })
  }
  const former = await writeMapping(context, {name, operation, ...used})
  const was = former === undefined ? '' : ` It was for ${former.operation}: ${saidBy(former)}.`
  const kept = former === undefined ? 'kept' : 'replaced'
  context.printer.note(
    `The mapping ${name} is ${kept}. Use it for files with the same headings: --mapping ${name}.${was}`,
  )
}

const saidBy = ({map, fill, sheet}: KeptMapping): string =>
  [...map, ...fill, ...(sheet === undefined ? [] : [`sheet ${sheet}`])].map(escapeText).join('; ') ||
  'nothing'
