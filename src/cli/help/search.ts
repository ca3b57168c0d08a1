import {MISSING_VERBS} from '../missing-verbs.ts'
import {examplesOf, flagMeaning, flagName, type ManifestCommand, nameOf} from './manifest.ts'
import {helpTopics} from './topics.ts'

/** A command or help topic that the searched words are found in. */
export interface Found {
  /** As a user types it: `cards get`, `help environment`. */
  readonly name: string
  readonly summary: string
  /** The line that matches best, where it is neither the name nor the summary. */
  readonly line?: string
}

/** A line of help, and how much a match in it counts. */
interface Text {
  readonly text: string
  readonly weight: number
}

interface Entry {
  readonly name: string
  readonly summary: string
  readonly texts: readonly Text[]
}

type Searchable = ManifestCommand & {
  /** What people type for it, though it isn't its name. */
  readonly words?: readonly string[]
}

/** Searches names, summaries, descriptions, arguments, flags, examples and help topics. Each word must be found. Best first. */
export function searchHelp(words: readonly string[], commands: readonly Searchable[]): readonly Found[] {
  const wanted = words
    .flatMap(word => word.toLowerCase().split(/\s+/))
    .map(word => word.replace(/^-+(?=\w)/, ''))
    .filter(word => word !== '')
  if (wanted.length === 0) return []
  const entries = [...commands.map(commandEntry), ...Object.entries(helpTopics).map(topicEntry)]
  return entries
    .map(entry => ({entry, score: scoreOf(entry, wanted)}))
    .filter(({score}) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({entry}) => foundIn(entry, wanted))
}

const NAME = 100
const SUMMARY = 30

function commandEntry(command: Searchable): Entry {
  const {summary = '', description = '', args, flags, words = []} = command
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
      {text: words.join(', '), weight: 60},
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

/** 0 if a word is nowhere. */
function scoreOf({texts}: Entry, wanted: readonly string[]): number {
  const scores = wanted.map(word =>
    Math.max(0, ...texts.map(({text, weight}) => weight * closeness(text, word))),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** 1 for a whole word, less for the beginning of one, little inside one. */
function closeness(text: string, word: string): number {
  const at = text.toLowerCase().indexOf(word)
  if (at === -1) return 0
  const tokens = text.toLowerCase().split(/[^\p{L}\p{N}_]+/u)
  if (tokens.includes(word) || word.includes('-')) return 1
  return tokens.some(token => token.startsWith(word)) ? 0.7 : 0.2
}

function foundIn({name, summary, texts}: Entry, wanted: readonly string[]): Found {
  const best = texts
    .map(({text, weight}) => ({
      text,
      score: wanted.reduce((sum, word) => sum + closeness(text, word), 0) * weight,
      words: wanted.filter(word => closeness(text, word) > 0).length,
    }))
    .sort((a, b) => b.words - a.words || b.score - a.score)[0]?.text
  const isShown = best === undefined || summary.includes(best) || name.endsWith(best)
  return isShown ? {name, summary} : {name, summary, line: best.trim()}
}
