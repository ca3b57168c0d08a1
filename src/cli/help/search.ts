// The search of `cardctl help` and of the site, which runs in a browser: nothing here reads a file.
import type {Entry} from './entry.ts'
import {isCounted, pageOf, type ReadText, type SearchIndex, type Section, weightOf} from './search-index.ts'
import {longestMatch, type Situation} from './situations.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {partsOf, stemOf, termsOf} from './terms.ts'
import {nearest} from './typing-errors.ts'

export {readEntries} from './search-index.ts'

/** A command, help topic or page that the searched words are found in. */
export interface Found {
  /** As a user types it: `cards get`, `help environment`. A page by its file: `docs/security.md`. */
  readonly name: string
  readonly summary: string
  /** The line that matches best, where it is neither the name nor the summary. */
  readonly line?: string
}

export interface Ranked {
  readonly entry: Entry
  /** What of it matches best. */
  readonly texts: readonly ReadText[]
  readonly under: string | undefined
  /** The words that were looked for, mistyped ones as they were meant. */
  readonly wanted: readonly string[]
}

/** A word of a question, and how much it counts. */
interface Wanted {
  readonly term: string
  /** How close each word is that may be meant by it: 1 is the word itself. */
  readonly close: ReadonlyMap<string, number>
  readonly weight: number
}

/** Words that a question has besides what it is about. */
const BESIDES = new Set(
  termsOf(
    'belong wants need get got goes come arrives after now still some any tell says asks know did doing done put old see back up',
  ),
)

/** The words that a question is searched by. */
export function wantedBy(words: readonly string[]): readonly string[] {
  const all = termsOf(inWordsOfPages(words.map(word => word.replace(/^-+(?=\w)/, '')).join(' ')))
  const about = all.filter(term => !BESIDES.has(term))
  return [...new Set(about.length > 0 ? about : all)]
}

/** The situation that a question names, unless that is too little of the question. */
export function situationIn(words: readonly string[]): Situation | undefined {
  const match = longestMatch(words)
  return match !== undefined && match.length >= wantedBy(words).length / 4 ? match.situation : undefined
}

/** What was found, best first. */
export const searchHelp = (words: readonly string[], index: SearchIndex): readonly Found[] =>
  answerTo(words, index, situationIn(words)).ranked.map(foundIn)

/** What a question is about, and what was found, best first. */
export interface Answer {
  readonly situation: Situation | undefined
  readonly ranked: readonly Ranked[]
}

/**
 * Searches names, summaries, descriptions, arguments, flags, examples, help topics and pages for the words of a question, by
 * BM25F: rare words count more, and so do names and headings. Forms of a word are alike, words that tell nothing are left
 * out, and what people say in other words leads to what is for it. Best first, also where nothing has all words; if the best
 * is a step of the situation that the question names, the other steps come after it.
 */
export function answerTo(
  words: readonly string[],
  index: SearchIndex,
  situation: Situation | undefined,
): Answer {
  const ranked = rankedBy(words, index)
  const steps = situation?.steps.flatMap(step => namedBy(step.words, ranked) ?? []) ?? []
  const [best] = ranked
  if (best === undefined || !steps.includes(best)) return {situation: undefined, ranked}
  return {situation, ranked: [...new Set([best, ...steps, ...ranked])]}
}

/** What a step leads to: the longest name that its words begin with. */
const namedBy = (words: string, ranked: readonly Ranked[]): Ranked | undefined =>
  ranked
    .filter(({entry}) => `${pageOf(words) ?? words} `.startsWith(`${entry.name} `))
    .toSorted((a, b) => b.entry.name.length - a.entry.name.length)[0]

/** Who types a name wants nothing else. */
const EXACTLY = 1e6
/** Of a longer question, what has fewer of its words, by their weight, isn't meant. */
const ENOUGH = 0.25
/** Of one or two words. */
const NEARLY_ALL = 0.65
/** How much what people say counts beside the words themselves. */
const SAID = 1.5
/** The best sections of a page after its best one count so much. */
const FURTHER = 0.1
const FURTHER_SECTIONS = 3

/** What a question finds, best first. */
function rankedBy(words: readonly string[], index: SearchIndex): readonly Ranked[] {
  const typed = words.join(' ').toLowerCase()
  const wanted = wantedBy(words).map(term => wantedIn(index, term, typed))
  const whole = wanted.reduce((sum, {weight}) => sum + weight, 0)
  const scores = scoresOf(index, wanted, whole)
  const said = saidScores(index, wanted, whole)
  const enough = wanted.length > 2 ? ENOUGH : NEARLY_ALL
  return index.entries
    .map(entry => {
      const sections = (scores.get(entry) ?? []).toSorted((a, b) => b.score - a.score)
      const [best, ...others] = sections
      const further = others.slice(0, FURTHER_SECTIONS).reduce((sum, {score}) => sum + score, 0)
      const exactly = entry.name === typed ? EXACTLY : 0
      const meant = said.get(entry.name) ?? {score: 0, share: 0}
      return {
        entry,
        texts: best?.section.texts ?? [],
        under: best?.section.under,
        wanted: wanted.map(({term}) => term),
        isFound: exactly > 0 || Math.max(meant.share, best?.share ?? 0) >= enough,
        score: exactly + SAID * meant.score + (best?.score ?? 0) + FURTHER * further,
      }
    })
    .filter(({isFound}) => isFound)
    .sort(
      (a, b) =>
        Number(a.entry.isBackground ?? false) - Number(b.entry.isBackground ?? false) || b.score - a.score,
    )
}

/** A word that means the same counts less than the one that was typed. */
const ALIKE = 0.6
/** A word of which only the beginning was typed, or the inside. */
const BEGUN = 0.7
const INSIDE = 0.2

/** The words that may be meant by one: forms and synonyms of it, longer ones if there is none like it, or else the nearest. */
function wantedIn(index: SearchIndex, typedTerm: string, typed: string): Wanted {
  const isKnown = (term: string): boolean => index.having.has(term) || index.telling.has(term)
  const known = [...index.having.keys()]
  const close = new Map<string, number>()
  const add = (term: string, closeness: number): void => {
    close.set(term, Math.max(closeness, close.get(term) ?? 0))
  }
  const others = alike(typedTerm)
  const isMeant = isKnown(typedTerm) || others.some(isKnown)
  const longer = isMeant || /^\d+$/.test(typedTerm) ? [] : known.filter(term => term.includes(typedTerm))
  const parts = partsOf(typedTerm)
  const term =
    isMeant || longer.length > 0 || parts.length > 0 ? typedTerm : nearestTo(typedTerm, typed, index)
  add(term, 1)
  for (const part of isMeant ? [] : parts) add(part, BEGUN)
  for (const each of longer) add(each, each.startsWith(typedTerm) ? BEGUN : INSIDE)
  for (const each of term === typedTerm ? others : alike(term)) add(each, ALIKE)
  const weight = Math.max(0, ...[...close].map(([each, closeness]) => closeness * rareness(index, each)))
  return {term, close, weight}
}

/** What was mistyped, as the nearest of the words. */
function nearestTo(term: string, typed: string, {entries}: SearchIndex): string {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
  const mistyped = wordsOf(typed).find(each => stemOf(each) === term) ?? term
  const known = new Set(entries.flatMap(({texts}) => texts.flatMap(({text}) => wordsOf(text))))
  return stemOf(nearest(mistyped, known) ?? term)
}

/** Words that are in no name, heading or question tell less, and numbers little. */
const UNTELLING = 0.6
const NUMBER = 0.4

function rareness({count: all, having, telling}: SearchIndex, term: string): number {
  const count = (having.get(term) ?? []).filter(isCounted).length
  const rare = count === 0 && !telling.has(term) ? 0 : Math.log(1 + all / Math.max(1, count))
  return rare * (/^\d{3,}$/.test(term) ? NUMBER : telling.has(term) ? 1 : UNTELLING)
}

interface Score {
  readonly section: Section
  readonly score: number
  /** How much of the question it has, by weight. */
  readonly share: number
}

/** How soon more occurrences of a word count no more: BM25's k1. */
const SOON = 0.8

/** BM25F of each section that has a word of the question. */
function scoresOf(
  index: SearchIndex,
  wanted: readonly Wanted[],
  whole: number,
): ReadonlyMap<Entry, readonly Score[]> {
  const sums = new Map<Section, {sum: number; had: number}>()
  for (const {close, weight} of wanted)
    for (const [section, {score, closeness}] of wordScores(index, close)) {
      const {sum, had} = sums.get(section) ?? {sum: 0, had: 0}
      sums.set(section, {sum: sum + score, had: had + closeness * weight})
    }
  const scores = [...sums].map(([section, {sum, had}]) => {
    const share = whole === 0 ? 0 : had / whole
    return {section, share, score: sum * share ** 0.75}
  })
  return Map.groupBy(scores, ({section}) => section.entry)
}

function wordScores(
  index: SearchIndex,
  close: Wanted['close'],
): ReadonlyMap<Section, {score: number; closeness: number}> {
  const found = new Map<Section, {score: number; closeness: number}>()
  for (const [term, closeness] of close)
    for (const section of index.having.get(term) ?? []) {
      let count = 0
      for (const [field, read] of section.fields)
        count += (read.counts.get(term) ?? 0) * weightOf(field, read)
      const score = (rareness(index, term) * closeness * count * (SOON + 1)) / (SOON + count)
      const best = found.get(section) ?? {score: 0, closeness: 0}
      found.set(section, {
        score: Math.max(score, best.score),
        closeness: Math.max(closeness, best.closeness),
      })
    }
  return found
}

/** Of what people say, what has less of it in common with the question isn't meant. */
const IN_COMMON = 0.6

/** How much of what people say the question has, for each entry that is for it. */
function saidScores(
  index: SearchIndex,
  wanted: readonly Wanted[],
  whole: number,
): ReadonlyMap<string, Omit<Score, 'section'>> {
  const closeness = new Map<string, number>()
  for (const {close} of wanted)
    for (const [term, value] of close) closeness.set(term, Math.max(value, closeness.get(term) ?? 0))
  const scores = new Map<string, Omit<Score, 'section'>>()
  for (const {terms, names} of index.phrases) {
    const weights = [...terms].map(term => Math.max(1, rareness(index, term)))
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    const had = [...terms].reduce((sum, term, at) => sum + (closeness.get(term) ?? 0) * (weights[at] ?? 0), 0)
    if (all === 0 || had / all < IN_COMMON) continue
    const asked = wanted.map(
      ({close, weight}) =>
        weight * Math.max(0, ...[...close].map(([term, value]) => (terms.has(term) ? value : 0))),
    )
    const share = whole === 0 ? 0 : asked.reduce((sum, value) => sum + value, 0) / whole
    const score = had * (had / all) ** 2 * share ** 0.5
    for (const [at, name] of names.entries())
      if (score * 0.5 ** at > (scores.get(name)?.score ?? 0))
        scores.set(name, {score: score * 0.5 ** at, share})
  }
  return scores
}

/** The best of the texts that may be shown. */
export function bestText(texts: readonly ReadText[], wanted: readonly string[]): ReadText | undefined {
  const close = ({terms}: ReadText, word: string): number =>
    terms.includes(word)
      ? 1
      : alike(word).some(each => terms.includes(each)) || terms.some(term => term.startsWith(word))
        ? ALIKE
        : 0
  return texts
    .filter(({field}) => field !== 'asked')
    .map(text => ({text, score: wanted.reduce((sum, word) => sum + close(text, word), 0)}))
    .toSorted((a, b) => b.score - a.score)[0]?.text
}

/** As help and its JSON show it. */
export function foundIn({entry: {name, summary}, texts, wanted}: Ranked): Found {
  const best = bestText(texts, wanted)?.text
  const isShown = best === undefined || summary.includes(best) || name.endsWith(best)
  return isShown ? {name, summary} : {name, summary, line: best.trim()}
}
