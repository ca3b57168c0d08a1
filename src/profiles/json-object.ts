/** Whether a parsed JSON value is an object, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON object in a text, or undefined. The parser's own message is dropped: it quotes the text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
