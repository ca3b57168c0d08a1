// What a search of the site finds, best first: what `cardctl help` finds, and where on the site that is.
import {
  answered,
  bestText,
  closeWords,
  type Entry,
  type Ranked,
  rankedBy,
  readEntries,
  situationIn,
} from '../../../src/cli/help/search.ts'
import type {Situation, Step} from '../../../src/cli/help/situations.ts'

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

/** What weighs less is a line of a page. */
const HEADING = 20

/** The search over the entries of a site. */
export function finderOf(entries: readonly SiteEntry[]): (query: string) => Answer {
  const read = readEntries(entries)
  const byName = new Map(entries.map(entry => [entry.name, entry]))
  const addressOf = ({words}: Step): string | undefined => {
    const [, page] = /^help (\S+)$/.exec(words) ?? []
    const names = words.split(' ').map((_, at, all) => all.slice(0, all.length - at).join(' '))
    const known = [`docs/${page}.md`, ...names].find(name => byName.has(name))
    return known === undefined ? undefined : byName.get(known)?.address
  }
  return query => {
    const words = query.split(/\s+/).filter(Boolean)
    const situation = situationIn(words)
    const ranked = rankedBy(words, read, situation)
    const found = ranked.map(each => foundIn(each, byName.get(each.entry.name)))
    // A topic of the terminal has the address of a page.
    const once = found.filter(({address}, at) => found.findIndex(other => other.address === address) === at)
    return {situation, addressOf, found: once, terms: ranked[0]?.wanted ?? []}
  }
}

function foundIn({entry, texts, wanted}: Ranked, site: SiteEntry | undefined): FoundText {
  const {name, summary} = entry
  const {address = '', anchors = {}} = site ?? {}
  const best = bestText(texts, wanted)
  if (!name.endsWith('.md'))
    return {
      name,
      address,
      title: name.startsWith('help ') ? summary : `cardctl ${name}`,
      page: '',
      text: [...new Set([summary, best?.text])].filter(text => !name.endsWith(text ?? '')).join(' '),
    }
  const text = sectionText(texts, wanted) ?? best
  const {under} = text ?? {}
  const isHeading = text?.text === under || text?.text === summary
  const first = texts.find(each => each.under === under && each.weight < HEADING && !each.isHidden)
  return {
    name,
    address: under === undefined ? address : `${address}#${anchors[under] ?? ''}`,
    title: under ?? summary,
    page: under === undefined ? '' : summary,
    text: (isHeading ? first : text)?.text ?? '',
  }
}

/** The title or heading that has the most of the words, also parts of them; a line only if it has at least two. */
function sectionText(texts: Ranked['texts'], wanted: readonly string[]): Ranked['texts'][number] | undefined {
  const asked = texts
    .filter(({isHidden}) => isHidden)
    .toSorted((one, other) => answered(other, wanted) - answered(one, wanted))[0]
  if (asked?.under !== undefined && answered(asked, wanted) > 0)
    return texts.find(({text}) => text === asked.under)
  const parts = wanted.flatMap(word => [word, ...word.split('-').filter(part => part.length > 3)])
  const [title, ...others] = texts
  // Who asks for exit code 3 doesn't mean a heading about 10.
  const headings = others.filter(
    ({text, under, lower}) =>
      text === under && (lower.match(/\d+/g) ?? []).every(number => wanted.includes(number)),
  )
  const heading = bestText(headings, parts)
  const has = (text: Ranked['texts'][number] | undefined, words: readonly string[]): number =>
    text === undefined ? 0 : closeWords(text, words)
  if (has(heading, parts) > 0 && has(heading, parts) >= has(title, parts)) return heading
  const line = bestText(others, wanted)
  return has(line, wanted) > Math.max(has(title, wanted), Math.min(1, wanted.length - 1)) ? line : title
}
