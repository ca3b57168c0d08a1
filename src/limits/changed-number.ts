/**
 * The field with a number that `JSON.parse` would silently change, because it has more digits than a double keeps. ''
 * if the number isn't in a field, undefined if there is no such number. The text must be JSON.
 */
export function changedNumber(json: string): string | undefined {
  // Checking every number's source costs several times the parse, so skip texts that can't have such a number.
  if (!/[\d.]{16}|\d[eE]/.test(json)) return undefined
  let changed: string | undefined
  // The third parameter (ECMA-262, JSON.parse source text access) is not in TypeScript's library yet.
  const review = (key: string, value: unknown, context?: {source?: string}) => {
    if (typeof value === 'number' && !keepsItsDigits(context?.source ?? '', value)) changed ??= key
    return value
  }
  JSON.parse(json, review as (key: string, value: unknown) => unknown)
  return changed
}

function keepsItsDigits(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= 15 || (Number.isSafeInteger(value) && source === String(value))
}

/**
 * Whether an object in a JSON text has a name twice. Readers take the first or the last value, so nobody can know which
 * one is meant (RFC 8259, 4). The text must be JSON.
 *
 * @param value what `JSON.parse` makes of it.
 */
export function repeatsName(json: string, value: unknown): boolean {
  let names = 0
  for (const [, colon] of json.matchAll(/"(?:[^"\\]+|\\.)*"\s*(:)?/gs)) if (colon !== undefined) names++
  return names !== countNames(value)
}

function countNames(value: unknown): number {
  let count = 0
  // Without recursion: a text may be nested deeply.
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (!Array.isArray(next)) count += inner.length
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return count
}
