// The search: runs in the browser, over texts that come with the site.
import {finderOf, type SearchText, type Text} from './finder.ts'

const MOST_RESULTS = 20
/** Length of the text that a result shows, and how much of it is before the first word that was found. */
const EXCERPT = 160
const BEFORE = 50

const find = finderOf((globalThis as unknown as {searchTexts: readonly SearchText[]}).searchTexts)

const input = document.querySelector<HTMLInputElement>('#query')
const panel = document.querySelector<HTMLElement>('#results')
const count = panel?.querySelector<HTMLElement>('.count')
const list = panel?.querySelector<HTMLElement>('ol')
if (input && panel && count && list) {
  const root = document.documentElement.dataset.root ?? ''

  const show = (): void => {
    const query = input.value.trim()
    panel.hidden = query === ''
    if (query === '') return
    const found = find(query)
    count.textContent =
      found.length === 0
        ? `Nothing found for ${query}.`
        : `${found.length} ${found.length === 1 ? 'result' : 'results'}${found.length > MOST_RESULTS ? `, the best ${MOST_RESULTS} are shown` : ''}`
    list.replaceChildren(...found.slice(0, MOST_RESULTS).map(({text, terms}) => resultOf(text, terms, root)))
  }

  const links = (): HTMLElement[] => [...list.querySelectorAll('a')]
  const close = (): void => {
    panel.hidden = true
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  panel.parentElement?.addEventListener('keydown', event => {
    const all = [input, ...links()]
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Escape') {
      input.focus()
      close()
    } else if (event.key === 'Enter' && document.activeElement === input) links()[0]?.click()
    else if (event.key === 'ArrowDown') all[Math.min(at + 1, all.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') all[Math.max(at - 1, 0)]?.focus()
    else return
    event.preventDefault()
  })
  // Also closes for a result on the same page, to which the browser only scrolls.
  list.addEventListener('click', close)
  addEventListener('pointerdown', event => {
    if (event.target instanceof Node && !panel.parentElement?.contains(event.target)) close()
  })
  show()
}

function resultOf(
  {address, title, heading, text}: Text,
  terms: readonly string[],
  root: string,
): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + address
  const name = document.createElement('strong')
  name.append(...marked(heading === '' ? title : heading, terms))
  const where = document.createElement('span')
  where.className = 'where'
  where.textContent = heading === '' ? '' : title
  const excerpt = document.createElement('span')
  excerpt.className = 'excerpt'
  excerpt.append(...marked(excerptOf(text, terms), terms))
  link.append(name, where, excerpt)
  item.append(link)
  return item
}

/** Finds whole words only, with any ending. */
function patternOf(terms: readonly string[]): RegExp {
  const words = terms.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join('|')})\\p{L}*)(?![\\p{L}\\p{N}])`, 'giu')
}

/** The part of a text with the first of the terms. */
function excerptOf(text: string, terms: readonly string[]): string {
  const at = Math.max(0, text.search(patternOf(terms)) - BEFORE)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const part = text.slice(start, start + EXCERPT)
  return `${start > 0 ? '… ' : ''}${part}${start + EXCERPT < text.length ? ' …' : ''}`
}

/** A text as nodes, with the terms marked. */
function marked(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  return text.split(patternOf(terms)).map((part, at) => {
    if (at % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}
