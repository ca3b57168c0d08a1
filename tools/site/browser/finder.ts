// What a search of the site finds, best first. https://github.com/lucaong/minisearch
import MiniSearch from 'minisearch'
import {isTelling, stemOf} from '../../../src/cli/help/terms.ts'

/** A section as the search in the browser gets it: address, title of the page, heading, text, and what people ask of it. */
export type SearchText = readonly [
  address: string,
  title: string,
  heading: string,
  text: string,
  questions: string,
]

/** A part of a page below one heading. */
export interface Text {
  readonly id: number
  readonly address: string
  readonly title: string
  readonly heading: string
  readonly text: string
  readonly questions: string
}

export interface FoundText {
  readonly text: Text
  /** The words that were found in it. */
  readonly terms: readonly string[]
}

/** Pages for people who change cardctl, and what was changed when. */
const BACKGROUND = /^(?:decisions\/|changelog|contributing|style|architecture)/

/** What has the words as they were typed comes first; of a flag, its commands. What was decided comes after what to do. */
function weightOf(text: Text | undefined, query: string): number {
  if (text === undefined) return 1
  const words = `${text.title}\n${text.heading}\n${text.text}\n${text.questions}`.toLowerCase()
  const typed = query.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const hasQuery = new RegExp(`(?<![\\p{L}\\p{N}])${typed}(?![\\p{L}\\p{N}])`, 'u').test(words)
  const isItsCommand = query.startsWith('-') && text.address.startsWith('commands/')
  return (hasQuery ? (isItsCommand ? 40 : 4) : 1) * (BACKGROUND.test(text.address) ? 0.3 : 1)
}

/** The search over the texts of a site: what has all words, or else some of them. */
export function finderOf(all: readonly SearchText[]): (query: string) => readonly FoundText[] {
  const texts = all.map(
    ([address, title, heading, text, questions], id): Text => ({
      id,
      address,
      title,
      heading,
      text,
      questions,
    }),
  )
  const index = new MiniSearch<Text>({
    fields: ['title', 'heading', 'text', 'questions'],
    // As in the terminal: forms of a word are alike, and words that tell nothing are left out. A mistyped word is near to
    // the whole one.
    processTerm: term => (isTelling(term) ? [...new Set([stemOf(term), term.toLowerCase()])] : null),
    searchOptions: {
      boost: {heading: 4, title: 3, questions: 5},
      // 10 isn't the beginning of 100.
      prefix: term => !/^\d+$/.test(term),
      fuzzy: term => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
    },
  })
  index.addAll(texts)
  return query => {
    const boostDocument = (id: unknown): number => weightOf(texts[id as number], query)
    const whole = index.search(query, {boostDocument, combineWith: 'AND'})
    const found = whole.length > 0 ? whole : index.search(query, {boostDocument, combineWith: 'OR'})
    return found.flatMap(({id, terms}) => {
      const text = texts[id as number]
      return text ? [{text, terms}] : []
    })
  }
}
