import {situationOf} from '../help/situations.ts'
import {MISSING_VERBS, type MissingVerb} from '../missing-verbs.ts'

/** A command as the menu shows it. */
export interface MenuEntry {
  readonly id: string
  /** As a user types it: `accounts patch`. */
  readonly words: string
  readonly summary: string
  /** The title of its task group. */
  readonly group: string
  /** Whether it deletes, closes or removes something. */
  readonly destroys: boolean
  /** What people type for it, though it isn't its name. */
  readonly also: readonly string[]
}

/**
 * The commands for what a person typed: first those with all of it in their name, then in their summary, then by the
 * words that people use for them. If no command has all words, the steps of what a caller may say, or those with most of the words. What destroys comes last each
 * time, so that Enter never chooses it unseen.
 *
 * @param inHelp names of commands whose help has the words, for those that nothing else has.
 */
export function searchCommands(
  entries: readonly MenuEntry[],
  typed: string,
  inHelp: (words: readonly string[]) => readonly string[] = () => [],
): readonly MenuEntry[] {
  const wanted = typed.toLowerCase().split(/\s+/)
  const hasAll = (text: string): boolean => wanted.every(word => text.includes(word))
  const texts = new Map(entries.map(entry => [entry, textsOf(entry)]))
  const found = (has: (texts: Texts) => boolean) =>
    harmlessFirst(entries.filter(entry => has(texts.get(entry) as Texts)))
  const all = new Set([
    ...found(({name}) => name === typed.toLowerCase()),
    ...found(({name}) => name.startsWith(typed.toLowerCase())),
    ...found(({name}) => hasAll(name)),
    ...found(({name, about}) => hasAll(`${name} ${about}`)),
    // "change pin" is meant for what changes it, before what tells who changed it.
    ...found(({name, about, others}) => {
      const own = `${name} ${about} ${others}`.split(NO_WORD)
      return wanted.every(word => own.includes(word))
    }),
    ...found(({name, about, others}) => hasAll(`${name} ${about} ${others}`)),
  ])
  if (all.size > 0) return [...all]
  const steps = situationOf(wanted)?.steps ?? []
  const inOrder = steps.flatMap(
    step => entries.find(entry => `${step.words} `.startsWith(`${entry.words} `)) ?? [],
  )
  if (inOrder.length > 0) return [...new Set(inOrder)]
  const most = withMost(entries, texts, wanted)
  return most.length > 0
    ? most
    : inHelp(wanted).flatMap(name => entries.find(({words}) => words === name) ?? [])
}

interface Texts {
  readonly name: string
  readonly about: string
  /** What people type for it, though it isn't its name. */
  readonly others: string
}

const textsOf = ({words, summary, group, also}: MenuEntry): Texts => ({
  name: words,
  about: `${summary} ${group}`.toLowerCase(),
  others: [
    ...also,
    ...MISSING_VERBS.filter(verb => namesCommand(verb, words)).flatMap(({verbs, instead}) => [
      ...verbs,
      instead?.does.toLowerCase(),
    ]),
  ].join(' '),
})

const namesCommand = ({instead}: MissingVerb, words: string): boolean =>
  `${instead?.words} `.startsWith(`${words} `)

const harmlessFirst = (entries: readonly MenuEntry[]): readonly MenuEntry[] =>
  entries.toSorted((a, b) => Number(a.destroys) - Number(b.destroys))

/** "why is the card blocked": the more of the words a command has, the earlier it comes. */
function withMost(
  entries: readonly MenuEntry[],
  texts: ReadonlyMap<MenuEntry, Texts>,
  wanted: readonly string[],
): readonly MenuEntry[] {
  const words = wanted.filter(word => word.length >= SHORTEST)
  const countOf = (entry: MenuEntry): number => {
    const own = Object.values(texts.get(entry) ?? {}).flatMap(text => text.split(NO_WORD))
    return words.filter(word => own.some(each => isForm(each, word))).length
  }
  const counted = entries.map(entry => ({entry, count: countOf(entry)}))
  const most = Math.max(0, ...counted.map(({count}) => count))
  return most === 0 ? [] : harmlessFirst(counted.filter(({count}) => count === most).map(({entry}) => entry))
}

const NO_WORD = /[^\p{L}\p{N}]+/u

/** Shorter words, such as "is" and "of", tell nothing. */
const SHORTEST = 3

/** `block` and `blocked`, `transfer` and `transfers`. */
const isForm = (a: string, b: string): boolean =>
  a === b || (a.length >= SHORTEST && b.length >= SHORTEST && (a.startsWith(b) || b.startsWith(a)))
