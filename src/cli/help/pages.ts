import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from '../package-files.ts'
import {ASKED_OF_PAGES} from './asked/of-pages.ts'
import {phrasesIn} from './terms.ts'

/** A page that comes with the program. */
export interface DocsPage {
  /** As it lies in the package: `docs/security.md`. */
  readonly name: string
  /** What was changed and why, and pages for people who change cardctl. */
  readonly isBackground?: boolean
  /** Tables that are made from data. */
  readonly isReference?: boolean
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

/**
 * All pages, those for users first; none if the package came without them. Pages of docs/commands/ about commands have the same
 * as their help, so they are left out, and so is the list of all pages. Read only to search them.
 */
export function docsPages(): readonly DocsPage[] {
  const forUsers = [...pagesIn('docs', name => !/^(?:README|style)\.md$/.test(name)), 'README.md']
  const others = ['docs/commands/README.md', 'docs/style.md', ...OTHERS, ...pagesIn('docs/decisions')]
  return [
    ...forUsers.flatMap(name => readPage(name)),
    ...LOOKED_UP.flatMap(name => readPage(name)).map(page => ({...page, isReference: true})),
    ...others.flatMap(name => readPage(name)).map(page => ({...page, isBackground: true})),
  ]
}

/** Pages of docs/commands/ that aren't about commands, and so have no entries yet. */
const LOOKED_UP = ['errors', 'settings', 'webhook-contract', 'file-formats'].map(
  name => `docs/commands/${name}.md`,
)

const OTHERS = ['CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md', 'src/README.md']

function pagesIn(folder: string, isWanted = (_name: string): boolean => true): readonly string[] {
  try {
    return readdirSync(join(ROOT, folder))
      .filter(name => name.endsWith('.md') && isWanted(name))
      .toSorted()
      .map(name => `${folder}/${name}`)
  } catch {
    return []
  }
}

function readPage(name: string): readonly DocsPage[] {
  const text = readShipped(name)
  return text === undefined ? [] : [pageOf(name, text)]
}

/** A page without what is only for tools; undefined if the package came without it. */
export function readShipped(name: string): string | undefined {
  try {
    return readFileSync(join(ROOT, name), 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '')
  } catch {
    return undefined
  }
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
