import {samplesOf, titleOf, titlesOf} from '../../../cli/sheet/column-words.ts'
import {unitIn} from '../../../cli/sheet/other-unit.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Column, Table} from '../../../rows/sheet/find-table.ts'
import {isAccountWord, namesAccount} from './account-headings.ts'
import {mayHave} from './ask-columns.ts'
import {namesDirection} from './direction-words.ts'
import {FIELD_NAMES, type TransferField} from './transfer-headings.ts'

/** The refusal of a table that lacks fields, with the flags that say them. */
export function unknownColumns(source: string, table: Table, fields: readonly TransferField[]): Failure {
  const names = fields.map(field => FIELD_NAMES[field])
  const several = fields.filter(field => table.doubtful.has(field))
  const known = table.found.size + table.doubtful.size > 0
  const first = several[0]
  const why =
    first !== undefined
      ? `${titlesOf(table.doubtful.get(first) ?? [])} may each be ${FIELD_NAMES[first]}`
      : known
        ? `no column is known as ${names.join(' or ')}`
        : table.headings.length === 0
          ? `no column is named as ${names.join(' or ')}`
          : `line ${table.line} names no column that is known here`
  // A list of those who are paid hardly says who pays.
  const isList = names.includes('to') && table.columns.filter(({title}) => namesAccount(title)).length === 1
  const sought = first ?? (isList ? 'toAccountId' : fields[0]) ?? 'amount'
  const example = exampleFor(sought, table)
  const mapped =
    example === undefined ? '' : ` Say which is which, for example --map "${example}=${FIELD_NAMES[sought]}".`
  const filled = names.includes('currency')
    ? ' If all rows have one currency, add --fill currency=EUR.'
    : names.includes('from')
      ? ' If all come from one account, add --fill from=ACCOUNT.'
      : ''
  const either = fields.length === 1 && first === undefined ? eitherSide(source, table, fields) : undefined
  if (either !== undefined) return either
  return new Failure('INPUT_INVALID', {
    message: `${source}: ${why}.`,
    hint: `Found: ${titlesOf(table.columns)}. Needed: from; to; amount; currency (text is optional).${mapped}${filled}`,
    effect: 'none',
  })
}

/** A column that looks like it has a field, as `--map` names it. */
function exampleFor(field: TransferField, table: Table): string | undefined {
  const taken = new Set([...table.found.values()].map(({place}) => place))
  const open = (table.doubtful.get(field) ?? table.columns).filter(
    ({place, title}) =>
      !taken.has(place) && unitIn(title) === undefined && !(/\p{L}/u.test(title) && namesDirection(title)),
  )
  const likely = open.filter(column => mayHave(field, table, column))
  const [cells, isLikeIt]: [RegExp, (title: string) => boolean] =
    field === 'amount' ? [/\d[.,]\d/, () => false] : [/^\d+$/, namesAccount]
  const hasSome = (column: Column): boolean => cells.test(samplesOf(table, column).split(', ')[0] ?? '')
  const chosen = likely.find(({title}) => isLikeIt(title)) ?? likely.find(hasSome) ?? likely[0] ?? open[0]
  if (chosen === undefined) return undefined
  const isTwice = table.columns.filter(({title}) => title === chosen.title).length > 1
  return isTwice ? `column ${chosen.place + 1}` : titleOf(chosen)
}

/** `Konto` beside `Empfänger`: an account of the payer, or that of the recipient, whose number the other column has. */
function eitherSide(source: string, table: Table, [field]: readonly TransferField[]): Failure | undefined {
  const other = field === 'fromAccountId' ? 'toAccountId' : 'fromAccountId'
  const party = field === 'fromAccountId' || field === 'toAccountId' ? table.found.get(other) : undefined
  const [account, ...more] = table.columns.filter(({title}) => isAccountWord(title))
  if (field === undefined || party === undefined || party.heading?.weak !== true) return undefined
  if (account === undefined || more.length > 0) return undefined
  const [own, its] = [titleOf(account), titleOf(party)]
  const does = {from: 'the money comes from', to: 'the money goes to'}
  const [name, otherName] = field === 'fromAccountId' ? (['from', 'to'] as const) : (['to', 'from'] as const)
  return new Failure('INPUT_INVALID', {
    message: `${source}: ${own} may be the account that ${does[name]}, or that of ${its}.`,
    hint: `If ${its} is the account that ${does[otherName]}, add --map "${own}=${name}". If ${own} is, add --map "${own}=${otherName}" --map "${its}=none"${field === 'fromAccountId' ? ' --fill from=ACCOUNT' : ''}.`,
    effect: 'none',
  })
}
