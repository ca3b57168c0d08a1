import type {HelpLayout} from './layout.ts'
import {plainText, readShipped} from './pages.ts'

/**
 * The page that words name: `four-eyes`, `bulk.md`, `README`, `docs/commands/errors.md`, or a link to one as pages have it.
 * Undefined if there is none.
 */
export function pageText(words: readonly string[], layout: HelpLayout): string | undefined {
  const path = words
    .join('-')
    .replace(/^(?:\.\.?\/)+|#.*$/g, '')
    .replace(/\.md$/, '')
  if (!/^(?:(?:docs|examples|src|commands|decisions)\/)*[\w-]+$/.test(path)) return undefined
  const names = [path, path.toUpperCase(), `docs/${path}`, `docs/commands/${path}`]
  const text = names.map(name => readShipped(`${name}.md`)).find(each => each !== undefined)
  return text === undefined ? undefined : textOf(text, layout).join('\n')
}

/** Where a paragraph, an entry of a list or a row ends. */
const BEGINS = /^(?:\s*(?:[-*]|\d+\.) |\||#|```|$)/

function textOf(page: string, layout: HelpLayout): readonly string[] {
  const lines: string[] = []
  let open: string[] = []
  let rows: [string, string][] = []
  let isCode = false
  const close = () => {
    if (open.length > 0) lines.push(...layout.prose(open.join(' '), '  '))
    open = []
  }
  const closeTable = () => {
    lines.push(...layout.rows(rows, 24))
    rows = []
  }
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) {
      close()
      isCode = !isCode
    } else if (isCode) lines.push(`    ${line}`.trimEnd())
    else {
      if (BEGINS.test(line)) close()
      if (!line.startsWith('|')) closeTable()
      const heading = /^#+ (.*)$/.exec(line)?.[1]
      const [first, ...others] = line.startsWith('|') ? plainText(line).split('; ') : []
      if (heading !== undefined) lines.push(plainText(heading).toUpperCase())
      else if (first !== undefined) {
        if (first !== '') rows.push([first, others.join('; ')])
      } else if (line.trim() === '') lines.push('')
      else if (!line.startsWith('![')) open.push(plainText(line.trim()))
    }
  }
  close()
  closeTable()
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
}
