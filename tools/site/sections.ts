import type {MarkdownToken} from '@11ty/eleventy'

/** A part of a page below one heading, as plain text. */
export interface Section {
  readonly level: number
  readonly heading: string
  readonly anchor: string
  readonly text: string
}

/** The sections of a page, for its table of contents and the search. */
export function sectionsOf(tokens: readonly MarkdownToken[]): readonly Section[] {
  const sections: {level: number; heading: string; anchor: string; text: string}[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1])
      sections.push({level: Number(token.tag.slice(1)), heading, anchor: token.attrGet('id') ?? '', text: ''})
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${textOf(token)}`.trim()
    }
  }
  return sections.map(section => ({...section, text: section.text.replace(/\s+/g, ' ')}))
}

function textOf(token: MarkdownToken | undefined): string {
  if (token?.type === 'fence' || token?.type === 'code_block') return token.content
  return (token?.children ?? [])
    .map(({type, content}) =>
      type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? ' ' : content,
    )
    .join('')
}
