import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import {MISSING_VERBS} from '../missing-verbs.ts'
import {examplesOf, flagMeaning, flagName, type ManifestCommand, nameOf} from './manifest.ts'
import type {DocsPage} from './pages.ts'
import type {Situation} from './situations.ts'
import {termsOf} from './terms.ts'
import {helpTopics} from './topics.ts'

/** A command, help topic or page that the searched words are found in. */
export interface Found {
  /** As a user types it: `cards get`, `help environment`. A page by its file: `docs/security.md`. */
  readonly name: string
  readonly summary: string
  /** The line that matches best, where it is neither the name nor the summary. */
  readonly line?: string
}

/** A line of help, and how much a match in it counts. */
interface Text {
  readonly text: string
  readonly weight: number
  /** Only searched, and never shown. */
  readonly isHidden?: boolean
}

interface Entry {
  readonly name: string
  readonly summary: string
  readonly texts: readonly Text[]
}

export type Searchable = ManifestCommand & {
  /** What people type for it, though it isn't its name. */
  readonly words?: readonly string[]
}

/**
 * Searches names, summaries, descriptions, arguments, flags, examples, help topics and pages for the words of a question.
 * Forms of a word are alike, and words that tell nothing are left out. What has all words comes first; if nothing has,
 * what has the most, where rare words count more. Best first.
 */
export function searchHelp(
  words: readonly string[],
  entries: readonly ReadEntry[],
  situation: Situation | undefined,
): readonly Found[] {
  const wanted = [...new Set(termsOf(words.map(word => word.replace(/^-+(?=\w)/, '')).join(' ')))]
  if (wanted.length === 0) return []
  const typed = words.join(' ').toLowerCase()
  const scored = entries.map(({entry, texts}) => ({
    entry,
    texts,
    scores: wanted.map(word => scoreOf(texts, word)),
  }))
  const rareness = wanted.map((_, at) => {
    const having = scored.filter(({scores}) => (scores[at] ?? 0) > 0).length
    return Math.log(1 + scored.length / Math.max(1, having))
  })
  const ranked = scored.map(({entry, texts, scores}) => ({
    entry,
    texts,
    count: scores.filter(score => score > 0).length,
    score:
      scores.reduce((sum, score, at) => sum + score * (rareness[at] ?? 0), 0) +
      Math.max(0, ...texts.map(text => together(text, wanted, rareness))) +
      (entry.name === typed ? EXACTLY : stepScore(entry, situation)),
  }))
  const most = Math.max(0, ...ranked.map(({count}) => count))
  return ranked
    .filter(({entry, count}) => {
      const isStep = stepScore(entry, situation) > 0
      return isStep || (count > 0 && (most === wanted.length ? count === most : count >= most / 2))
    })
    .sort((a, b) => b.score - a.score)
    .map(({entry, texts}) => foundIn(entry, texts, wanted))
}

export interface ReadEntry {
  readonly entry: Entry
  readonly texts: readonly ReadText[]
}

/** What a search reads: commands, help topics and pages, with the words of their texts. */
export const readEntries = (
  commands: readonly Searchable[],
  pages: readonly DocsPage[],
): readonly ReadEntry[] =>
  [...commands.map(commandEntry), ...Object.entries(helpTopics).map(topicEntry), ...pages.map(pageEntry)].map(
    entry => ({entry, texts: entry.texts.map(readText)}),
  )

/** Who types a name wants nothing else. */
const EXACTLY = 1e6
const NAME = 100
const SUMMARY = 30

function commandEntry(command: Searchable): Entry {
  const {summary = '', description = '', args, flags, words = [], claims = []} = command
  const name = nameOf(command)
  const instead = MISSING_VERBS.filter(verb => verb.instead?.words.startsWith(name))
  // Flags of every command would find every command.
  const own = Object.values(flags).filter(({hidden, helpGroup}) => !hidden && helpGroup === undefined)
  return {
    name,
    summary,
    texts: [
      {text: name, weight: NAME},
      {text: summary, weight: SUMMARY},
      {text: words.join(', '), weight: 90},
      ...claims.flatMap(wireNames).map(text => ({text, weight: 20})),
      ...instead.map(verb => ({
        text: `${verb.verbs.join(', ')}: cardctl ${verb.instead?.words}`,
        weight: 60,
      })),
      ...own.map(flag => ({text: `${flagName(flag)}  ${flagMeaning(flag)}`, weight: 15})),
      ...Object.values(args).map(arg => ({
        text: `${arg.name.toUpperCase()}  ${arg.description ?? ''}`,
        weight: 12,
      })),
      ...description.split('\n').map(text => ({text, weight: 10})),
      ...examplesOf(command).map(({description: about, line}) => ({
        text: [line, about].filter(Boolean).join('  # '),
        weight: 6,
      })),
    ],
  }
}

/** How an operation is called on the wire. */
function wireNames(id: string): readonly string[] {
  const operation = Object.hasOwn(operations, id) ? operations[id as OperationId] : undefined
  return operation === undefined ? [] : [`${operation.method} ${operation.path}`, operation.summary]
}

function topicEntry([name, topic]: [string, (typeof helpTopics)[string]]): Entry {
  const lines = topic
    .text()
    .split('\n')
    .filter(line => line.trim() !== '')
  return {
    name: `help ${name}`,
    summary: `${topic.summary}.`,
    texts: [
      {text: name, weight: 80},
      {text: topic.summary, weight: SUMMARY},
      ...lines.map(text => ({text: text.trim(), weight: 16})),
    ],
  }
}

const pageEntry = ({name, title, questions, headings, lines}: DocsPage): Entry => ({
  name,
  summary: title,
  texts: [
    {text: title, weight: 50},
    {text: name.replace(/\.md$|^docs\//g, ''), weight: 50},
    ...headings.map(text => ({text, weight: 28})),
    ...questions.map(text => ({text, weight: 40, isHidden: true})),
    ...lines.map(text => ({text, weight: 9})),
  ],
})

interface ReadText extends Text {
  readonly lower: string
  readonly terms: ReadonlySet<string>
}

const readText = (text: Text): ReadText => ({
  ...text,
  lower: text.text.toLowerCase(),
  terms: new Set(termsOf(text.text)),
})

/** The steps of a situation come first, in their order. */
function stepScore({name}: Entry, situation: Situation | undefined): number {
  const at = situation?.steps.findIndex(({words}) => `${words} `.startsWith(`${name} `)) ?? -1
  return at === -1 ? 0 : EXACTLY / 2 - at
}

/** Words that stand in one line belong together. */
function together(text: ReadText, wanted: readonly string[], rareness: readonly number[]): number {
  const found = wanted.map((word, at) => (text.terms.has(word) ? (rareness[at] ?? 0) : 0))
  const others = found.filter(value => value > 0).length - 1
  return others < 1 ? 0 : text.weight * others * found.reduce((sum, value) => sum + value, 0)
}

const scoreOf = (texts: readonly ReadText[], word: string): number =>
  Math.max(0, ...texts.map(text => text.weight * closeness(text, word)))

/** 1 for a whole word, whatever its ending; less for the beginning of one, little inside one. */
function closeness({lower, terms}: ReadText, word: string): number {
  if (terms.has(word)) return 1
  if (!lower.includes(word)) return 0
  if (word.includes('-')) return 1
  return [...terms].some(term => term.startsWith(word)) ? 0.7 : 0.2
}

function foundIn({name, summary}: Entry, texts: readonly ReadText[], wanted: readonly string[]): Found {
  const best = texts
    .filter(({isHidden}) => !isHidden)
    .map(text => ({
      text: text.text,
      score: wanted.reduce((sum, word) => sum + closeness(text, word), 0) * text.weight,
      words: wanted.filter(word => closeness(text, word) > 0).length,
    }))
    .sort((a, b) => b.words - a.words || b.score - a.score)[0]?.text
  const isShown = best === undefined || summary.includes(best) || name.endsWith(best)
  return isShown ? {name, summary} : {name, summary, line: best.trim()}
}
