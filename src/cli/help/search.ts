// The search of `cardctl help` and of the site, which runs in a browser: nothing here reads a file.
import type {Entry, Situation} from './entry.ts'
import {ALIKE, saidScores, scoresOf, wantedIn} from './scores.ts'
import {type Explained, pageOf, type ReadText, type SearchIndex} from './search-index.ts'
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
  /** What it says of the name that was asked for. */
  readonly named?: string
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

/** Who asks what was done wants to see it, and not to do it again. */
const LOOKING =
  /^(?:was|were|did|has|have|had)\b|\bwhat (?:happened|became)\b|\b(?:when|why|how|where|who) (?:was|were|did|has|had)\b/
const LOOKS = {read: 1.5, write: 0.6}

/** What a question finds, best first. */
function rankedBy(words: readonly string[], index: SearchIndex): readonly Ranked[] {
  const typed = words.join(' ').toLowerCase()
  const wanted = wantedBy(words).map(term => wantedIn(index, term, typed))
  const whole = wanted.reduce((sum, {weight}) => sum + weight, 0)
  const scores = scoresOf(index, wanted, whole)
  const said = saidScores(index, wanted, whole)
  const named = namedIn(words, index)
  const isLooking = LOOKING.test(typed)
  const all = index.entries
    .map(entry => {
      const sections = (scores.get(entry) ?? []).toSorted((a, b) => b.score - a.score)
      const [best, ...others] = sections
      const further = others.slice(0, FURTHER_SECTIONS).reduce((sum, {score}) => sum + score, 0)
      const exactly = entry.name === typed ? EXACTLY : 0
      const meant = said.get(entry.name) ?? {score: 0, share: 0, line: undefined}
      const exact = named.get(entry)
      const line = exact?.line ?? meant.line
      return {
        entry,
        texts: best?.section.texts ?? [],
        under: best?.section.under,
        wanted: wanted.map(({term}) => term),
        ...(line !== undefined && {named: line}),
        byName: exact === undefined ? 0 : NAMED * 0.7 ** exact.rank,
        share: exactly > 0 ? 1 : Math.max(meant.share, best?.share ?? 0),
        score:
          exactly +
          (isLooking && entry.effect ? LOOKS[entry.effect] : 1) *
            (SAID * meant.score + (best?.score ?? 0) + FURTHER * further),
      }
    })
    .filter(({share, byName}) => byName > 0 || share >= ENOUGH)
  const nearlyAll = wanted.length > 2 ? [] : all.filter(({share}) => share >= NEARLY_ALL)
  const found =
    nearlyAll.length > 0 ? all.filter(({byName, share}) => byName > 0 || share >= NEARLY_ALL) : all
  const most = Math.max(0, ...found.map(({score}) => score % EXACTLY))
  return found
    .filter(({score, byName}) => byName > 0 || score >= most * FAINT)
    .sort(
      (a, b) =>
        Number(a.entry.isBackground ?? false) - Number(b.entry.isBackground ?? false) ||
        b.score + b.byName - a.score - a.byName,
    )
}

/** How much a name counts that was typed as it is written. */
const NAMED = 60

/** What explains the names of a question. A plain word or a short number is a name only where nothing else is asked. */
function namedIn(words: readonly string[], {naming}: SearchIndex): ReadonlyMap<Entry, Explained> {
  const found = new Map<Entry, Explained>()
  const question = words.join(' ').replace(/\bexit(?: (?:code|status))? (?=\d)/gi, 'exit_')
  const typed = (question.match(/[\w.]*\w/g) ?? []).map(word => word.replace(/^exit_/i, 'exit '))
  for (const [at, word] of typed.entries()) {
    const small = word.toLowerCase()
    const all =
      naming.get(small) ?? naming.get(small.replace(/s$/, '')) ?? naming.get(small.replace(/es$/, '')) ?? []
    for (const named of all) {
      const isAlone = typed.length === 1 || (typed.length === 2 && OF_A_NAME.test(typed[1 - at] ?? ''))
      const isTold = isAlone || [typed[at - 1], typed[at + 1]].some(each => OF_A_NUMBER.test(each ?? ''))
      const isPlain = /^(?:[a-z]+|[A-Z]+|\d{1,3})$/.test(named.name) && !SYSTEM.test(named.name)
      if (isPlain && !(/^\d/.test(named.name) ? isTold : isAlone)) continue
      // A code that only pages have is no word of a question in small letters.
      const isCode =
        named.says === undefined ? /^[A-Z]/.test(named.name) : SYSTEM.test(named.name) && !isAlone
      if (isCode && word !== named.name) continue
      if (named.rank < (found.get(named.entry)?.rank ?? Number.POSITIVE_INFINITY))
        found.set(named.entry, named)
    }
  }
  return found
}

const SYSTEM = /^E[A-Z]{3,}$/
const OF_A_NAME = /^(?:fields?|values?|codes?)$/i
const OF_A_NUMBER = /^(?:(?:response)?-?codes?|status|http|answer|error|got|sqlstate)$/i

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
export function foundIn({entry: {name, summary}, texts, wanted, named}: Ranked): Found {
  if (named !== undefined) return {name, summary, line: named}
  const best = bestText(texts, wanted)?.text
  const isShown = best === undefined || summary.includes(best) || name.endsWith(best)
  return isShown ? {name, summary} : {name, summary, line: best.trim()}
}
