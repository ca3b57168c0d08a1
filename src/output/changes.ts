import type {JsonSchema} from '../contract/json-schema.ts'
import {fieldSchemaAt, requestSchema} from '../contract/schema.ts'
import type {OperationId} from '../contract/types.ts'
import {isObject} from '../errors/is-object.ts'
import {amount, count} from '../money/amount.ts'
import {MASK} from '../sensitive/secret.ts'
import {countryWords} from './country-name.ts'
import {type DetailRow, labelledText} from './detail.ts'
import {listAt, numberAt, textAt} from './fields.ts'
import {dim, ok, type Span} from './styled.ts'
import {type Column, table} from './table.ts'
import {glyphsOf, section, sentence, stack, type View, type ViewContext} from './view.ts'

/** "Account 2001 updated". The response to an update holds an id and a sentence. */
export const updateView = (what: string): View => confirmation(what, 'updated')

/** "Price list 5001 deleted". */
export const deleteView = (what: string): View => confirmation(what, 'deleted')

function confirmation(what: string, done: string): View {
  return (response, context) => {
    const id = textAt(response, 'id')
    const description = textAt(response, 'description')
    const parts: (string | Span)[] = [id === '' ? what : `${what} ${id}`, ' ', ok(done)]
    // The service's sentence often repeats the title.
    if (description !== '' && !saysTheSame(description, [what, id, done])) {
      parts.push(dim(` ${glyphsOf(context).separator} ${description}`))
    }
    return sentence(parts, context)
  }
}

const saysTheSame = (description: string, words: readonly string[]) => {
  const known = new Set([
    ...words.join(' ').toLowerCase().split(/\W+/),
    'was',
    'has',
    'been',
    'the',
    'successfully',
    'is',
  ])
  return description
    .toLowerCase()
    .split(/\W+/)
    .every(word => word === '' || known.has(word))
}

interface Change {
  readonly name: string
  readonly before: string
  readonly after: string
}

const columns: readonly Column<Change>[] = [
  {title: 'Field', value: ({name}) => name, fit: 'wrap'},
  {title: 'Before', value: ({before}) => before, fit: 'wrap'},
  {title: 'After', value: ({after}) => after, fit: 'wrap'},
]

/** The fields that differ, with the values before and after. Either value may be missing. */
export async function changeText(before: unknown, after: unknown, context: ViewContext): Promise<string> {
  const [was, is] = [textsOf(before), textsOf(after)]
  const changed = [...new Set([...was.keys(), ...is.keys()])]
    .filter(name => was.get(name) !== is.get(name))
    .map(name => ({name, before: was.get(name) ?? '', after: is.get(name) ?? ''}))
  const body =
    changed.length === 0
      ? sentence(dim(' No field that the service shows has changed.'), context)
      : await table('field', columns, changed, context)
  return section('What changed', body, context)
}

function textsOf(value: unknown): Map<string, string> {
  if (value === undefined || value === null) return new Map()
  return new Map(
    leavesOf(value).map(({steps, value: leaf}) => [
      fieldWords(steps),
      typeof leaf === 'string' ? leaf : JSON.stringify(leaf),
    ]),
  )
}

/**
 * The fields that a request sent, and what cardctl last sent for them before, if that is known. Amounts have thousands
 * separators, so that nobody takes 100 for 10,000.
 */
export async function sentRows(
  operation: string,
  sent: unknown,
  before?: unknown,
): Promise<readonly DetailRow[]> {
  const schema = await requestSchema(operation as OperationId).catch(() => undefined)
  const text = ({steps, value, holder}: Leaf): string => shown(steps, value, holder, schema)
  const earlier = new Map(leavesOf(before).map(leaf => [leaf.steps.join('.'), text(leaf)]))
  const {rows, rest} = transferRows(sent)
  const leaves = isObject(rest) && isEmpty(rest) ? [] : leavesOf(rest)
  const paths = new Set(leaves.map(({steps}) => steps.join('.')))
  const others = leaves.map((leaf): DetailRow => {
    const was = earlier.get(leaf.steps.join('.'))
    const list = leaf.steps.slice(0, -1)
    // Of one value, a number says nothing.
    const isOnly = leaf.steps.at(-1) === '0' && list.length > 0 && !paths.has([...list, '1'].join('.'))
    const name = fieldWords(isOnly ? list : leaf.steps)
    return [
      name,
      was === undefined || was === MASK ? text(leaf) : [text(leaf), dim(` (last sent from here: ${was})`)],
    ]
  })
  return [...rows, ...others]
}

/** Transfers of a batch, a line for each: `transfer 1  EUR 12.50 from 2006 to 2007, Rent`. */
function transferRows(sent: unknown): {readonly rows: readonly DetailRow[]; readonly rest: unknown} {
  if (!isObject(sent) || !Array.isArray(sent.transfers) || !sent.transfers.every(isTransfer))
    return {rows: [], rest: sent}
  const {transfers, ...rest} = sent
  const rows = transfers.filter(isTransfer).map((each, at): DetailRow => {
    const {fromAccountId: from, toAccountId: to, amount: sum, currency, text, ...more} = each
    const words = `${amount(sum, currency)} from ${String(from)} to ${String(to)}`
    const others = isEmpty(more) ? '' : valueWords(more)
    return [`transfer ${at + 1}`, [words, text, others].filter(Boolean).join(', ')]
  })
  return {rows, rest}
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

const isTransfer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && ['fromAccountId', 'toAccountId', 'amount'].every(name => Object.hasOwn(value, name))

/** A value inside a body, for a person. */
export interface BodyField {
  /** Of the field of the body that has it. */
  readonly field: string
  /** `address city` */
  readonly name: string
  readonly text: string
}

/** What a body has, value by value: nobody reads JSON in a question. */
export async function bodyFields(operation: string, body: unknown): Promise<readonly BodyField[]> {
  const schema = await requestSchema(operation as OperationId).catch(() => undefined)
  return leavesOf(body)
    .filter(({steps}) => steps.length > 0)
    .map(({steps, value, holder}) => ({
      field: steps[0] ?? '',
      name: fieldWords(steps),
      text: shown(steps, value, holder, schema),
    }))
}

/** A value in one line: an object as `city Oslo, zipCode 0150`. */
export const valueWords = (value: unknown): string =>
  leavesOf(value)
    .map(({steps, value: leaf, holder}) => [fieldWords(steps), shown(steps, leaf, holder, undefined)])
    .map(([name, text]) => (name === '' ? text : `${name} ${text}`))
    .join(', ')

/** `transfers.totals.EUR` is "transfers total EUR" to a person, and `cardId.0` is "cardId 1": they count from 1. */
const fieldWords = (steps: readonly string[]): string =>
  steps
    .map(step => (/^\d+$/.test(step) ? String(Number(step) + 1) : step === 'totals' ? 'total' : step))
    .join(' ')

/** Formats the value of a field of an operation's body, for a person. */
export async function fieldTexts(operation: string): Promise<(field: string, value: unknown) => string> {
  const schema = await requestSchema(operation as OperationId).catch(() => undefined)
  return (field, value) => shown([field], value, {}, schema)
}

/** Behind an amount whose former value no request from here sent. */
const FIRST = " (the former value is not known here, so this can't be undone from here)"

/** The view of a response, followed by what was sent. Masked values are left out: they say nothing here. */
export function viewWithSentFields<Result>(
  view: View<Result>,
  operation: string,
  sent: Readonly<Record<string, unknown>>,
  before?: unknown,
): View<Result> {
  return async (response, context) => {
    const schema = await requestSchema(operation as OperationId).catch(() => undefined)
    const isFirst = (name: string): boolean =>
      isObject(before) &&
      !Object.hasOwn(before, name) &&
      schema !== undefined &&
      fieldSchemaAt(schema, [name])?.['x-money'] === true
    const rows = (await sentRows(operation, sent, before))
      .filter(([, value]) => value !== MASK)
      .map(([name, value]): DetailRow => [name, isFirst(name) ? [String(value), dim(FIRST)] : value])
    return stack(await view(response, context), labelledText(rows, context))
  }
}

/** Below words with former values. */
export const FORMER_VALUES =
  'A value before an arrow was last sent from this machine. Others may have changed it in between.'

export const namesFormerValue = (entry: unknown): boolean => textAt(entry, 'did').includes(' → ')

interface Leaf {
  readonly steps: readonly string[]
  readonly value: unknown
  /** The object that holds it. */
  readonly holder: unknown
}

/** The scalar values inside a JSON value, each with the path to it. */
function leavesOf(value: unknown, steps: readonly string[] = [], holder?: unknown): Leaf[] {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (typeof value !== 'object' || value === null || isEmpty) return [{steps, value, holder}]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...steps, name], value))
}

function shown(
  steps: readonly string[],
  value: unknown,
  holder: unknown,
  schema: JsonSchema | undefined,
): string {
  if (value === null) return 'null'
  if (typeof value === 'string' && steps.at(-2) === 'totals') return amount(value, steps.at(-1))
  if (typeof value === 'string') return /country$/i.test(steps.at(-1) ?? '') ? countryWords(value) : value
  if (typeof value !== 'number') return JSON.stringify(value)
  if (schema && fieldSchemaAt(schema, steps)?.['x-money'] === true) {
    return amount(value, isObject(holder) ? holder.currency : undefined)
  }
  return steps.at(-1) === 'count' ? count(value) : String(value)
}

/** What was removed, and why the rest was kept. */
export interface PruneReport {
  /** The name of what is counted, in the plural: `requests`. */
  readonly what: string
  readonly removed: number
  readonly kept: readonly {readonly count: number; readonly why: string}[]
  /** How much smaller the file is now. */
  readonly freedBytes: number
}

export const prunedView: View = (report, context) => {
  const lines = listAt(report, 'kept').map(
    each => `Kept ${numberAt(each, 'count') ?? 0}: ${textAt(each, 'why')}.`,
  )
  const freed = numberAt(report, 'freedBytes') ?? 0
  const smaller = freed === 0 ? '' : ` The file is ${sizeOf(freed)} smaller.`
  return [`Removed ${numberAt(report, 'removed') ?? 0} ${textAt(report, 'what')}.${smaller}`, ...lines]
    .map(line => sentence(line, context))
    .join('\n')
}

export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
