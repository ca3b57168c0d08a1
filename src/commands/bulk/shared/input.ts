import {pathSteps, setField, typeAt, typedValue} from '../../../cli/body.ts'
import type {TypedNumbers} from '../../../cli/typed-numbers.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {plainId} from '../../../contract/resource.ts'
import {fieldSchemas, fieldType, requestSchema} from '../../../contract/schema.ts'
import type {OperationId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {type DecimalSigns, decimalPoint} from '../../../money/decimal-sign.ts'
import {columnNames} from '../../../rows/dialect.ts'
import {columnLabel, idText, quotableName} from '../../../rows/problems.ts'

/** Column → `path:id`, `query:size` or a dotted field of the body. */
export type ColumnMap = Readonly<Record<string, string>>

/** `column=path:id`, repeatable. @throws Failure USAGE */
export function parseMap(flags: readonly string[] = []): ColumnMap {
  return Object.fromEntries(
    flags.map(flag => {
      const at = flag.indexOf('=')
      if (at > 0 && at < flag.length - 1) return [flag.slice(0, at), flag.slice(at + 1)]
      throw new Failure('USAGE', {
        message: '--map takes column=target, e.g. --map account=path:id or --map city=address.city.',
      })
    }),
  )
}

/**
 * `-F path=value`: the value for rows that don't have one, like a further column. A person types it, whatever writes the
 * file.
 *
 * @throws Failure USAGE
 */
export async function parseConstants(
  {id}: Operation,
  flags: readonly string[] = [],
  numbers: TypedNumbers,
): Promise<Readonly<Record<string, string>>> {
  const schema = await requestSchema(id as OperationId)
  const constants: Record<string, string> = {}
  for (const flag of flags) {
    const at = flag.indexOf('=')
    if (at < 1) {
      throw new Failure('USAGE', {
        message: '-F takes path=value, e.g. -F creditLimit=5000 or -F query:size=50.',
      })
    }
    const [path, text] = [flag.slice(0, at), flag.slice(at + 1)]
    constants[path] = await numbers.field(typeAt(schema, path), path, text)
  }
  return constants
}

/**
 * Builds requests from rows. A column goes where the map says, otherwise to the path parameter, query parameter or body
 * field of its name. Values get their types from the contract; empty ones are left out.
 */
export async function inputMaker(
  operation: Operation,
  map: ColumnMap,
): Promise<(values: Readonly<Record<string, unknown>>) => AnyInput> {
  const schema = await requestSchema(operation.id as OperationId)
  const query = new Set(operation.query.map(({name}) => name))
  const target = (column: string): string => {
    const mapped = Object.hasOwn(map, column) ? map[column] : undefined
    if (mapped !== undefined) return mapped
    if (operation.pathParams.includes(column)) return `path:${column}`
    return query.has(column) ? `query:${column}` : column
  }
  const types = new Map<string, ReturnType<typeof typeAt>>()
  const typeOf = (to: string): ReturnType<typeof typeAt> => {
    const known = types.get(to) ?? typeAt(schema, to)
    types.set(to, known)
    return known
  }
  const memberValue = (to: string, value: unknown): unknown =>
    typeof value === 'string' ? typedValue(schema, to, value, typeOf(to)) : value
  return values => {
    const input: {path: Record<string, string>; query: Record<string, unknown>} = {path: {}, query: {}}
    const body: Record<string, unknown> = {}
    for (const [column, value] of Object.entries(values)) {
      if (value === '' || value === undefined) continue
      const to = target(column)
      if (to.startsWith('path:')) input.path[to.slice('path:'.length)] = pathValue(column, value)
      else if (to.startsWith('query:')) input.query[to.slice('query:'.length)] = queryValue(value)
      else setField(body, to, memberValue(to, value))
    }
    const hasBody = operation.body === 'required' || Object.keys(body).length > 0
    return hasBody ? {...input, body} : input
  }
}

/** The contract types page and size as integers; on the wire they look the same as text. */
const queryValue = (value: unknown): unknown =>
  typeof value === 'string' && /^(?:0|[1-9]\d{0,8})$/.test(value) ? Number(value) : value

/** How the columns of a file are named and written. */
interface ColumnReader {
  /** The path parameter, query parameter or body field that a column stands for; a mapped column keeps its name. */
  nameOf(column: string): string
  /** The values of number fields that have a point or a comma. */
  numbersIn(values: Readonly<Record<string, unknown>>): readonly (readonly [column: string, text: string])[]
  /** The values of a row, with decimal points. Calls `report` for a number that can't be read. */
  toPoints(
    values: Readonly<Record<string, unknown>>,
    signs: DecimalSigns,
    report: (column: string, message: string) => void,
  ): Readonly<Record<string, unknown>>
}

export async function columnReader(operation: Operation, map: ColumnMap): Promise<ColumnReader> {
  const schema = await requestSchema(operation.id as OperationId)
  const fields = [
    ...operation.pathParams,
    ...operation.query.map(({name}) => name),
    ...Object.keys(schema === undefined ? {} : fieldSchemas(schema)),
  ]
  const named = columnNames(fields)
  const isNumber = (column: string): boolean => {
    const path = Object.hasOwn(map, column) ? map[column] : column
    if (schema === undefined || path === undefined) return false
    return ['number', 'integer'].includes(fieldType(schema, pathSteps(path).join('.')).type)
  }
  const numbersIn: ColumnReader['numbersIn'] = values =>
    Object.entries(values).flatMap(([column, value]) =>
      typeof value === 'string' && /[.,]/.test(value) && isNumber(column) ? [[column, value] as const] : [],
    )
  return {
    nameOf: column => (Object.hasOwn(map, column) ? column : named(column)),
    numbersIn,
    toPoints: (values, signs, report) => {
      const commas = numbersIn(values)
      if (commas.length === 0) return values
      const read = ([column, value]: readonly [string, string]): [string, unknown] => {
        try {
          return [column, decimalPoint(value, signs)]
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          report(columnLabel(column, 1), error.message)
          return [column, '']
        }
      }
      return {...values, ...Object.fromEntries(commas.map(read))}
    },
  }
}

/** @throws Failure INPUT_INVALID for a value that isn't meant as text, such as null or a list. */
function pathValue(column: string, value: unknown): string {
  const text = idText(value)
  if (text !== undefined) return text
  throw new Failure('INPUT_INVALID', {
    message: `${quotableName(column) ?? 'a part of the path'} must be text or a whole number`,
    effect: 'none',
  })
}

/**
 * The account, card or price list that a row changes. Rows with the same one must keep their order. Undefined for
 * reads, and for resources that don't exist yet.
 */
export function resourceOf({effect}: Operation, {path}: AnyInput): string | undefined {
  if (effect === 'read') return undefined
  const ids = Object.entries(path).flatMap(([name, id]) =>
    /^id$|Id$/.test(name) ? [[name, plainId(id)]] : [],
  )
  return ids.length === 0 ? undefined : JSON.stringify(ids.sort())
}
