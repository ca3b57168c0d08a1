import {globSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A page of text for people, by its path in the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Every page but those that are generated. */
export function pages(): readonly Page[] {
  return globSync(['*.md', 'docs/**/*.md', 'src/README.md'], {
    cwd: ROOT,
    exclude: ['docs/commands/**', 'THIRD-PARTY-NOTICES.md'],
  })
    .sort()
    .map(path => ({path, text: readFileSync(`${ROOT}${path}`, 'utf8')}))
}

export interface Block {
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a page. */
export function blocksOf({text}: Page): readonly Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** What stands in backquotes outside of blocks. */
export function inlineCodeOf({text}: Page): readonly string[] {
  return [...outsideBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** Relative links of a page: path and anchor, either may be empty. */
export function linksOf({text}: Page): readonly {readonly target: string; readonly anchor: string}[] {
  return [...outsideBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter(link => !/^[a-z]+:/.test(link))
    .map(link => {
      const [target = '', anchor = ''] = link.split('#')
      return {target, anchor}
    })
}

/** The anchors that the headings of a page make. */
export function anchorsOf({text}: Page): readonly string[] {
  return [...outsideBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function outsideBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '')
}
