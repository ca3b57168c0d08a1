// What is searched, by its words. Runs in a browser, too: nothing here reads a file.
import {type Entry, type Field, type Text, WEIGHTS} from './entry.ts'
import {type PrintedLine, printedLines} from './error-lines.ts'
import {codesOfPages, definitionsOfPages, type Explained} from './names-of-pages.ts'
import {phrasesOf, SITUATIONS} from './situations.ts'
import {inWordsOfPages} from './synonyms.ts'
import {partsOf, termsOf} from './terms.ts'

export interface ReadText extends Text {
  readonly terms: readonly string[]
}

/** An entry, or what of it is below one heading: words that are far apart on a page don't belong together. */
export interface Section {
  readonly entry: Entry
  readonly under: string | undefined
  readonly texts: readonly ReadText[]
  /** By field. */
  readonly fields: ReadonlyMap<Field, ReadField>
}

interface ReadField {
  /** How often it has each word. */
  readonly counts: ReadonlyMap<string, number>
  /** Its words over those that such a field has in the middle. */
  readonly length: number
}

/** What people say, or a name, and which entries are for that, the best first. */
interface Phrase {
  readonly terms: ReadonlySet<string>
  readonly names: readonly string[]
  /** What is shown for it. */
  readonly line?: string
}

export interface SearchIndex {
  readonly entries: readonly Entry[]
  /** How many sections are counted. */
  readonly count: number
  /** In which sections a word is. */
  readonly having: ReadonlyMap<string, readonly Section[]>
  /** In how many of the sections that are counted. */
  readonly counts: ReadonlyMap<string, number>
  /** Words of names, headings and of what people say. Others tell less of what something is about. */
  readonly telling: ReadonlySet<string>
  /** The phrases that have a word. */
  readonly saying: ReadonlyMap<string, readonly Phrase[]>
  /** What is named so, by names in small letters. */
  readonly naming: ReadonlyMap<string, readonly Explained[]>
  /** Sentences of error lines. */
  readonly printed: readonly PrintedLine[]
}

/** Entries with the words of their texts. */
export function readEntries(entries: readonly Entry[]): SearchIndex {
  const split = entries.flatMap(entry => sectionsOf(entry))
  const lengths = middleLengths(split.filter(isCounted))
  const sections = split.map(section => ({...section, fields: fieldsOf(section.texts, lengths)}))
  const having = new Map<string, Section[]>()
  const telling = new Set<string>()
  for (const section of sections)
    for (const [field, {counts}] of section.fields)
      for (const term of counts.keys()) {
        if (field !== 'text' && field !== 'wire') telling.add(term)
        const known = having.get(term) ?? []
        if (known.length === 0) having.set(term, known)
        if (known.at(-1) !== section) known.push(section)
      }
  const saying = new Map<string, Phrase[]>()
  for (const phrase of phrasesFor(entries))
    for (const term of phrase.terms) {
      telling.add(term)
      const known = saying.get(term) ?? []
      if (known.length === 0) saying.set(term, known)
      known.push(phrase)
    }
  const counts = new Map([...having].map(([term, all]) => [term, all.filter(isCounted).length]))
  const explained = entries.flatMap(entry => (entry.named ?? []).map(named => ({...named, entry})))
  const naming = new Map([
    ...codesOfPages(entries),
    ...definitionsOfPages(entries),
    ...Map.groupBy(
      explained.filter(({tried}) => tried === undefined),
      ({name}) => name.toLowerCase(),
    ),
    ...explained.flatMap(each => (each.tried ?? []).map(line => [`unknown ${line}`, [each]] as const)),
  ])
  return {
    entries,
    count: sections.filter(isCounted).length,
    having,
    counts,
    telling,
    saying,
    naming,
    printed: printedLines(explained),
  }
}

/** Whether it has a say in how rare a word is. */
const isCounted = ({entry}: Unread): boolean => !entry.isBackground && !entry.isReference

type Unread = Omit<Section, 'fields'>

function sectionsOf(entry: Entry): readonly Unread[] {
  const texts = entry.texts.map(text => ({...text, terms: wordsOf(text)}))
  const names = texts.filter(({field}) => field === 'name')
  const below = Map.groupBy(
    texts.filter(text => !names.includes(text)),
    ({under}) => under,
  )
  const sections = below.size === 0 ? [[undefined, []] as const] : [...below]
  return sections.map(([under, own]) => ({entry, under, texts: [...names, ...own]}))
}

/** With the parts of names that have hyphens. */
const wordsOf = ({text, field}: Text): readonly string[] =>
  field === 'asked' ? termsOf(inWordsOfPages(text)) : [...termsOf(text), ...partsOf(text)]

function byField(texts: readonly ReadText[]): ReadonlyMap<Field, readonly string[]> {
  const words = new Map<Field, string[]>()
  for (const {field, terms} of texts) words.set(field, [...(words.get(field) ?? []), ...terms])
  return words
}

function middleLengths(sections: readonly Unread[]): ReadonlyMap<Field, number> {
  const all = new Map<Field, number[]>()
  for (const {texts} of sections)
    for (const [field, {length}] of byField(texts)) all.set(field, [...(all.get(field) ?? []), length])
  const middle = (lengths: readonly number[]): number =>
    lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return new Map([...all].map(([field, lengths]) => [field, middle(lengths)]))
}

function fieldsOf(texts: readonly ReadText[], middle: ReadonlyMap<Field, number>): Section['fields'] {
  const read = [...byField(texts)].map(([field, terms]) => {
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    return [field, {counts, length: terms.length / (middle.get(field) ?? 1)}] as const
  })
  return new Map(read)
}

/** The texts that are taken for what people say. */
const SAID: ReadonlySet<Field> = new Set(['name', 'heading', 'asked'])

/** What callers say, with the commands for it, and what people say of each entry. */
function phrasesFor(entries: readonly Entry[]): readonly Phrase[] {
  const names = entries.map(({name}) => name).toSorted((a, b) => b.length - a.length)
  const nameOf = (words: string): readonly string[] =>
    names.filter(name => `${pageOf(words) ?? words} `.startsWith(`${name} `)).slice(0, 1)
  const phrase = (text: string, found: readonly string[]): Phrase => ({
    terms: new Set(termsOf(inWordsOfPages(text))),
    names: found,
  })
  const said = SITUATIONS.flatMap(situation => {
    const steps = situation.steps.flatMap(({words}) => nameOf(words))
    return [situation.about, ...phrasesOf(situation)].map(text => phrase(text, steps))
  })
  const asked = entries.flatMap(({name, texts}) =>
    [
      ...(name.endsWith('.md') || texts.length === 0 ? [] : [name.split(' ').at(-1) ?? name]),
      ...texts.filter(({field}) => SAID.has(field)).map(({text}) => text),
    ].map(text => phrase(text, [name])),
  )
  const named = entries.flatMap(({name, named: all = []}) =>
    all.flatMap(({says = '', line, rank}) =>
      rank < 1 && termsOf(says).length > 1 ? [{...phrase(says, [name]), line}] : [],
    ),
  )
  return [...said, ...asked, ...named]
}

/** The page that a step names as `help NAME`. */
export function pageOf(words: string): string | undefined {
  const [, name] = /^help (\S+)$/.exec(words) ?? []
  return name === undefined ? undefined : `docs/${name}.md`
}

/** What one occurrence counts in a field of a section. */
export const weightOf = (field: Field, {length}: ReadField): number =>
  WEIGHTS[field] / (1 - SHORTNESS + SHORTNESS * length)

/** How much a word counts for less in a longer text: BM25's b. */
const SHORTNESS = 0.5
