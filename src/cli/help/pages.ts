import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from '../package-files.ts'
import {ASKED_OF_PAGES} from './asked/of-pages.ts'
import {phrasesIn} from './terms.ts'

/** A page of docs/ that comes with the program. */
export interface DocsPage {
  /** As it lies in the package: `docs/security.md`. */
  readonly name: string
  readonly title: string
  readonly headings: readonly string[]
  /** What people say whom it helps, and below which heading. */
  readonly asked: readonly PageLine[]
  /** The rest, line by line. */
  readonly lines: readonly PageLine[]
}

export interface PageLine {
  readonly text: string
  /** The heading that it is below, unless that is the title. */
  readonly under?: string
}

/** All pages for users; none if the package came without them. Read only to search them. */
export function docsPages(): readonly DocsPage[] {
  let files: readonly string[]
  try {
    files = readdirSync(join(ROOT, 'docs')).filter(file => file.endsWith('.md') && !BACKGROUND.test(file))
  } catch {
    return []
  }
  return files.toSorted().map(file => pageOf(`docs/${file}`, readFileSync(join(ROOT, 'docs', file), 'utf8')))
}

/** A line of Markdown without its marks: a row of a table with its cells apart, no code marks, links as their text. */
export function plainText(line: string): string {
  const cells = line.startsWith('|')
    ? line
        .replace(/^\||\|\s*$/g, '')
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim())
        .filter(cell => !/^:?-*:?$/.test(cell))
        .join('; ')
    : line
  return cells
    .replaceAll('\\|', '|')
    .replaceAll(/<br ?\/?>/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
}

/** The list of all pages, and those for people who change cardctl. */
const BACKGROUND = /^(?:README|style)\.md$/

/** A page by its Markdown. */
export function pageOf(name: string, text: string): DocsPage {
  const headings: string[] = []
  const lines: PageLine[] = []
  // In a block, a line with a number sign is a comment of a shell.
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (!isCode && /^#+ /.test(line)) headings.push(plainText(line.replace(/^#+ /, '')))
    else if (line.trim() !== '')
      lines.push({
        text: plainText(line),
        ...(headings.length > 1 && {under: headings.at(-1) ?? ''}),
      })
  }
  const [title = name, ...others] = headings
  return {name, title, asked: askedOf(name.replace('docs/', '')), headings: others, lines}
}

const askedOf = (page: string): readonly PageLine[] =>
  Object.entries(ASKED_OF_PAGES).flatMap(([key, texts]) => {
    const [of, under] = key.split('#')
    return of === page ? phrasesIn(texts).map(text => ({text, ...(under !== undefined && {under})})) : []
  })
