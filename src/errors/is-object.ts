/**
 * Whether a value from outside is an object with fields: no list, no null. Here, because every folder may import it.
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The JSON object in a text, with or without a byte order mark; otherwise undefined. Drops the parser's message, because
 * it quotes the text.
 */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
