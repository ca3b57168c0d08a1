// How much each section, and what people say, has of the words of a question.
import type {Entry} from './entry.ts'
import {type SearchIndex, type Section, weightOf} from './search-index.ts'
import {alike} from './synonyms.ts'
import {partsOf, stemOf} from './terms.ts'
import {nearest} from './typing-errors.ts'

/** A word of a question, and how much it counts. */
export interface Wanted {
  readonly term: string
  /** How close each word is that may be meant by it: 1 is the word itself. */
  readonly close: ReadonlyMap<string, number>
  readonly weight: number
}

/** A word that means the same counts less than the one that was typed. */
export const ALIKE = 0.55
/** A word of which only the beginning was typed, or the inside. */
const BEGUN = 0.7
const INSIDE = 0.2

/** The words that may be meant by one: forms and synonyms of it, longer ones if there is none like it, or else the nearest. */
export function wantedIn(index: SearchIndex, typedTerm: string, typed: string): Wanted {
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

function rareness({count: all, counts, telling}: SearchIndex, term: string): number {
  const count = counts.get(term) ?? 0
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
const SOON = 1.15

/** BM25F of each section that has a word of the question. */
export function scoresOf(
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
    return {section, share, score: sum * share ** 1.3}
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

interface SaidScore extends Omit<Score, 'section'> {
  readonly line?: string
}

/** Of what people say, what has less of it in common with the question isn't meant. */
const IN_COMMON = 0.55
/** How much counts what has one word of several in common. */
const ALONE = 0.3
/** And so with the words of a name. */
const NEARLY_WHOLE = 0.9
/** How much counts less what has more words than the question. */
const WHOLE = 1.65
/** How much the next best of what people say counts beside the best. */
const ALSO = 0.5

/** How much of what people say the question has, for each entry that is for it. */
export function saidScores(
  index: SearchIndex,
  wanted: readonly Wanted[],
  whole: number,
): ReadonlyMap<string, SaidScore> {
  const closeness = new Map<string, number>()
  for (const {close} of wanted)
    for (const [term, value] of close) closeness.set(term, Math.max(value, closeness.get(term) ?? 0))
  const scores = new Map<string, SaidScore[]>()
  const touched = new Set([...closeness.keys()].flatMap(term => index.saying.get(term) ?? []))
  const weights = new Map<string, number>()
  const weightOfTerm = (term: string): number => {
    const weight = weights.get(term) ?? Math.max(1, rareness(index, term))
    weights.set(term, weight)
    return weight
  }
  for (const {terms, names, line} of touched) {
    let all = 0
    let had = 0
    for (const term of terms) {
      const weight = weightOfTerm(term)
      all += weight
      had += weight * (closeness.get(term) ?? 0)
    }
    if (had / all < (line === undefined ? IN_COMMON : NEARLY_WHOLE)) continue
    // One word of several may have another sense in the question.
    const shared = [...terms].filter(term => closeness.has(term)).length
    const alone = shared < 2 && terms.size > 1 && wanted.length > 2 ? ALONE : 1
    const asked = wanted.map(
      ({close, weight}) => weight * Math.max(0, ...[...terms].map(term => close.get(term) ?? 0)),
    )
    const share = whole === 0 ? 0 : asked.reduce((sum, value) => sum + value, 0) / whole
    const score = alone * had * (had / all) ** WHOLE * share ** 0.5
    for (const [at, name] of names.entries()) {
      const known = scores.get(name) ?? []
      known.push({score: score * 0.5 ** at, share, ...(line !== undefined && {line})})
      scores.set(name, known)
    }
  }
  return new Map([...scores].map(([name, all]) => [name, withOthers(all)]))
}

/** The best of an entry, and something for its next ones: what is said for it in several ways is rarely meant otherwise. */
function withOthers(all: readonly SaidScore[]): SaidScore {
  const [best = {score: 0, share: 0}, second, third] = all.toSorted((a, b) => b.score - a.score)
  return {...best, score: best.score + ALSO * (second?.score ?? 0) + ALSO ** 2 * (third?.score ?? 0)}
}
