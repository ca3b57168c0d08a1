// What a question is answered with, by `cardctl help` and in the menu alike.
import {importedCommands} from '../imported-words.ts'
import type {Surroundings} from '../surroundings.ts'
import {entriesOf, type Searchable} from './entries.ts'
import type {Situation} from './entry.ts'
import {readManifest} from './manifest.ts'
import {readNamed} from './named.ts'
import {docsPages} from './pages.ts'
import {type Answer, answerTo, readEntries, situationIn} from './search.ts'
import type {SearchIndex} from './search-index.ts'
import {termsOf} from './terms.ts'

/** Of what an imported document has operations for, no situation of the built-in contract is shown. */
export async function answering(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<(words: readonly string[]) => Answer> {
  const imported = importedCommands(argv, surroundings)
  const importedTerms = new Set(imported.flatMap(({words = []}) => termsOf(words.join(' '))))
  const read = await searched(imported)
  return words => {
    const isImported = termsOf(words.join(' ')).some(term => importedTerms.has(term))
    return answerTo(words, read(), isImported ? undefined : situationIn(words))
  }
}

/** What the program brings with it, read once in a process. */
let builtIn: (() => SearchIndex) | undefined

/** Commands, help topics and pages, and imported commands beside them; read when the first question is asked. */
export async function searched(imported: readonly Searchable[] = []): Promise<() => SearchIndex> {
  if (imported.length === 0 && builtIn !== undefined) return builtIn
  const all = [...Object.values(readManifest().commands), ...imported]
  const named = await readNamed(all)
  let index: SearchIndex | undefined
  const read = (): SearchIndex => (index ??= readEntries(entriesOf(all, docsPages(), named)))
  if (imported.length === 0) builtIn = read
  return read
}

/** `For a stolen or lost card: The service has no operation that blocks a card.` */
export const aboutLine = ({about, lacks}: Situation): string =>
  lacks === undefined ? `For ${about}:` : `For ${about}: ${lacks}`
