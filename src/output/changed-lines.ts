/** A line of a text, and whether it is new since the text before. */
export interface ComparedLine {
  readonly text: string
  readonly isChanged: boolean
}

/**
 * The lines of a text, compared with those of an earlier one. The width of columns doesn't count: a longer value moves
 * the others. Lines may have changed their order.
 */
export function compareLines(
  text: string,
  before: string | undefined,
): {readonly lines: readonly ComparedLine[]; readonly gone: number} {
  const texts = linesOf(text)
  if (before === undefined) return {lines: texts.map(each => ({text: each, isChanged: false})), gone: 0}
  const left = new Map<string, number>()
  for (const each of linesOf(before)) left.set(contentOf(each), (left.get(contentOf(each)) ?? 0) + 1)
  const lines = texts.map(each => {
    const content = contentOf(each)
    const count = left.get(content) ?? 0
    if (count > 0) left.set(content, count - 1)
    return {text: each, isChanged: count === 0 && content !== ''}
  })
  const rest = [...left].filter(([content]) => content !== '').reduce((sum, [, count]) => sum + count, 0)
  const changed = lines.filter(({isChanged}) => isChanged).length
  return {lines, gone: Math.max(0, rest - changed)}
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

// Built from a string, because the linter rejects the escape character in a RegExp literal.
const COLOUR_CODES = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g')

/** Without colours, the width of columns and the length of rules. */
const contentOf = (line: string): string =>
  line
    .replaceAll(COLOUR_CODES, '')
    .replaceAll(/[─-]{3,}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
