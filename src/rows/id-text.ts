/**
 * The text of an id that stands in somebody's file: a text as it is, and a whole number whose digits are kept. undefined
 * for anything else, which has no digits of its own.
 */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined
}
