import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from '../package-files.ts'
import type {HelpLayout} from './layout.ts'
import {plainText} from './pages.ts'

/** The page of docs/ that words name: `four-eyes`, `bulk.md`, `docs/bulk.md`. Undefined if there is none. */
export function pageText(words: readonly string[], layout: HelpLayout): string | undefined {
  const [, name] = /^(?:docs\/)?([a-z][a-z-]*)(?:\.md)?$/.exec(words.join('-')) ?? []
  if (name === undefined) return undefined
  try {
    return textOf(readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8'), layout).join('\n')
  } catch {
    return undefined
  }
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
  for (const line of page.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n')) {
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
