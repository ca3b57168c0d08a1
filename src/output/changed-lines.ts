/** A line of a text, and whether it is new since the text before. */
export interface ComparedLine {
  readonly text: string
  readonly isChanged: boolean
}

/**
 * The lines of a text, compared with those of an earlier one: first blocks between empty lines as wholes, then the lines of
 * the others. The width of columns doesn't count: a longer value moves the others. Lines and blocks may have changed their
 * order.
 */
export function compareLines(
  text: string,
  before: string | undefined,
): {readonly lines: readonly ComparedLine[]; readonly gone: number} {
  if (before === undefined) {
    return {lines: linesOf(text).map(each => ({text: each, isChanged: false})), gone: 0}
  }
  const blocks = blocksOf(text)
  const earlier = new Bag(blocksOf(before).map(contentOf))
  const isSame = blocks.map(block => earlier.take(contentOf(block)))
  const left = new Bag(earlier.rest.flatMap(block => block.split('\n')))
  const lines = blocks.flatMap((block, at) => [
    ...(at === 0 ? [] : [{text: '', isChanged: false}]),
    ...block.split('\n').map((line): ComparedLine => {
      const content = contentOf(line)
      return {text: line, isChanged: isSame[at] !== true && content !== '' && !left.take(content)}
    }),
  ])
  const changed = lines.filter(({isChanged}) => isChanged).length
  return {lines, gone: Math.max(0, left.rest.filter(content => content !== '').length - changed)}
}

/** Texts, each as often as it was put in. */
class Bag {
  readonly #counts = new Map<string, number>()

  constructor(texts: readonly string[]) {
    for (const text of texts) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1)
  }

  /** Whether it was there. */
  take(text: string): boolean {
    const count = this.#counts.get(text) ?? 0
    if (count > 0) this.#counts.set(text, count - 1)
    return count > 0
  }

  get rest(): readonly string[] {
    return [...this.#counts].flatMap(([text, count]) => Array.from({length: count}, () => text))
  }
}

const withoutLastEnd = (text: string): string => text.replace(/\n$/, '')

const blocksOf = (text: string): readonly string[] => (text === '' ? [] : withoutLastEnd(text).split('\n\n'))

const linesOf = (text: string): readonly string[] => (text === '' ? [] : withoutLastEnd(text).split('\n'))

// Built from a string, because the linter rejects the escape character in a RegExp literal.
const COLOUR_CODES = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g')

/** Without colours, the width of columns, the length of rules and the numbers of entries. */
const contentOf = (text: string): string =>
  text
    .replaceAll(COLOUR_CODES, '')
    .replaceAll(/[─-]{3,}/g, '')
    .split('\n')
    // The number of an entry, which a new entry before it changes.
    .map(line =>
      line
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/^([^\d:]+) \d+ of \d+$/, '$1'),
    )
    .join('\n')
