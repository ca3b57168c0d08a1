// The search of `cardctl help` and of the site, which runs in a browser: nothing here reads a file.
import {QUESTIONS} from './page-questions.ts'
import {longestMatch, type Situation} from './situations.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {stemOf, termsOf} from './terms.ts'
import {nearest} from './typing-errors.ts'

/** A command, help topic or page that the searched words are found in. */
export interface Found {
  /** As a user types it: `cards get`, `help environment`. A page by its file: `docs/security.md`. */
  readonly name: string
  readonly summary: string
  /** The line that matches best, where it is neither the name nor the summary. */
  readonly line?: string
}

/** A line of help, and how much a match in it counts. */
export interface Text {
  readonly text: string
  readonly weight: number
  /** Only searched, and never shown. */
  readonly isHidden?: boolean
  /** The heading of the page that it is below. */
  readonly under?: string
}

export interface Entry {
  readonly name: string
  readonly summary: string
  readonly texts: readonly Text[]
  /** Found after all others: what was changed and why, and lists of what has entries of its own. */
  readonly isBackground?: boolean
}

interface ReadText extends Text {
  readonly lower: string
  readonly terms: ReadonlySet<string>
}

export interface ReadEntry {
  readonly entry: Entry
  readonly texts: readonly ReadText[]
  /** What stands below one heading, each with the title: words that are far apart on a page don't belong together. */
  readonly sections: readonly (readonly ReadText[])[]
}

const readText = (text: Text): ReadText => ({
  ...text,
  lower: text.text.toLowerCase(),
  terms: new Set(termsOf(text.isHidden ? inWordsOfPages(text.text) : text.text)),
})

/** Entries with the words of their texts. */
export const readEntries = (entries: readonly Entry[]): readonly ReadEntry[] =>
  entries.map(entry => {
    const texts = entry.texts.map(readText)
    return {entry, texts, sections: sectionsOf(texts)}
  })

function sectionsOf(texts: readonly ReadText[]): readonly (readonly ReadText[])[] {
  const [first] = texts
  const common = texts.filter(text => text === first || (text.isHidden && text.under === undefined))
  const below = Map.groupBy(
    texts.filter(text => !common.includes(text)),
    ({under}) => under,
  )
  return [...below.values()].map(section => [...common, ...section])
}

/** Who types a name wants nothing else. */
const EXACTLY = 1e6
/** A word that means the same counts less than the one that was typed. */
const ALIKE = 0.6
/** Of a longer question, what has fewer of its words, by their weight, isn't meant. */
const ENOUGH = 0.4

/** The words that a question is searched by. */
export const wantedBy = (words: readonly string[]): readonly string[] => [
  ...new Set(termsOf(inWordsOfPages(words.map(word => word.replace(/^-+(?=\w)/, '')).join(' ')))),
]

/** The situation that a question is about, unless a page answers more of its words. */
export function situationIn(words: readonly string[]): Situation | undefined {
  const match = longestMatch(words)
  const wanted = wantedBy(words)
  const pages = Object.values(QUESTIONS).flat()
  const longest = Math.max(
    0,
    ...pages.map(text => answered(readText({text, weight: 0, isHidden: true}), wanted)),
  )
  const isEnough = match !== undefined && match.length >= Math.max(longest, wanted.length / 4)
  return isEnough ? match.situation : undefined
}

/**
 * Searches names, summaries, descriptions, arguments, flags, examples, help topics and pages for the words of a question.
 * Forms of a word are alike, words that tell nothing are left out, and rare ones count more. Best first, also where nothing
 * has all words.
 */
export function searchHelp(
  words: readonly string[],
  entries: readonly ReadEntry[],
  situation: Situation | undefined,
): readonly Found[] {
  return rankedBy(words, entries, situation).map(({entry, texts, wanted}) => foundIn(entry, texts, wanted))
}

export interface Ranked extends ReadEntry {
  /** The words that were looked for, mistyped ones as they were meant. */
  readonly wanted: readonly string[]
}

/** What a question finds, best first. */
export function rankedBy(
  words: readonly string[],
  entries: readonly ReadEntry[],
  situation: Situation | undefined,
): readonly Ranked[] {
  const typed = words.join(' ').toLowerCase()
  const wanted = wantedBy(words).map(word => meant(word, typed, entries))
  const rareness = wanted.map(word => {
    const having = entries.filter(({texts}) => texts.some(text => closeness(text, word) > 0)).length
    return having === 0 ? 0 : Math.log(1 + entries.length / having)
  })
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const whole = sum(rareness)
  const inSection = (texts: readonly ReadText[]) => {
    const scores = wanted.map(word => scoreOf(texts, word))
    const share = sum(rareness.map((value, at) => ((scores[at] ?? 0) > 0 ? value : 0))) / whole
    const near = Math.max(0, ...texts.map(text => together(text, wanted, rareness)))
    return {share, matches: (sum(scores.map((score, at) => score * (rareness[at] ?? 0))) + near) * share ** 2}
  }
  return entries
    .map(({entry, texts, sections}) => {
      const step = stepScore(entry, situation)
      const first = Math.max(0, ...texts.map(text => (text.isHidden ? answered(text, wanted) : 0)))
      const found = sections.map(inSection)
      const best = found.reduce((one, other) => (other.matches > one.matches ? other : one), NOWHERE)
      return {
        entry,
        texts,
        sections,
        wanted,
        share: best.share,
        isMeant: step > 0 || entry.name === typed,
        score: (entry.name === typed ? EXACTLY : step) + (first > 1 ? first * FIRST : 0) + best.matches,
      }
    })
    .filter(({share, isMeant}) => isMeant || share >= (wanted.length > 2 ? ENOUGH : 0.99))
    .sort(
      (a, b) =>
        Number(a.entry.isBackground ?? false) - Number(b.entry.isBackground ?? false) || b.score - a.score,
    )
}

const NOWHERE = {share: 0, matches: 0}

/** For each word of a question that a page answers in whole. */
const FIRST = EXACTLY / 1000
/** More than the words of one step can count above those of another. */
const STEP = EXACTLY / 20

/** How many words of a question a text has, if it has no others. */
export function answered({terms}: ReadText, wanted: readonly string[]): number {
  const all = [...terms]
  return all.every(term => wanted.includes(term) || alike(term).some(other => wanted.includes(other)))
    ? all.length
    : 0
}

/** A word as it was meant: as it is if any text has it, or else the one that is nearest to how it was typed. */
function meant(word: string, typed: string, entries: readonly ReadEntry[]): string {
  if (entries.some(({texts}) => texts.some(({lower}) => lower.includes(word)))) return word
  if (alike(word).length > 0) return word
  const wordsOf = (text: string): readonly string[] => text.match(/\p{L}+/gu) ?? []
  const known = new Set(entries.flatMap(({texts}) => texts.flatMap(({lower}) => wordsOf(lower))))
  const mistyped = wordsOf(typed).find(each => stemOf(each) === word) ?? word
  return stemOf(nearest(mistyped, known) ?? word)
}

/** The steps of a situation come first, in their order. A page is a step as `help NAME`. */
function stepScore({name}: Entry, situation: Situation | undefined): number {
  const own = /^docs\/(.+)\.md$/.exec(name)
  const typed = own ? `help ${own[1]}` : name
  const at =
    situation?.steps.findIndex(({words}) => typed !== 'help' && `${words} `.startsWith(`${typed} `)) ?? -1
  return at === -1 ? 0 : EXACTLY / 2 - at * STEP
}

/** Words that stand in one line belong together. */
function together(text: ReadText, wanted: readonly string[], rareness: readonly number[]): number {
  const found = wanted.map((word, at) => closeness(text, word, WHOLE) * (rareness[at] ?? 0))
  const others = found.filter(value => value > 0).length - 1
  return others < 1 ? 0 : text.weight * others * found.reduce((sum, value) => sum + value, 0)
}

/** By the best text. */
const scoreOf = (texts: readonly ReadText[], word: string): number =>
  Math.max(0, ...texts.map(text => text.weight * closeness(text, word)))

/** Only whole words. */
const WHOLE = true

/** 1 for a whole word, whatever its ending; less for one that means the same, or the beginning of one; little inside one. */
function closeness(text: ReadText, word: string, isWhole = false): number {
  const typed = isWhole ? Number(text.terms.has(word)) : asTyped(text, word)
  return alike(word).some(each => text.terms.has(each)) ? Math.max(typed, ALIKE) : typed
}

/** How many of the words a text has, or others that mean the same. */
export const closeWords = (text: ReadText, words: readonly string[]): number =>
  words.filter(word => closeness(text, word, WHOLE) > 0).length

function asTyped({lower, terms}: ReadText, word: string): number {
  if (terms.has(word)) return 1
  // 10 isn't the beginning of 100.
  if (!lower.includes(word) || /^\d+$/.test(word)) return 0
  if (word.includes('-')) return 1
  return [...terms].some(term => term.startsWith(word)) ? 0.7 : 0.2
}

/** The best of the texts that may be shown. */
export function bestText<T extends ReadText>(texts: readonly T[], wanted: readonly string[]): T | undefined {
  return texts
    .filter(({isHidden}) => !isHidden)
    .map(text => ({
      text,
      score: wanted.reduce((sum, word) => sum + closeness(text, word), 0) * text.weight,
      words: wanted.filter(word => asTyped(text, word) > 0).length,
    }))
    .sort((a, b) => b.words - a.words || b.score - a.score)[0]?.text
}

function foundIn({name, summary}: Entry, texts: readonly ReadText[], wanted: readonly string[]): Found {
  const best = bestText(texts, wanted)?.text
  const isShown = best === undefined || summary.includes(best) || name.endsWith(best)
  return isShown ? {name, summary} : {name, summary, line: best.trim()}
}
