// Names that pages explain: codes of other programs, settings, variables. Runs in a browser, too.
import type {Entry, Named} from './entry.ts'

/** A name, and the entry that explains it. */
export interface Explained extends Named {
  readonly entry: Entry
}

/** Codes of other programs that few pages have: `EBADENGINE`. */
export function codesOfPages(entries: readonly Entry[]): ReadonlyMap<string, readonly Explained[]> {
  const all = entries
    .filter(({name, isBackground}) => name.endsWith('.md') && !isBackground)
    .flatMap(entry =>
      entry.texts.flatMap(({text, field}) => {
        const codes = field === 'text' ? (text.match(/\bE[A-Z]{5,}\b|\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []) : []
        return [...new Set(codes)].map(name => ({entry, name, line: text, rank: 0}))
      }),
    )
  const byCode = [...Map.groupBy(all, ({name}) => name.toLowerCase())]
  return new Map(byCode.filter(([, found]) => new Set(found.map(({entry}) => entry)).size <= FEW_PAGES))
}

const FEW_PAGES = 2

/** The rows of tables that have a name of the wire, a setting or a variable as a cell say what it is. */
export function definitionsOfPages(entries: readonly Entry[]): ReadonlyMap<string, readonly Explained[]> {
  const all = entries
    .filter(({isBackground}) => !isBackground)
    .flatMap(entry => {
      const rows = entry.texts.filter(({text, field}) => field === 'text' && text.includes('; '))
      return rows.flatMap(({text}) => {
        const cells = text.split('; ').filter(cell => NAME.test(cell))
        return cells.map(name => ({entry, name, line: text, rank: text.startsWith(`${name};`) ? 0 : 0.5}))
      })
    })
  return Map.groupBy(all, ({name}) => name.toLowerCase())
}

const NAME = /^(?:[a-z]+[A-Z]\w*|[a-z]+(?:\.[a-zA-Z]+)+|[A-Z]+(?:_[A-Z]+)+)$/
