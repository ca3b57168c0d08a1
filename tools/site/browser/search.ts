// The search: runs in the browser, over texts that come with the site.
import type {Situation, Step} from '../../../src/cli/help/entry.ts'
import {type FoundText, finderOf, type SiteEntry} from './finder.ts'

const MOST_RESULTS = 20
/** Length of the text that a result shows, and how much of it is before the first word that was found. */
const EXCERPT = 160
const BEFORE = 50

const find = finderOf((globalThis as unknown as {searchEntries: readonly SiteEntry[]}).searchEntries)

const input = document.querySelector<HTMLInputElement>('#query')
const panel = document.querySelector<HTMLElement>('#results')
const count = panel?.querySelector<HTMLElement>('.count')
const answer = panel?.querySelector<HTMLElement>('.answer')
const list = panel?.querySelector<HTMLElement>('ol')
if (input && panel && count && answer && list) {
  const root = document.documentElement.dataset.root ?? ''

  const show = (): void => {
    const query = input.value.trim()
    panel.hidden = query === ''
    if (query === '') return
    const {situation, addressOf, found, terms} = find(query)
    count.textContent =
      found.length === 0
        ? `Nothing found for ${query}.`
        : `${found.length} ${found.length === 1 ? 'result' : 'results'}${found.length > MOST_RESULTS ? `, the best ${MOST_RESULTS} are shown` : ''}`
    answer.replaceChildren(...(situation ? answerOf(situation, addressOf, root) : []))
    list.replaceChildren(...found.slice(0, MOST_RESULTS).map(each => resultOf(each, terms, root)))
  }

  const links = (): HTMLElement[] => [...panel.querySelectorAll('a')]
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
  for (const links of [answer, list]) links.addEventListener('click', close)
  addEventListener('pointerdown', event => {
    if (event.target instanceof Node && !panel.parentElement?.contains(event.target)) close()
  })
  show()
}

/** What to do, step by step, as `cardctl help` says it. */
function answerOf(
  {about, lacks, steps}: Situation,
  addressOf: (step: Step) => string | undefined,
  root: string,
): readonly HTMLElement[] {
  const title = document.createElement('p')
  title.textContent = lacks === undefined ? `For ${about}:` : `For ${about}: ${lacks}`
  return [
    title,
    ...steps.map(step => {
      const line = document.createElement('p')
      const command = document.createElement('code')
      command.textContent = `cardctl ${step.words}`
      const address = addressOf(step)
      const link = address === undefined ? command : document.createElement('a')
      if (address !== undefined && link instanceof HTMLAnchorElement) {
        link.className = 'step'
        link.href = root + address
        link.append(command)
      }
      line.append(`${step.does}: `, link)
      return line
    }),
  ]
}

function resultOf(
  {address, title, page, text}: FoundText,
  terms: readonly string[],
  root: string,
): HTMLElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + address
  const name = document.createElement('strong')
  name.append(...marked(title, terms))
  const where = document.createElement('span')
  where.className = 'where'
  where.textContent = page
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
