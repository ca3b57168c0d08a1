/**
 * JSON with the members of every object in code-unit order, so that two spellings of one document are the same text
 * (the idea of RFC 8785). Takes plain JSON values; members that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isPlainObject(item) ? inOrder(item) : item)) ?? 'null'
}

function isPlainObject(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null && !Array.isArray(item)
}

function inOrder(item: Record<string, unknown>): Record<string, unknown> {
  // Object.fromEntries would still put integer-like names first, but does so for both spellings alike.
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
}
