/**
 * The member that holds a number which `JSON.parse` would change in silence, having more digits than a double keeps; ''
 * for one without a name, undefined if there is none. The text must be JSON.
 */
export function changedNumber(json: string): string | undefined {
  // Looking at every number's source costs several times the parse itself, so only texts that can need it pay.
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
