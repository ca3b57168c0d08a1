import {pathSteps} from '../../../cli/body.ts'
import type {JsonSchema} from '../../../contract/json-schema.ts'
import type {Operation} from '../../../contract/operation.ts'
import {fieldSchemas} from '../../../contract/schema.ts'
import {columnNames} from '../../../rows/dialect.ts'
import type {ReadHeading} from '../../../rows/sheet/find-table.ts'
import {isAccountWord} from '../../a2a/shared/account-headings.ts'
import {type ColumnMap, fillable, NOT_SENT} from './row-input.ts'

/** What a file of rows may hold for an operation, and what its columns are called. */
export interface RowFields {
  /** Parameters and fields of the body, those first that every row needs. */
  readonly names: readonly string[]
  /** Those that every row needs, and that have no value for all rows. */
  readonly needed: readonly string[]
  /** Parameters and fields that have a value for all rows. */
  readonly given: ReadonlySet<string>
  /** Parameters in the path: a line without them is no row. */
  readonly ids: readonly string[]
  /** Whether the operation takes any field, so that no heading is unknown. */
  readonly isOpen: boolean
  /** The name that a column has in the rows: its own in `--map`, or the parameter or field that it is. */
  nameOf(title: string): string
  /** Whether a column of this name has a place in the request, or is left out on purpose. */
  isKnown(name: string): boolean
  /** The parameter or field that a column of this name fills. */
  fieldOf(name: string): string
  /** Reads a title as a heading, if it is known. */
  readonly heading: ReadHeading
}

/** @param constants the names of the values that all rows share. */
export async function rowFields(
  operation: Operation,
  map: ColumnMap,
  constants: readonly string[],
): Promise<RowFields> {
  const {parameters, body} = await fillable(operation)
  const fields = body === undefined ? [] : Object.keys(fieldSchemas(body))
  const known = [...parameters.map(({name}) => name), ...fields]
  const ids = parameters.filter(one => one.in === 'path').map(({name}) => name)
  const isOpen = operation.form === undefined ? false : body !== undefined && fields.length === 0
  const named = columnNames(known)
  // `Account ID` of an operation on accounts, unless it has a field of that name.
  const own = `${operation.topic.replace(/s$/, '')}Id`
  const owned = ids.includes('id') && !known.includes(own) ? columnNames([own]) : undefined
  const titles = new Map(Object.keys(map).map(title => [title.trim().toLowerCase(), title]))
  const nameOf = (title: string): string => {
    const mapped = Object.hasOwn(map, title) ? title : titles.get(title.trim().toLowerCase())
    if (mapped !== undefined) return mapped
    const name = named(title)
    if (known.includes(name)) return name
    const isOwn =
      owned?.(title) === own || (own === 'accountId' && owned !== undefined && isOneAccount(title))
    return isOwn ? 'id' : name
  }
  const places = new Set(parameters.map(one => `${one.in}:${one.name}`.toLowerCase()))
  const isKnown = (name: string): boolean =>
    isOpen ||
    Object.hasOwn(map, name) ||
    known.includes(name) ||
    places.has(name.toLowerCase()) ||
    fields.includes(pathSteps(name)[0] ?? '')
  const fieldOf = (name: string): string => {
    const target = Object.hasOwn(map, name) ? (map[name] ?? name) : name
    const [, parameter] = /^(?:path|query|header|cookie):(.+)$/i.exec(target) ?? []
    return parameter ?? target
  }
  const given = new Set(constants.map(name => pathSteps(fieldOf(name))[0] ?? ''))
  const needed = [...new Set([...ids, ...requiredFields(body)])].filter(name => !given.has(name))
  return {
    // A row that says itself who it is from is refused.
    names: [...new Set([...needed, ...known])].filter(name => name !== 'auditUser'),
    needed,
    given,
    ids: ids.filter(name => !given.has(name)),
    isOpen,
    nameOf,
    isKnown,
    fieldOf,
    heading: title => {
      const name = title.trim() === '' ? '' : nameOf(title.trim())
      if (name === '' || !isKnown(name) || map[name] === NOT_SENT) return undefined
      // A free form has no words that could show which line is the header.
      return isOpen && !Object.hasOwn(map, name) && !known.includes(name) ? undefined : {field: fieldOf(name)}
    },
  }
}

const requiredFields = (body: JsonSchema | undefined): readonly string[] => body?.required ?? []

/** `Konto`, `Account no`, as sheets of transfers have them. A number of accounts is none, nor is one at another bank. */
const isOneAccount = (title: string): boolean => isAccountWord(title) && !/bank|accounts|konten/i.test(title)
