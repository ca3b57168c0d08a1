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
