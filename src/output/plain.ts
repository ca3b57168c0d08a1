/**
 * A result as the JSON it is: `toJSON` done (a Secret is its mask then), bigint as decimal text, undefined members gone.
 */
export function plain(value: unknown): unknown {
  const json = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  )
  return json === undefined ? null : JSON.parse(json)
}

export type PlainObject = Readonly<Record<string, unknown>>

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
