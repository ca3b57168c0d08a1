import type {OperationId} from '../contract/types.ts'
import {bodyFields, valuesOfField} from './guided/body-fields.ts'
import type {Guide} from './guided/guide.ts'

/** A field of the body of a command, as it can be set by its command line. */
export interface TypedField {
  /** `address.country`. */
  readonly path: string
  /** `-F address.country=`, or `--name ` where a flag of its own sets it. */
  readonly setBy: string
  /** What stands for a value that isn't shown: a listed one, or a placeholder. */
  readonly value: string
  /** The values that the contract lists. */
  readonly values: readonly string[]
  /** What fits, where the name alone doesn't say it: "Three capital letters, such as AUT for Austria". */
  readonly fits: string
}

export interface FieldCommand {
  readonly claims?: readonly OperationId[]
  readonly guide?: Guide
}

/** The fields of the operations that a command claims, if it takes fields. */
export async function typedFields(
  {claims = [], guide}: FieldCommand,
  takesFields: boolean,
): Promise<readonly TypedField[]> {
  if (!takesFields) return []
  const flagOf = new Map(Object.entries(guide?.fields ?? {}).map(([flag, path]) => [path, flag]))
  const found = new Map<string, TypedField>()
  for (const id of claims)
    for (const {path, fits} of await bodyFields(id)) {
      if (found.has(path)) continue
      const values = await valuesOfField(id, path)
      const flag = flagOf.get(path)
      const [only, ...others] = values
      const value = others.length === 0 && only !== undefined ? only : placeOf(path)
      found.set(path, {path, setBy: flag === undefined ? `-F ${path}=` : `${flag} `, value, values, fits})
    }
  return [...found.values()]
}

/** `ZIP_CODE` */
const placeOf = (path: string): string => lastOf(path).replaceAll('-', '_').toUpperCase()

/** `externalBalanceCheck` and `external_balance_check` are `external-balance-check`. */
const folded = (name: string): string =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .replaceAll(/[._\s]+/g, '-')
    .toLowerCase()

/** The fields with this name, and those of an object with it: `country` is `address.country`. */
export function fieldsCalled(name: string, fields: readonly TypedField[]): readonly TypedField[] {
  const wanted = folded(name)
  return fields.filter(
    ({path}) =>
      folded(path) === wanted || lastOf(path) === wanted || path.split('.').slice(0, -1).includes(name),
  )
}

/** The fields of which this is a part of the name: `zip` is `address.zipCode`. */
export function fieldsNear(name: string, fields: readonly TypedField[]): readonly TypedField[] {
  const wanted = folded(name)
  return fields.filter(({path}) => `-${lastOf(path)}-`.includes(`-${wanted}-`))
}

const lastOf = (path: string): string => folded(path.split('.').at(-1) ?? path)

const MOST_NAMED = 3

/** How the fields are set: `-F address.country=COUNTRY`. A value is shown only if the contract lists it. */
export function settersOf(fields: readonly TypedField[], given?: string): string {
  const lines = fields.map(
    ({setBy, value, values}) => setBy + (given !== undefined && values.includes(given) ? given : value),
  )
  const more = lines.length - MOST_NAMED
  return more > 0 ? `${lines.slice(0, MOST_NAMED).join(', ')} or one of ${more} more` : lines.join(' or ')
}
