import type {Context} from '../../../cli/context.ts'
import {titleOf} from '../../../cli/sheet/column-words.ts'
import type {Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {canReadAgain, joinPieces, readInput} from '../../../input/read-input.ts'
import {counted} from '../../../money/amount.ts'
import type {Encoding} from '../../../rows/dialect.ts'
import {formatOfName} from '../../../rows/read-rows.ts'
import {findTable, headingsIn} from '../../../rows/sheet/find-table.ts'
import {readSheets} from '../../../rows/sheet/read-sheets.ts'
import {linesOf, type Sheet} from '../../../rows/sheet/sheet.ts'
import {rowFields} from './row-fields.ts'
import {parseMap} from './row-input.ts'
import {apartWords, type OwnType, type TypeColumn, typeColumn, typeLines} from './type-column.ts'

/** The file of a job whose type of account nobody has named. */
export interface UntypedFile {
  readonly from: string
  readonly map?: readonly string[] | undefined
  readonly encoding?: Encoding | undefined
  readonly sheet?: string | undefined
  readonly 'other-types'?: 'skip' | undefined
  /** Told of an answer, as the flag that gives it. */
  readonly answered?: ((flag: string, value: string) => void) | undefined
}

/** Larger files are those of programs, which name the type. */
const MOST_BYTES = 4 * 1024 * 1024

/** A heading over the type of an account, and of nothing else: that of a card or a payment is another. */
const HEADING =
  /^(?:account|acct|konto|compte|cuenta|tilin?|kunden?)?[\s_.-]*(?:types?|typ|arte?n?|kind|class|klasse|tyyppi|laji|tipo|clase|genre|slags?)(?:[\s_.-]*(?:of|de|du|del|des|der|av|af)?[\s_.-]*(?:la|the|an)?[\s_.-]*(?:accounts?|kont\p{L}{1,4}|compte|cuenta))?$/iu

/**
 * The type that a column of a spreadsheet gives every account in it. A person is asked which rows are sent if there are
 * several types.
 *
 * @param like an operation of the types, which tells where rows begin
 * @throws Failure INPUT_INVALID if rows have other types, or none
 */
export async function typeInFile(
  context: Context,
  like: Operation,
  file: UntypedFile,
): Promise<OwnType | undefined> {
  const {from, answered} = file
  const found = await findTypes(context, like, file)
  if (found === undefined) return undefined
  const {column, byType, untyped} = found
  const title = titleOf(column)
  const types = [...byType.keys()]
  const [only, other] = types
  if (other === undefined && untyped.length === 0) return only
  const {interactive, prompter} = context
  if (other === undefined) {
    if (interactive) return undefined
    throw new Failure('INPUT_INVALID', {
      message: `${from}: the column ${title} does not say of ${linesOf(untyped)} which type the account has.`,
      hint: `Write it there. If all of them are ${only}, add --type ${only}.`,
      effect: 'none',
    })
  }
  const several = `the column ${title} has several types of accounts: ${typeLines([...byType])}`
  if (!interactive || untyped.length > 0)
    throw new Failure('INPUT_INVALID', {
      message: `${from}: ${several}.`,
      hint: `Nothing was sent. ${apartWords(types, untyped, title)}`,
      effect: 'none',
      data: {types},
    })
  const chosen = await prompter.choose<OwnType | 'none'>(
    `${several.replace(/^./, first => first.toUpperCase())}. A job has accounts of one type. Which are sent now?`,
    [
      ...[...byType].map(([type, rows]) => ({value: type, name: `${type}: ${counted(rows.length, 'row')}`})),
      {value: 'none' as const, name: 'Send nothing'},
    ],
  )
  if (chosen === 'none')
    throw new Failure('CONFIRMATION_DECLINED', {message: 'Nothing was sent.', effect: 'none'})
  answered?.('--type', chosen)
  answered?.('--other-types', 'skip')
  return chosen
}

/** The column of types, if the file has one sheet, or the one that the user names. */
async function findTypes(
  {surroundings: {signal}}: Context,
  like: Operation,
  {from, map, encoding, sheet: wanted}: UntypedFile,
): Promise<TypeColumn | undefined> {
  if (from === '-' || formatOfName(from) === 'ndjson' || !(await canReadAgain(from))) return undefined
  try {
    const bytes = await joinPieces(readInput(from, signal), MOST_BYTES)
    if (bytes === undefined) return undefined
    const fields = await rowFields(like, parseMap(map), [])
    const read = {
      source: from,
      encoding,
      fitness: (row: Sheet['records'][number]) => ('fault' in row ? 0 : headingsIn(row, fields.heading)),
    }
    const filled = (await readSheets(bytes, read)).filter(({records}) => records.length > 0)
    const sheets =
      wanted === undefined ? filled : filled.filter(({name}) => name?.toLowerCase() === wanted.toLowerCase())
    const [sheet, other] = sheets
    const table = sheet && other === undefined && findTable(sheet, fields.heading, () => true)
    const found = table ? typeColumn(table, fields) : undefined
    return found && HEADING.test(found.column.title.trim()) ? found : undefined
  } catch (error) {
    // What is wrong with the file is said when its rows are read.
    if (error instanceof Failure) return undefined
    throw error
  }
}
