/** Where a text stops being JSON, as a sentence; undefined for JSON. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? []
    if (line !== undefined) return `This is no JSON yet: look at line ${line}, column ${column}.`
    return text.trim() === '' ? 'There is nothing to send.' : 'This is no JSON yet: its end is missing.'
  }
}
