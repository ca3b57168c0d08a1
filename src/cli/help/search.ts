// The search of `cardctl help` and of the site, which runs in a browser: nothing here reads a file.
import type {Entry, Situation} from './entry.ts'
import {isErrorLine} from './error-lines.ts'
import {isOfDesk, withoutEveryday} from './everyday.ts'
import {formFactorOf} from './forms.ts'
import {inEnglish} from './other-languages.ts'
import {saidScores, scoresOf, type Wanted, wantedIn} from './scores.ts'
import {pageOf, type ReadText, type SearchIndex} from './search-index.ts'
import {isPlace, longestMatch} from './situations.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {termsOf} from './terms.ts'
import {exactnessOf, NAMED, namedIn} from './typed-names.ts'

export {readEntries} from './search-index.ts'

/** A command, help topic or page that the searched words are found in. */
export interface Found {
  /** As a user types it: `cards get`, `help environment`. A page by its file: `docs/security.md`. */
  readonly name: string
  readonly summary: string
  /** Of a page, the heading below which most is found. */
  readonly section?: string
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
  readonly wanted: readonly Wanted[]
  /** How much its name is all that was typed. */
  readonly exactly: number
}

/** Words that a question has besides what it is about. */
const BESIDES = new Set(
  termsOf(
    'anything something belong wants need get got goes come arrives after now still some any tell says asks know did doing done put old see back up',
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

/** What is asked, without what is said besides. */
const askedIn = (words: readonly string[]): readonly string[] => withoutEveryday(words.join(' ')).split(' ')

/** The situation that a question names, unless that is too little of the question. */
export function situationIn(words: readonly string[]): Situation | undefined {
  const asked = askedIn(inEnglish(words))
  const match = longestMatch(asked)
  return match !== undefined && match.terms.length >= wantedBy(asked).length / 4 ? match.situation : undefined
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
  given: readonly string[],
  index: SearchIndex,
  situation: Situation | undefined,
): Answer {
  const typed = inEnglish(given)
  const words = askedIn(typed)
  const ranked = rankedBy(words, typed, index)
  const steps = situation?.steps.flatMap(step => namedBy(step.words, ranked, index) ?? []) ?? []
  const named = longestMatch(words)?.terms ?? []
  // Whose, where, how much and when tell nothing more, nor does a name that no page has.
  const line = words.join(' ').toLowerCase()
  const isBeside = (term: string): boolean =>
    isOfDesk(term) ||
    isPlace(term) ||
    (!isErrorLine(typed.join(' ')) && wantedIn(index, term, line).weight === 0)
  const isSubject = named.some(term => !isOfDesk(term))
  const asked = wantedBy(words).filter(term => named.includes(term) || !(isSubject && isBeside(term)))
  const isMost = asked.filter(term => named.includes(term)).length > asked.length / 2
  const isAll = isMost && asked.every(term => [term, ...alike(term)].some(each => named.includes(each)))
  const isName = (ranked[0]?.exactly ?? 0) > 0
  // Who asks what was done isn't led to do it.
  const isBack = ASKS_BACK.test(words[0] ?? '')
  const isFit = (each: Ranked): boolean => !(isBack && each.entry.effect === 'write')
  const step = ranked.find(each => steps.includes(each) && isFit(each)) ?? steps.find(isFit)
  // Nobody who asks for what the service lacks is led to send money.
  const isAstray =
    situation?.lacks !== undefined && ranked[0]?.entry.sendsMoney === true && !ASKS_TO_SEND.test(line)
  const best = (isAll || isAstray) && !isName ? (step ?? ranked[0]) : ranked[0]
  if (best === undefined || !steps.includes(best)) return {situation: undefined, ranked}
  return {situation, ranked: [...new Set([...(isLasting(best) ? [] : [best]), ...steps, ...ranked])]}
}

/** What cannot be taken back has its place among the steps, and Enter never chooses it unseen. */
const isLasting = ({entry: {name, sendsMoney}}: Ranked): boolean => sendsMoney === true || CLOSES.test(name)

const CLOSES = / (?:close|delete|erase|remove|reverse)$/

/** What a step leads to, found by the words of the question or not: the longest name that its words begin with. */
function namedBy(words: string, ranked: readonly Ranked[], {entries}: SearchIndex): Ranked | undefined {
  const [entry] = entries
    .filter(({name}) => `${pageOf(words) ?? words} `.startsWith(`${name} `))
    .toSorted((a, b) => b.name.length - a.name.length)
  const found = ranked.find(each => each.entry === entry)
  return found ?? (entry && {entry, texts: [], under: undefined, wanted: [], exactly: 0})
}

/** Of a longer question, what has fewer of its words, by their weight, isn't meant. */
const ENOUGH = 0.25
/** Of one or two words, unless nothing has so much. */
const NEARLY_ALL = 0.65
/** What has less of the score of the best, apart from a name that was typed, isn't meant either. */
const FAINT = 0.1
/** How much what people say counts beside the words themselves. */
const SAID = 2.2
/** The best sections of a page after its best one count so much. */
const FURTHER = 0.1
const FURTHER_SECTIONS = 3

/** Explains what no name explains. */
const WRONG = 'docs/when-things-go-wrong.md'

/** Who asks what was done wants to see it, and not to do it again. */
const LOOKING =
  /^(?:was|were|did|has|have|had)\b|^(?:does|is|are) (?:s?he|they|his|her|the (?:customer|client))\b|\bwhat (?:happened|became)\b|\b(?:when|why|how|where|who) (?:was|were|did|has|had)\b/
const LOOKS = {read: 1.5, write: 0.45}
const ASKS_TO_SEND = /\b(?:transfers?|send|sends|sending|pay|pays|paying|move)\b/
const ASKS_BACK = /^(?:was|were|did|has|have|had)$/i

/** What a question finds, best first. */
function rankedBy(
  words: readonly string[],
  typedWords: readonly string[],
  index: SearchIndex,
): readonly Ranked[] {
  const typed = words.join(' ').toLowerCase()
  const wanted = wantedBy(words).map(term => wantedIn(index, term, typed))
  const whole = wanted.reduce((sum, {weight}) => sum + weight, 0)
  const scores = scoresOf(index, wanted, whole)
  const said = saidScores(index, wanted, whole)
  const named = namedIn(typedWords, index)
  const isLooking = LOOKING.test(typed)
  const formFactor = formFactorOf(typed)
  const [only, ...others] = index.entries.filter(({name}) => name.endsWith(` ${typed}`))
  // A word that callers say is no name of a command.
  const onlyOne = others.length === 0 && situationIn(words) === undefined ? only : undefined
  const isUnknown = named.size === 0 && isErrorLine(typedWords.join(' '))
  const all = index.entries
    .map(entry => {
      const sections = (scores.get(entry) ?? []).toSorted((a, b) => b.score - a.score)
      const [best, ...others] = sections
      const further = others.slice(0, FURTHER_SECTIONS).reduce((sum, {score}) => sum + score, 0)
      const exactly = exactnessOf(entry, typed) || (entry === onlyOne ? 0.5 : 0)
      const meant = said.get(entry.name) ?? {score: 0, share: 0, line: undefined}
      const exact = named.get(entry)
      // Who types the name of a page wants it from its beginning.
      const shown = exactly > 0 ? sections.find(({section}) => section.under === undefined) : best
      const line = exact?.line ?? meant.line
      return {
        entry,
        texts: shown?.section.texts ?? [],
        under: shown?.section.under,
        wanted,
        exactly,
        ...(line !== undefined && {named: line}),
        byName:
          exact !== undefined ? NAMED * 0.7 ** exact.rank : isUnknown && entry.name === WRONG ? NAMED : 0,
        share: exactly > 0 ? 1 : Math.max(meant.share, best?.share ?? 0),
        score:
          (isLooking && entry.effect ? LOOKS[entry.effect] : 1) *
          formFactor(entry.name) *
          (SAID * meant.score + (best?.score ?? 0) + FURTHER * further),
      }
    })
    .filter(({share, byName, exactly}) => exactly > 0 || byName > 0 || share >= ENOUGH)
  const nearlyAll = wanted.length > 2 ? [] : all.filter(({share}) => share >= NEARLY_ALL)
  const found =
    nearlyAll.length > 0 ? all.filter(({byName, share}) => byName > 0 || share >= NEARLY_ALL) : all
  const most = Math.max(0, ...found.map(({score}) => score))
  return found
    .filter(({score, byName, exactly}) => exactly > 0 || byName > 0 || score >= most * FAINT)
    .sort(
      (a, b) =>
        b.exactly - a.exactly ||
        Number(a.entry.isBackground ?? false) - Number(b.entry.isBackground ?? false) ||
        b.score + b.byName - a.score - a.byName,
    )
}

/** The text to show: the one in which most of what tells stands together. */
export function bestText(
  texts: readonly ReadText[],
  wanted: readonly Wanted[],
  isPage: boolean,
): ReadText | undefined {
  const scored = texts
    .filter(({field}) => field !== 'asked' && field !== 'name')
    .map(text => ({
      text,
      score: wanted.reduce(
        (sum, {close, weight}) => sum + weight * Math.max(0, ...text.terms.map(term => close.get(term) ?? 0)),
        // A sentence says more than a heading, or a link to one.
        text.field === 'heading' || text.terms.length < 2 ? -0.01 : 0,
      ),
    }))
    .toSorted((a, b) => b.score - a.score)
  const [best] = scored
  const whole = wanted.reduce((sum, {weight}) => sum + weight, 0)
  // A command has its summary to show, a page only its title.
  return best === undefined || (!isPage && best.score < whole * SHOWN) ? undefined : best.text
}

/** What has less of a question isn't shown. */
const SHOWN = 0.4

/** As help and its JSON show it. */
export function foundIn({entry: {name, summary}, texts, under, wanted, named}: Ranked): Found {
  const isPage = name.endsWith('.md')
  const found = {name, summary, ...(isPage && under !== undefined && {section: under})}
  if (named !== undefined) return {...found, line: named}
  const best = bestText(texts, wanted, isPage)?.text
  const isShown = best === undefined || best === under || summary.includes(best) || name.endsWith(best)
  return isShown ? found : {...found, line: best.trim()}
}
