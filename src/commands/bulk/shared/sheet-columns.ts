import {pathSteps} from '../../../cli/body.ts'
import {plainTitle, samplesOf, titleOf, titlesOf} from '../../../cli/sheet/column-words.ts'
import {marksRows} from '../../../cli/sheet/marked-rows.ts'
import {refuseUnit} from '../../../cli/sheet/other-unit.ts'
import type {SheetFaults} from '../../../cli/sheet/sheet-faults.ts'
import type {SheetSource} from '../../../cli/sheet/sheet-source.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {escapeText} from '../../../output/styled.ts'
import {quotableName} from '../../../rows/problems.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {cellText} from '../../../rows/sheet/sheet.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import type {RowFields} from './row-fields.ts'
import {type ColumnMap, NOT_SENT} from './row-input.ts'
import {isUnusedRemark, unusedNote} from './unused-remarks.ts'

interface RowNumbers {
  /** Whether a parameter or field takes numbers. */
  takesNumber(field: string): boolean
}

/** A column of the file, and its name in the rows. */
export interface NamedColumn extends Column {
  readonly name: string
  readonly field: string
}

export interface NamedColumns {
  readonly columns: readonly NamedColumn[]
  /** `--map`, with what a person answered. */
  readonly map: ColumnMap
  /** Whether it isn't known of each column what it is. */
  readonly isOpen: boolean
  /** What is said of columns that are left out. */
  readonly notes: readonly string[]
}

/**
 * The parameter or field that each column of a table fills. A column is left out only if the user says so, or if it has
 * remarks and nothing of the request can mean them: what is in it may have been meant.
 *
 * @param faults told of columns that aren't known, if the rows can be read without them
 * @throws Failure INPUT_INVALID, USAGE
 */
export async function nameColumns(
  table: Table,
  fields: RowFields,
  given: SheetSource & RowNumbers & {readonly columns: ColumnMap; readonly operation: string},
  faults: SheetFaults,
): Promise<NamedColumns> {
  const map: Record<string, string> = {...given.columns}
  refuseMissing(table, fields, given)
  const named = table.columns.map(column => ({...column, name: fields.nameOf(column.title)}))
  // The place of a column is no name of a field.
  const isKnown = (name: string): boolean =>
    fields.isKnown(name) && (table.headings.length > 0 || Object.hasOwn(given.columns, name))
  // A column without a single value has nothing to send.
  const isUnknown = ({name, place}: (typeof named)[number]): boolean =>
    !isKnown(name) && table.rows.some(row => 'fields' in row && cellText(row.fields[place]) !== '')
  const taken = (): Set<string> =>
    new Set(named.filter(one => !isUnknown(one)).map(({name}) => fields.fieldOf(name)))
  const remarks = named.filter(one => isUnknown(one) && isUnusedRemark(one, table, fields, taken()))
  const unknown = named.filter(one => isUnknown(one) && !remarks.includes(one))
  const chosen = new Map<number, string>()
  faults.try(() => refuseUnknownUnits(table, unknown, taken(), fields, given), undefined)
  if (unknown.length > 0 && given.prompter !== undefined) {
    for (const column of unknown) {
      const used = new Set([...taken(), ...chosen.values()])
      const free = fields.names.filter(name => !used.has(name))
      const needed = free.filter(name => fields.needed.includes(name))
      const alike = resembling(column.title, free)
      // What it says of rows is asked about with what is to be done with them.
      if ((alike.length === 0 || hasOwnStates(column, table, given)) && marksRows(column, table.rows)) {
        given.answered?.('--map', `${column.title}=${NOT_SENT}`)
        map[column.title] = NOT_SENT
        chosen.set(column.place, NOT_SENT)
        continue
      }
      const first = [...new Set([...alike, ...needed])]
      const choices = [
        ...first.map(name => ({value: name, name})),
        // Nobody means a field that has nothing of the title by pressing Enter.
        {value: NOT_SENT, name: 'Nothing: leave it out'},
        ...free.filter(name => !first.includes(name)).map(name => ({value: name, name})),
      ]
      const target = await given.prompter.search(
        `${escapeText(maskText(column.title))} (${samplesOf(table, column)}): what is it?`,
        typed => choices.filter(({name}) => plainTitle(name).includes(plainTitle(typed ?? ''))),
      )
      given.answered?.('--map', `${column.title}=${target}`)
      map[column.title] = target
      chosen.set(column.place, target)
    }
  } else if (unknown.length > 0) faults.add(unknownColumns(given.source, table, unknown, fields, taken()))
  const columns = named.flatMap((column): readonly NamedColumn[] => {
    if (remarks.includes(column) || (unknown.includes(column) && !chosen.has(column.place))) return []
    const asked = chosen.get(column.place)
    const name = asked === undefined ? column.name : column.title
    const target = Object.hasOwn(map, name) ? map[name] : undefined
    if (target === NOT_SENT) return []
    return [{...column, name, field: asked ?? fields.fieldOf(column.name)}]
  })
  const isTwice = faults.try(() => refuseTwice(columns, given.source), true)
  const missing = fields.needed.filter(name => !columns.some(({field}) => pathSteps(field)[0] === name))
  const isOpen = isTwice || missing.length > 0 || unknown.some(({place}) => !chosen.has(place))
  if (missing.length > 0 && unknown.length === 0) faults.add(missingColumns(given.source, table, missing))
  // Without an id, nothing tells the rows from what is around them.
  if (isTwice || missing.some(name => fields.ids.includes(name))) faults.throwIfAny()
  return {columns, map, isOpen, notes: remarks.map(column => unusedNote(column, table))}
}

/** Whether a column has none of the states of the contract, whose names have capitals. Other documents have any. */
const hasOwnStates = ({place}: Column, {rows}: Table, {operation}: {readonly operation: string}): boolean =>
  !operation.startsWith('x:') &&
  rows.every(row => 'fault' in row || !/^[A-Z]+_[A-Z_\d]+$/.test(cellText(row.fields[place])))

/**
 * No field takes a column whose heading gives another unit, so none is proposed for it.
 *
 * @throws Failure INPUT_INVALID
 */
function refuseUnknownUnits(
  table: Table,
  unknown: readonly Column[],
  taken: ReadonlySet<string>,
  {names}: RowFields,
  {source, takesNumber}: SheetSource & RowNumbers,
): void {
  const free = names.filter(name => !taken.has(name) && takesNumber(name))
  for (const column of unknown) {
    const [alike] = resembling(column.title, free)
    const field = alike ?? (unknown.length === 1 ? free[0] : undefined)
    if (field !== undefined)
      refuseUnit({...column, rows: table.rows}, {field: alike ?? 'FIELD', source, line: table.line})
  }
}

/** @throws Failure USAGE if `--map` names a column that the file doesn't have */
function refuseMissing(
  table: Table,
  fields: RowFields,
  {columns, source}: SheetSource & {readonly columns: ColumnMap},
): void {
  const found = new Set(table.columns.map(({title}) => fields.nameOf(title)))
  if (Object.keys(columns).every(name => found.has(name))) return
  throw new Failure('USAGE', {
    message: `--map names a column that ${source} does not have. It has ${titlesOf(table.columns)}.`,
    effect: 'none',
  })
}

function refuseTwice(columns: readonly NamedColumn[], source: string): false {
  for (const [field, [first, second]] of Map.groupBy(columns, one => one.field)) {
    if (first === undefined || second === undefined) continue
    throw new Failure('INPUT_INVALID', {
      message: `${source}: ${titlesOf([first, second])} may each be ${field}.`,
      hint: `Say which is not sent, for example --map "${titleOf(second)}=${NOT_SENT}".`,
      effect: 'none',
    })
  }
  return false
}

const MOST_NAMED = 12

/** What the first line has, what is needed, and the flags to type. */
function unknownColumns(
  source: string,
  table: Table,
  unknown: readonly Column[],
  {names, needed, ids, isKnown}: RowFields,
  taken: ReadonlySet<string>,
): Failure {
  const open = needed.filter(name => !taken.has(name))
  const free = names.filter(name => !taken.has(name) && !open.includes(name) && isKnown(name))
  const proposed = proposedFields(unknown, open, free)
  const first = free.filter(name => proposed.includes(name))
  const listed = [...first, ...free.filter(name => !first.includes(name))]
  const optional = free.length === 0 ? '' : ` Optional: ${listOf(listed)}.`
  const known = new Set([...taken, ...proposed])
  // Left out as well, nothing of the rows would be sent.
  const isLast = free.length > 0 && [...known].every(name => name === undefined || ids.includes(name))
  const other = isLast ? 'FIELD' : NOT_SENT
  const flags = unknown.flatMap((column, at) =>
    quotableName(column.title) === undefined ? [] : `--map "${titleOf(column)}=${proposed[at] ?? other}"`,
  )
  // A line of ids and numbers is no header, and what is in it is not quoted.
  if (unknown.every(({title}) => quotableName(title) === undefined)) {
    return new Failure('INPUT_INVALID', {
      message: `${source}: line ${table.line} should name the columns, but ${unknown.length === table.columns.length ? 'has no names' : `has none for ${titlesOf(unknown)}`}.`,
      hint: `Write a name above each column. Needed: ${needed.length === 0 ? 'nothing' : needed.join('; ')}.${optional}`,
      effect: 'none',
    })
  }
  const all = unknown.length === table.columns.length
  return new Failure('INPUT_INVALID', {
    message: all
      ? `${source}: ${table.headings.length === 0 ? 'no column has a name' : `line ${table.line} names no column that is known here`}.`
      : `${source}: ${unknown.length === 1 ? 'a column is' : `${unknown.length} columns are`} not known here: ${titlesOf(unknown)}.`,
    hint: `Found: ${titlesOf(table.columns)}. Needed: ${needed.length === 0 ? 'nothing' : needed.join('; ')}.${optional} Say what each is, or ${NOT_SENT} to leave it out, for example ${flags.slice(0, MOST_NAMED).join(' ')}.`,
    effect: 'none',
  })
}

/** The field that each column may be: one whose name resembles its title, else one that is needed. */
function proposedFields(
  unknown: readonly Column[],
  open: readonly string[],
  free: readonly string[],
): readonly (string | undefined)[] {
  const proposed: (string | undefined)[] = []
  for (const {title} of unknown)
    proposed.push(
      resembling(
        title,
        [...open, ...free].filter(name => !proposed.includes(name)),
      )[0],
    )
  const left = open.filter(name => !proposed.includes(name))
  return proposed.map(name => name ?? left.shift())
}

/** Shorter words are in too many names. */
const LEAST_WORD = 4

/** The names that have the title in them, or a word of it, or are in it, those with a whole word and the shortest first; else one that is misspelt. */
function resembling(title: string, names: readonly string[]): readonly string[] {
  const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const keys = [words.join(''), ...words].filter(word => word.length >= LEAST_WORD)
  const [whole = ''] = keys
  const isAlike = (name: string): boolean => {
    const plain = name.toLowerCase()
    return keys.some(key => plain.includes(key)) || (plain.length >= LEAST_WORD && whole.includes(plain))
  }
  // `Limit` is a word of creditLimit, and only a part of one in usageLimits.
  const hasWord = (name: string): boolean =>
    name.split(/(?=[A-Z])/).some(word => keys.includes(word.toLowerCase()))
  const alike = names
    .filter(isAlike)
    .toSorted((a, b) => Number(hasWord(b)) - Number(hasWord(a)) || a.length - b.length)
  if (alike.length > 0) return alike
  const near = nearestName(title, names)
  return near === undefined ? [] : [near]
}

function missingColumns(source: string, table: Table, missing: readonly string[]): Failure {
  const [first = 'id'] = missing
  // A title that is not quoted can't be typed.
  const column = table.columns.find(({title}) => quotableName(title) !== undefined)
  const example =
    column === undefined
      ? ' Write a name above each column, or'
      : ` Name the column, for example --map "${titleOf(column)}=${first}", or`
  return new Failure('INPUT_INVALID', {
    message: `${source} has no column ${missing.join(' and none ')}.`,
    hint: `Found: ${titlesOf(table.columns)}.${example} give all rows the same value with -F ${first}=VALUE.`,
    effect: 'none',
  })
}

const listOf = (names: readonly string[]): string =>
  names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join('; ')} and ${names.length - MOST_NAMED} more`
    : names.join('; ')
