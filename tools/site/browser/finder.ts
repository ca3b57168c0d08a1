// What a search of the site finds, best first: what `cardctl help` finds, and where on the site that is.
import type {Entry, Situation, Step} from '../../../src/cli/help/entry.ts'
import {answerTo, bestText, type Ranked, readEntries, situationIn} from '../../../src/cli/help/search.ts'
import {pageOf} from '../../../src/cli/help/search-index.ts'

export interface SiteEntry extends Entry {
  readonly address: string
  /** Of the headings of a page. */
  readonly anchors: Readonly<Record<string, string>>
}

export interface FoundText {
  /** As the terminal names it. */
  readonly name: string
  readonly address: string
  readonly title: string
  /** The page that the title is a heading of. */
  readonly page: string
  readonly text: string
}

/** What to do about what the question is about, and what was found. */
export interface Answer {
  readonly situation: Situation | undefined
  /** Where a step is described. */
  readonly addressOf: (step: Step) => string | undefined
  readonly found: readonly FoundText[]
  /** The words that were looked for, mistyped ones as they were meant. */
  readonly terms: readonly string[]
}

/** The search over the entries of a site. */
export function finderOf(entries: readonly SiteEntry[]): (query: string) => Answer {
  const read = readEntries(entries)
  const byName = new Map(entries.map(entry => [entry.name, entry]))
  const addressOf = ({words}: Step): string | undefined => {
    const names = words.split(' ').map((_, at, all) => all.slice(0, all.length - at).join(' '))
    const known = [pageOf(words) ?? '', ...names].find(name => byName.has(name))
    return known === undefined ? undefined : byName.get(known)?.address
  }
  return query => {
    const words = query.split(/\s+/).filter(Boolean)
    const {situation, ranked} = answerTo(words, read, situationIn(words))
    const found = ranked.map(each => foundIn(each, byName.get(each.entry.name)))
    // A topic of the terminal has the address of a page.
    const once = found.filter(({address}, at) => found.findIndex(other => other.address === address) === at)
    return {situation, addressOf, found: once, terms: (ranked[0]?.wanted ?? []).map(({term}) => term)}
  }
}

function foundIn({entry, texts, under, wanted, named}: Ranked, site: SiteEntry | undefined): FoundText {
  const {name, summary} = entry
  const {address = '', anchors = {}} = site ?? {}
  const best = bestText(texts, wanted, name.endsWith('.md'))
  if (!name.endsWith('.md'))
    return {
      name,
      address,
      title: name.startsWith('help ') ? summary : `cardctl ${name}`,
      page: '',
      text: [...new Set([summary, named ?? best?.text])].filter(text => !name.endsWith(text ?? '')).join(' '),
    }
  const first = texts.find(({field}) => field === 'text')
  return {
    name,
    address: under === undefined ? address : `${address}#${anchors[under] ?? ''}`,
    title: under ?? summary,
    page: under === undefined ? '' : summary,
    text: named ?? (best?.field === 'text' ? best : first)?.text ?? '',
  }
}
