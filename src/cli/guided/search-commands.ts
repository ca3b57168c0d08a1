import {placeOf} from '../help/anchor.ts'
import {aboutLine} from '../help/answering.ts'
import type {Situation} from '../help/entry.ts'
import type {Answer} from '../help/search.ts'

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

/** What the menu shows for what a person typed. */
export interface MenuAnswer {
  /** What it is about, and what the service cannot do. */
  readonly about: string | undefined
  readonly found: readonly MenuEntry[]
}

/**
 * First the commands whose name is typed, of these what destroys last, so that Enter never chooses it unseen. Then what
 * `cardctl help` answers: commands, and pages to read. Words that are typed by half find what has them.
 */
export function searchCommands(
  entries: readonly MenuEntry[],
  typed: string,
  answer: (words: readonly string[]) => Answer,
): MenuAnswer {
  const line = typed.toLowerCase()
  const words = line.split(/\s+/)
  const having = (has: (entry: MenuEntry) => boolean): readonly MenuEntry[] =>
    entries.filter(has).toSorted((a, b) => Number(a.destroys) - Number(b.destroys))
  const named = [
    ...having(entry => entry.words === line),
    ...having(entry => entry.words.startsWith(line)),
    // Of an imported command, `x` is left out.
    ...having(entry => words.length > 1 && entry.words.includes(` ${line}`)),
  ]
  const {situation, ranked} = answer(words)
  const answered = ranked.flatMap(each => entryFor(each, entries, situation) ?? [])
  const byHalf = having(entry => {
    const text = `${entry.words} ${entry.summary} ${entry.group} ${entry.also.join(' ')}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const all = [...named, ...answered, ...byHalf]
  return {
    about: named.length > 0 || situation === undefined ? undefined : aboutLine(situation),
    found: all.filter((entry, at) => all.findIndex(({words}) => words === entry.words) === at),
  }
}

/** A command as the menu shows it, where it is a step by what that does; a page by the line that shows it. */
function entryFor(
  {entry: {name, summary}, under}: Answer['ranked'][number],
  entries: readonly MenuEntry[],
  situation: Situation | undefined,
): MenuEntry | undefined {
  if (name.startsWith('help ')) return {...PAGE, words: name, summary}
  if (name.startsWith('docs/'))
    return {
      ...PAGE,
      words: `help ${placeOf(name, under)}`,
      summary: under === undefined ? summary : `${summary}: ${under}`,
    }
  const own = entries.find(({words}) => words === name)
  const step = situation?.steps.find(({words}) => `${words} `.startsWith(`${name} `))
  return own && step ? {...own, summary: `${step.does}.`} : own
}

const PAGE = {id: 'help', group: '', destroys: false, also: []}
