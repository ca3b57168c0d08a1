// The search of `cardctl help` and of the site, which runs in a browser: nothing here reads a file.
import type {Entry, Situation} from './entry.ts'
import {ALIKE, saidScores, scoresOf, wantedIn} from './scores.ts'
import {pageOf, type ReadText, type SearchIndex} from './search-index.ts'
import {longestMatch} from './situations.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {termsOf} from './terms.ts'

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

/** Words that a question has besides what it is about. */
const BESIDES = new Set(
  termsOf(
    'belong wants need get got goes come arrives after now still some any tell says asks know did doing done put old see back up',
  ),
)

/** The words that a question is searched by. */
export function wantedBy(words: readonly string[]): readonly string[] {
  return about(termsOf(inWordsOfPages(words.map(word => word.replace(/^-+(?=\w)/, '')).join(' '))))
}

/** Those that tell what a question is about; all if none does. */
function about(terms: readonly string[]): readonly string[] {
  const telling = terms.filter(term => !BESIDES.has(term))
  return [...new Set(telling.length > 0 ? telling : terms)]
}

/** The situation that a question names, unless that is too little of the question. */
export function situationIn(words: readonly string[]): Situation | undefined {
  const match = longestMatch(words)
  return match !== undefined && match.terms.length >= wantedBy(words).length / 4 ? match.situation : undefined
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
 * is a step of the situation that the question names, or the question names nothing else, its steps come first.
 */
export function answerTo(
  words: readonly string[],
  index: SearchIndex,
  situation: Situation | undefined,
): Answer {
  const ranked = rankedBy(words, index)
  const steps = situation?.steps.flatMap(step => namedBy(step.words, ranked) ?? []) ?? []
  const named = longestMatch(words)?.terms ?? []
  const isAll = about(termsOf(words.join(' '))).every(term => named.includes(term))
  const isName = ranked[0]?.entry.name === words.join(' ')
  const best = isAll && !isName ? ranked.find(each => steps.includes(each)) : ranked[0]
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
/** Of one or two words, unless nothing has so much. */
const NEARLY_ALL = 0.65
/** What has less of the score of the best, apart from a name that was typed, isn't meant either. */
const FAINT = 0.2
/** How much what people say counts beside the words themselves. */
const SAID = 2.2
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
  const all = index.entries
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
        share: exactly > 0 ? 1 : Math.max(meant.share, best?.share ?? 0),
        score: exactly + SAID * meant.score + (best?.score ?? 0) + FURTHER * further,
      }
    })
    .filter(({share}) => share >= ENOUGH)
  const nearlyAll = wanted.length > 2 ? [] : all.filter(({share}) => share >= NEARLY_ALL)
  const found = nearlyAll.length > 0 ? nearlyAll : all
  const most = Math.max(0, ...found.map(({score}) => score % EXACTLY))
  return found
    .filter(({score}) => score >= most * FAINT)
    .sort(
      (a, b) =>
        Number(a.entry.isBackground ?? false) - Number(b.entry.isBackground ?? false) || b.score - a.score,
    )
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
