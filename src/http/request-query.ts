import {Failure} from '../errors/failure.ts'

const isPlain = (value: unknown): value is string | number | boolean | bigint =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  typeof value === 'bigint'

function* members(name: string, value: unknown): Generator<[string, string]> {
  if (value === undefined || value === null) return
  if (isPlain(value)) {
    yield [name, String(value)]
  } else if (Array.isArray(value)) {
    for (const item of value) yield* members(name, item)
  } else if (typeof value === 'object') {
    // OpenAPI's `style: form, explode: true`: an object's members stand in the query under their own names.
    for (const [member, item] of Object.entries(value)) yield* members(member, item)
  } else {
    throw new Failure('INPUT_INVALID', {
      message: `The query member ${name} is no text, number, list or object.`,
      effect: 'none',
    })
  }
}

/**
 * A query with its `?`, or ''. Arrays repeat their name, objects are exploded into their members, null and undefined
 * are left out. Everything outside of RFC 3986's unreserved characters is percent-encoded.
 */
export function requestQuery(query: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(query)) {
    for (const [member, text] of members(name, value)) {
      parts.push(`${encodeURIComponent(member.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`)
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
