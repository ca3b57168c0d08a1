// Names in a question: of commands and pages, of the wire, of codes. Runs in a browser, too.
import type {Entry} from './entry.ts'
import {explainedIn} from './error-lines.ts'
import type {Explained} from './names-of-pages.ts'
import type {SearchIndex} from './search-index.ts'
import {stemOf} from './terms.ts'

/** How much an entry is what was typed: nothing else is asked by its name alone. Zero if it isn't. */
export function exactnessOf({name}: Entry, typed: string): number {
  const isPage = name.endsWith('.md')
  const own = isPage ? name.replace(/^.*\/|\.md$/g, '') : name.replace(/^help /, '')
  const kind = isPage ? 1 : name === own ? 3 : 2
  if (own.toLowerCase() === typed || name.toLowerCase() === typed) return kind + 3
  return stemsOf(own) === stemsOf(typed) ? kind : 0
}

const stemsOf = (words: string): string =>
  words
    .toLowerCase()
    .split(/[\s-]+/)
    .map(stemOf)
    .join(' ')

/** How much a name counts that was typed as it is written. */
export const NAMED = 60

/** What explains the names of a question. A plain word or a short number is a name only where nothing else is asked. */
export function namedIn(
  words: readonly string[],
  {naming, printed}: SearchIndex,
): ReadonlyMap<Entry, Explained> {
  const found = new Map<Entry, Explained>()
  const question = words.join(' ').replace(/\bexit(?: (?:code|status))? (?=\d)/gi, 'exit_')
  for (const line of explainedIn(words.join(' '), printed).toReversed()) found.set(line.entry, line)
  const [, unknown = ''] = UNKNOWN.exec(words.join(' ')) ?? []
  for (const line of naming.get(`unknown ${unknown.toLowerCase()}`) ?? []) found.set(line.entry, line)
  const typed = (question.match(/[\w.]*\w/g) ?? []).map(word => word.replace(/^exit_/i, 'exit '))
  for (const [at, word] of typed.entries()) {
    const small = word.toLowerCase()
    const all =
      naming.get(small) ?? naming.get(small.replace(/s$/, '')) ?? naming.get(small.replace(/es$/, '')) ?? []
    for (const named of all) {
      const isAlone = typed.length === 1 || (typed.length === 2 && OF_A_NAME.test(typed[1 - at] ?? ''))
      const isTold =
        isAlone ||
        (!PRETENDED.test(question) &&
          [typed[at - 1], typed[at + 1]].some(each => OF_A_NUMBER.test(each ?? '')))
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

/** cardctl's own error for a command that isn't there. */
const UNKNOWN = /\bunknown command(?: or topic)?:? ["'“]?([a-z][a-z -]*[a-z])/i

/** What is to be answered so isn't what was. */
const PRETENDED = /\b(?:make|let|simulate|inject|force|fake)\b/i
const SYSTEM = /^E[A-Z]{3,}$/
const OF_A_NAME = /^(?:fields?|values?|codes?)$/i
const OF_A_NUMBER = /^(?:(?:response)?-?codes?|status|http|answer|error|got|sqlstate)$/i
