import {pathSteps, setField, typeAt, typedValue} from '../../../cli/body.ts'
import {refuseSecrets, withSecretsMarked} from '../../../cli/refuse-secrets.ts'
import type {TypedNumbers} from '../../../cli/typed-numbers.ts'
import type {JsonSchema} from '../../../contract/json-schema.ts'
import type {AnyInput, Operation, RowForm, RowParameter} from '../../../contract/operation.ts'
import {plainId} from '../../../contract/resource.ts'
import {fieldSchemas, fieldType, requestSchema} from '../../../contract/schema.ts'
import type {OperationId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {type DecimalSigns, decimalPoint} from '../../../money/decimal-sign.ts'
import {columnNames} from '../../../rows/dialect.ts'
import {columnLabel, idText, type ProblemFacts, quotableName, shownValue} from '../../../rows/problems.ts'
import type {CellUse} from '../../../rows/sheet/doubtful-cell.ts'
import {valuesAt} from '../../../sensitive/json-pointer.ts'

/** Column → `path:id`, `query:size`, `header:X-Unit`, `cookie:c` or a dotted field of the body. */
export type ColumnMap = Readonly<Record<string, string>>

/** The target of a column that is left out. */
export const NOT_SENT = 'none'

/** `column=path:id`, repeatable; `column=none` leaves it out. @throws Failure USAGE */
export function parseMap(flags: readonly string[] = []): ColumnMap {
  return Object.fromEntries(
    flags.map(flag => {
      // A title may have such a sign, and a target has none.
      const at = flag.lastIndexOf('=')
      if (at > 0 && at < flag.length - 1) return [flag.slice(0, at).trim(), flag.slice(at + 1).trim()]
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
  operation: Operation,
  flags: readonly string[] = [],
  numbers: TypedNumbers,
): Promise<Readonly<Record<string, string>>> {
  const {body: schema} = await fillable(operation)
  const constants: Record<string, string> = {}
  for (const flag of flags) {
    const at = flag.indexOf('=')
    if (at < 1) {
      throw new Failure('USAGE', {
        message: '-F takes path=value, e.g. -F creditLimit=5000 or -F query:size=50.',
      })
    }
    const [path, text] = [flag.slice(0, at), flag.slice(at + 1)]
    refuseSecrets(operation, schema, pathSteps(path), text)
    constants[path] = await numbers.field(typeAt(schema, path), path, text)
  }
  return constants
}

export type ToInput = (values: Readonly<Record<string, unknown>>) => Promise<AnyInput>

/**
 * Builds requests from rows. A column goes where the map says, otherwise to the parameter or body field of its name.
 * Values get their types from the contract; empty ones are left out.
 */
export async function inputMaker(operation: Operation, map: ColumnMap): Promise<ToInput> {
  const {parameters, body: schema} = await fillable(operation)
  // Names of headers are the same in any case.
  const place = (to: string): string => (/^header:/i.test(to) ? to.toLowerCase() : to)
  const parameterOf = new Map(parameters.map(one => [place(`${one.in}:${one.name}`), one]))
  const fields = new Set(schema === undefined ? [] : Object.keys(fieldSchemas(schema)))
  const target = (column: string): string => {
    const mapped = Object.hasOwn(map, column) ? map[column] : undefined
    // `--map Konto=id`: the parameter, unless the body has a field of its name.
    if (mapped !== undefined && fields.has(mapped)) return mapped
    const own = parameters.find(({name}) => name === (mapped ?? column))
    return own === undefined ? (mapped ?? column) : `${own.in}:${own.name}`
  }
  const types = new Map<string, ReturnType<typeof typeAt>>()
  const typeOf = (to: string): ReturnType<typeof typeAt> => {
    const known = types.get(to) ?? typeAt(schema, to)
    types.set(to, known)
    return known
  }
  const memberValue = (to: string, value: unknown): unknown =>
    typeof value === 'string' ? typedValue(schema, to, value, typeOf(to)) : value
  const refuse = refusalOf(operation, schema)
  return async values => {
    const places: Record<RowParameter['in'], Record<string, unknown>> = {
      path: {},
      query: {},
      header: {},
      cookie: {},
    }
    const body: Record<string, unknown> = {}
    for (const [column, value] of Object.entries(values)) {
      if (value === '' || value === undefined || map[column] === NOT_SENT) continue
      const to = target(column)
      const parameter = parameterOf.get(place(to))
      if (parameter !== undefined) {
        refuse.parameter(parameter)
        places[parameter.in][parameter.name] = await parameter.read(value)
      } else {
        if (/^(?:path|query|header|cookie):/.test(to))
          throw invalid(`${to} is not a parameter of ${operation.id}`)
        if (!Object.hasOwn(map, column)) refuse.unknown(column)
        setField(body, to, memberValue(to, value))
      }
    }
    refuse.body(body)
    const {path, query, header, cookie} = places
    const hasBody = operation.body === 'required' || Object.keys(body).length > 0
    return {
      path: path as Record<string, string>,
      query,
      ...(Object.keys(header).length > 0 && {headers: header}),
      ...(Object.keys(cookie).length > 0 && {cookies: cookie}),
      ...(hasBody && {body}),
    }
  }
}

/** What rows can fill in a request. */
type Fillable = Pick<RowForm, 'parameters' | 'body'>

export async function fillable({id, form, pathParams, query}: Operation): Promise<Fillable> {
  if (form?.rows) return form.rows
  const plain = {required: false, sensitive: false, isNumber: false} as const
  return {
    body: await requestSchema(id as OperationId),
    parameters: [
      ...pathParams.map(name => ({...plain, name, in: 'path' as const, read: pathValue(name)})),
      ...query.map(({name}) => ({...plain, name, in: 'query' as const, read: queryValue})),
    ],
  }
}

/** What only the rows of an imported operation need: its document may know nothing of a field, and accept it. */
function refusalOf(operation: Operation, schema: JsonSchema | undefined) {
  const {form} = operation
  const fields = schema === undefined ? [] : Object.keys(fieldSchemas(schema))
  const isOpen = form === undefined || (schema !== undefined && fields.length === 0)
  const known = new Set(fields)
  const secret = (name: string): Failure => invalid(`${name} is a secret, which bulk jobs never hold`)
  return {
    unknown(column: string): void {
      if (isOpen || known.has(pathSteps(column)[0] ?? '')) return
      const name = quotableName(column) ?? 'a column'
      throw invalid(`${name} is neither a parameter nor a field of the body; to send it, add --map`)
    },
    parameter({name, sensitive: isSecret}: RowParameter): void {
      if (isSecret) throw secret(name)
    },
    body(body: Readonly<Record<string, unknown>>): void {
      if (form === undefined) return
      // Rows may hold personal data, which the job encrypts.
      const {personal: _, ...unmarked} = operation
      const {sensitive} = withSecretsMarked(unmarked, schema, body)
      const pointer = sensitive.request.find(one => valuesAt(body, one).some(value => value != null))
      if (pointer !== undefined) throw secret(pointer.slice(1).replaceAll('/', '.'))
    },
  }
}

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})

/** The contract types page and size as integers; on the wire they look the same as text. */
const queryValue = async (value: unknown): Promise<unknown> =>
  typeof value === 'string' && /^(?:0|[1-9]\d{0,8})$/.test(value) ? Number(value) : value

/** How the columns of a file are named and written. */
interface ColumnReader {
  /** The path parameter, query parameter or body field that a column stands for; a mapped column keeps its name. */
  nameOf(column: string): string
  /** The values of number fields that have a point or a comma. */
  numbersIn(values: Readonly<Record<string, unknown>>): readonly (readonly [column: string, text: string])[]
  /** Whether a column of this name holds numbers. */
  isNumber(column: string): boolean
  /** Whether a parameter or field takes numbers. */
  takesNumber(field: string): boolean
  /** What a parameter or field makes of a cell of a spreadsheet. */
  useOf(field: string): CellUse
  /** The values of a row, with decimal points. Calls `report` for a number that can't be read. */
  toPoints(
    values: Readonly<Record<string, unknown>>,
    signs: DecimalSigns,
    report: (column: string, message: string, facts: ProblemFacts) => void,
  ): Readonly<Record<string, unknown>>
}

export async function columnReader(operation: Operation, map: ColumnMap): Promise<ColumnReader> {
  const {parameters, body: schema} = await fillable(operation)
  const fields = [
    ...parameters.map(({name}) => name),
    ...Object.keys(schema === undefined ? {} : fieldSchemas(schema)),
  ]
  const named = columnNames(fields)
  const takesNumber = (path: string): boolean => {
    const own = parameters.find(one => one.name === path || `${one.in}:${one.name}` === path)
    if (own?.isNumber || schema === undefined) return own?.isNumber ?? false
    return ['number', 'integer'].includes(fieldType(schema, pathSteps(path).join('.')).type)
  }
  const useOf = (path: string): CellUse => {
    const own = parameters.find(one => one.name === path || `${one.in}:${one.name}` === path)
    // An id is text, whatever the document says of it: no digit of it may be lost.
    if (own?.in === 'path') return 'text'
    if (takesNumber(path)) return 'number'
    if (own !== undefined || schema === undefined) return 'any'
    const {type, format} = fieldType(schema, pathSteps(path).join('.'))
    if (type === 'boolean') return 'boolean'
    return type === 'string' ? (format === undefined ? 'text' : 'date') : 'any'
  }
  const isNumber = (column: string): boolean =>
    takesNumber(Object.hasOwn(map, column) ? (map[column] ?? column) : column)
  const numbersIn: ColumnReader['numbersIn'] = values =>
    Object.entries(values).flatMap(([column, value]) =>
      typeof value === 'string' && /[.,]/.test(value) && isNumber(column) ? [[column, value] as const] : [],
    )
  return {
    nameOf: column => (Object.hasOwn(map, column) ? column : named(column)),
    numbersIn,
    isNumber,
    takesNumber,
    useOf,
    toPoints: (values, signs, report) => {
      const commas = numbersIn(values)
      if (commas.length === 0) return values
      const read = ([column, value]: readonly [string, string]): [string, unknown] => {
        try {
          return [column, decimalPoint(value, signs)]
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          report(columnLabel(column, 1), error.message, {value: shownValue(value)})
          return [column, '']
        }
      }
      return {...values, ...Object.fromEntries(commas.map(read))}
    },
  }
}

/** @throws Failure INPUT_INVALID for a value that isn't meant as text, such as null or a list. */
const pathValue =
  (name: string) =>
  async (value: unknown): Promise<string> => {
    const text = idText(value)
    if (text !== undefined) return text
    throw invalid(`${name} must be text or a whole number`)
  }

/**
 * The account, card or price list that a row changes. Rows with the same one must keep their order. Undefined for
 * reads, and for resources that don't exist yet.
 */
export function resourceOf({effect, form}: Operation, {path}: AnyInput): string | undefined {
  if (effect === 'read') return undefined
  // A document may call its ids as it likes.
  const ids = Object.entries(path).flatMap(([name, id]) =>
    form !== undefined || /^id$|Id$/.test(name) ? [[name, plainId(id)]] : [],
  )
  return ids.length === 0 ? undefined : JSON.stringify(ids.sort())
}
