import {isObject} from '../errors/is-object.ts'
import {type DetailRow, labelledText} from './detail.ts'
import {columnsOf, fieldAt, flatten, type PlainObject, plain} from './fields.ts'
import {state, styleOfState} from './state.ts'
import {dim, jsonLine, type Styled} from './styled.ts'
import {type Column, table} from './table.ts'
import {blocks, type ListView, section, sentence, type ViewContext} from './view.ts'

/** Any JSON for a person: a list of objects as a table, an object as labels and values with its lists below. */
export async function genericView(result: unknown, context: ViewContext): Promise<string> {
  return view(plain(result), context)
}

/** A list of any JSON for a person. */
export const genericListView: ListView = (items, context) => genericView(items, context)

/** The same, with only the chosen fields; dots separate nested names. */
export function chosenView(columns: readonly string[]) {
  return async (result: unknown, context: ViewContext): Promise<string> => {
    const value = plain(result)
    if (Array.isArray(value)) return itemsTable(value, columns, context)
    return labelledText(
      columns.map((name): DetailRow => [name, cell(fieldAt(value, name))]),
      context,
    )
  }
}

async function view(value: unknown, context: ViewContext): Promise<string> {
  if (Array.isArray(value)) return listView(value, context)
  if (isObject(value)) return objectView(value, context)
  return sentence(cell(value), context)
}

function listView(items: readonly unknown[], context: ViewContext): string | Promise<string> {
  if (items.length === 0) return sentence(dim('Nothing.'), context)
  const objects = items.filter(isObject)
  if (objects.length === items.length) {
    const rows = objects.map(flatten)
    const columns = columnsOf(rows)
    if (columns.length > MOST_COLUMNS) return rows.map(row => labelled(row, context)).join('\n\n')
    return itemsTable(rows, columns, context)
  }
  return items
    .map(item => {
      context.check?.()
      return sentence(cell(item), context)
    })
    .join('\n')
}

/** With more columns than this, each item becomes a block: nobody can read such a table. */
const MOST_COLUMNS = 100

/** Each row is made when it is laid out: an object may have very many. */
function labelled(row: PlainObject, context: ViewContext, names = Object.keys(row)): string {
  const rows = {
    *[Symbol.iterator](): Generator<DetailRow> {
      for (const name of names) yield [name, cell(row[name])]
    },
  }
  return labelledText(rows, context)
}

function itemsTable(
  items: readonly unknown[],
  columns: readonly string[],
  context: ViewContext,
): Promise<string> {
  return table(
    'entry',
    columns.map((name): Column<unknown> => {
      const isNumeric = items.some(item => typeof fieldAt(item, name) === 'number')
      return {
        title: name,
        value: item => cell(fieldAt(item, name)),
        align: isNumeric ? 'right' : 'left',
        fit: isNumeric || /(^|\.|[a-z])id$/i.test(name) ? 'keep' : 'cut',
      }
    }),
    items,
    context,
  )
}

async function objectView(value: PlainObject, context: ViewContext): Promise<string> {
  const members = flatten(value)
  const names = Object.keys(members)
  if (names.length === 0) return sentence(dim('Nothing.'), context)
  const below = await Promise.all(
    names
      .filter(name => isTable(members[name]))
      .map(async name => section(name, await view(members[name], context), context)),
  )
  const others = names.filter(name => !isTable(members[name]))
  return blocks(labelled(members, context, others), ...below)
}

const isTable = (member: unknown) => Array.isArray(member) && member.length > 0 && member.every(isObject)

function cell(value: unknown): Styled {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return styleOfState(value) === undefined ? value : state(value)
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? jsonLine(value) : String(value)
}
