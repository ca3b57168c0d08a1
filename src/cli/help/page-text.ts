import {typedLine} from '../command-line.ts'
import {anchor} from './anchor.ts'
import type {HelpLayout} from './layout.ts'
import {plainText, readShipped} from './pages.ts'

/**
 * The page that words name: `four-eyes`, `bulk.md`, `README`, `docs/commands/errors.md`, or a link to one as pages have it,
 * of which a part may be meant: `support.md#history`. Undefined if there is none.
 */
export function pageText(words: readonly string[], layout: HelpLayout): string | undefined {
  const [file = '', part] = words
    .join('-')
    .replace(/^(?:\.\.?\/)+/, '')
    .split('#')
  const path = file.replace(/\.md$/, '')
  if (!/^(?:(?:docs|examples|src|commands|decisions)\/)*[\w-]+$/.test(path)) return undefined
  const names = [path, path.toUpperCase(), `docs/${path}`, `docs/commands/${path}`]
  for (const name of names) {
    const page = readShipped(`${name}.md`)
    if (page !== undefined) return shown(`${name}.md`, page, part, layout)
  }
  return undefined
}

function shown(name: string, page: string, part: string | undefined, layout: HelpLayout): string {
  const section = part === undefined ? undefined : sectionOf(page, part)
  if (section === undefined) return textOf(page, layout).join('\n')
  const whole = `  The whole page: ${typedLine(['help', name], undefined)}`
  return [...textOf(section, layout), '', whole].join('\n')
}

/** The title, and what is below the heading with an anchor and below its own headings; undefined if there is none. */
function sectionOf(page: string, part: string): string | undefined {
  const lines = page.split('\n')
  let isCode = false
  const levels = lines.map(line => {
    if (line.startsWith('```')) isCode = !isCode
    return isCode ? 0 : (/^#+(?= )/.exec(line)?.[0].length ?? 0)
  })
  const begin = lines.findIndex(
    (line, at) => levels[at] && anchor(plainText(line.replace(/^#+ /, ''))) === part,
  )
  const level = levels[begin]
  if (level === undefined) return undefined
  const end = levels.findIndex((other, at) => at > begin && other > 0 && other <= level)
  const title = lines.find((_, at) => levels[at] === 1 && at < begin) ?? ''
  return [title, '', ...lines.slice(begin, end === -1 ? undefined : end)].join('\n')
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
