// What a question is answered with, by `cardctl help` and in the menu alike.
import {importedCommands} from '../imported-words.ts'
import type {Surroundings} from '../surroundings.ts'
import {entriesOf} from './entries.ts'
import type {Situation} from './entry.ts'
import {readManifest} from './manifest.ts'
import {readNamed} from './named.ts'
import {docsPages} from './pages.ts'
import {type Answer, answerTo, readEntries, situationIn} from './search.ts'
import type {SearchIndex} from './search-index.ts'
import {termsOf} from './terms.ts'

/**
 * Reads what is searched when the first question is asked. Of what an imported document has operations for, no situation of
 * the built-in contract is shown.
 */
export async function answering(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<(words: readonly string[]) => Answer> {
  const imported = importedCommands(argv, surroundings)
  const importedTerms = new Set(imported.flatMap(({words = []}) => termsOf(words.join(' '))))
  const all = [...Object.values(readManifest().commands), ...imported]
  const named = await readNamed(all)
  let index: SearchIndex | undefined
  return words => {
    index ??= readEntries(entriesOf(all, docsPages(), named))
    const isImported = termsOf(words.join(' ')).some(term => importedTerms.has(term))
    return answerTo(words, index, isImported ? undefined : situationIn(words))
  }
}

/** `For a stolen or lost card: The service has no operation that blocks a card.` */
export const aboutLine = ({about, lacks}: Situation): string =>
  lacks === undefined ? `For ${about}:` : `For ${about}: ${lacks}`
