// How Markdown becomes HTML: links between pages, anchors of headings, code with commands to copy, tables that scroll.
import type {Markdown, MarkdownToken} from '@11ty/eleventy'
import {anchor} from '../../src/cli/help/anchor.ts'
import {plainText} from '../../src/cli/help/pages.ts'
import {siteLink} from './addresses.ts'
import {type Section, sectionsOf} from './sections.ts'

/** Adds the rules of the site. `onPage` gets the sections of each page. */
export function addRules(
  markdown: Markdown,
  onPage: (inputPath: string, sections: readonly Section[]) => void,
): void {
  const {escapeHtml} = markdown.utils
  markdown.core.ruler.push('cardctl', ({tokens, env}) => {
    const source = env.source ?? env.page.inputPath.replace(/^\.\//, '')
    nameHeadings(tokens)
    labelCells(tokens)
    for (const token of tokens) {
      // A style attribute is against the policy of the pages.
      if (token.attrGet('style') === 'text-align:right') token.attrSet('class', 'right')
      if (token.attrs) token.attrs = token.attrs.filter(([name]) => name !== 'style')
    }
    for (const token of tokens.flatMap(({children}) => children ?? [])) {
      const name = token.type === 'image' ? 'src' : 'href'
      const link = token.attrGet(name)
      if (link !== null) token.attrSet(name, siteLink(link, source))
    }
    onPage(env.page.inputPath, sectionsOf(tokens))
  })
  const {rules} = markdown.renderer
  rules.heading_close = (tokens, index) => {
    const {tag} = tokens[index] ?? {tag: 'h2'}
    const id = tokens[index - 2]?.attrGet('id') ?? ''
    const text = escapeHtml(tokens[index - 1]?.content.replaceAll('`', '') ?? '')
    const link = tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`
    return `${link}</${tag}>\n`
  }
  rules.code_inline = (tokens, index) => {
    const words = escapeHtml(tokens[index]?.content ?? '').split(' ')
    return `<code>${words.map(word => (/^--?\w/.test(word) ? `<span class="flag${word.length > 16 ? ' long' : ''}">${word}</span>` : breakable(word))).join(' ')}</code>`
  }
  rules.table_open = () => '<div class="table"><table role="table">\n'
  rules.table_close = () => '</table></div>\n'
  rules.code_block = rules.fence = (tokens, index) => {
    const {info, content} = tokens[index] ?? {info: '', content: ''}
    return `<div class="code"><pre><code>${codeHtml(content, info, escapeHtml)}</code></pre></div>\n`
  }
}

/** Lets a long name break behind its parts, such as `CARDCTL_` and `transactionData.`, and so nowhere else. */
const breakable = (word: string): string =>
  word.length > 12 ? word.replaceAll(/(?<=[a-z\d\]])(?:[_./]|&amp;)(?=[a-z\d])/gi, '$&<wbr>') : word

/** Gives each heading the anchor that GitHub gives it. */
function nameHeadings(tokens: readonly MarkdownToken[]): void {
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const name = anchor(tokens[index + 1]?.content ?? '')
    const before = counts.get(name) ?? 0
    counts.set(name, before + 1)
    token.attrSet('id', before === 0 ? name : `${name}-${before}`)
  }
}

const ROLES: Readonly<Record<string, string>> = {
  table_open: 'table',
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
}

/**
 * Gives each cell the heading of its column, which a narrow window shows beside it: there a row is a block. The roles keep
 * it a table for screen readers.
 */
function labelCells(tokens: readonly MarkdownToken[]): void {
  let headings: string[] = []
  let column = 0
  for (const [index, token] of tokens.entries()) {
    const role = ROLES[token.type]
    if (role !== undefined) token.attrSet('role', role)
    if (token.type === 'thead_open') headings = []
    else if (token.type === 'tr_open') column = 0
    else if (token.type === 'th_open') headings.push(plainText(tokens[index + 1]?.content ?? ''))
    else if (token.type === 'td_open') token.attrSet('data-label', headings[column++] ?? '')
  }
}

/** Marks what a reader types: after a prompt, with its continued lines. Comments of a shell are marked, too. */
function codeHtml(code: string, language: string, asHtml: (text: string) => string): string {
  const isShell = language === 'sh'
  const commented = (line: string): string => {
    const [, command = '', comment = ''] = /^(.*?)((?:^|\s)#\s.*)?$/.exec(line) ?? []
    return asHtml(command) + (comment === '' ? '' : `<span class="comment">${asHtml(comment)}</span>`)
  }
  if (isShell || !/^\$ /m.test(code))
    return isShell ? code.split('\n').map(commented).join('\n') : asHtml(code)
  let isContinued = false
  const lines = code.split('\n').map(line => {
    const isCommand = isContinued || line.startsWith('$ ')
    const prompt = isCommand && !isContinued ? '<span class="prompt">$ </span>' : ''
    isContinued = isCommand && line.endsWith('\\')
    if (!isCommand) return asHtml(line)
    return `${prompt}<span class="command">${commented(prompt === '' ? line : line.slice(2))}</span>`
  })
  return lines.join('\n')
}
