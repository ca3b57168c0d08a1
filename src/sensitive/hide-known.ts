import {MASK} from './secret.ts'

/** Shorter ones stand in many a text by chance, and hiding them would tell which. */
const SHORTEST = 6

/**
 * A function that replaces given secrets wherever they stand in a text. For texts of others who were told them: no rule
 * about names or shapes knows in what words a service quotes a credential back.
 */
export function hideKnown(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter(secret => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  if (known.length === 0) return text => text
  const pattern = new RegExp(
    known.map(secret => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  )
  return text => text.replace(pattern, MASK)
}

/** The same in every string of a JSON value, member names included. */
export function hideIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map(item => hideIn(item, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [hide(name), hideIn(item, hide)]))
}
