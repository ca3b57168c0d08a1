import {dim} from '../output/index.ts'
import {shellWord} from './command-line.ts'
import type {Context} from './context.ts'

/**
 * Names the command that comes next, in one dim line on stderr, for a person who reads a view on a terminal. After a
 * read, name a read: a write is for the person to think of.
 *
 * @param why what the command does, as in "Next: cardctl a2a watch 88001 (follows it to its end)".
 */
export function nameNext(context: Context, why: string, ...words: readonly string[]): void {
  const {printer, commandLine, surroundings} = context
  if (!readsView(context)) return
  const id = words.at(-1) ?? ''
  // An id of the service that looks like a flag.
  const line = id.startsWith('-')
    ? `${commandLine(...words.slice(0, -1))} -- ${shellWord(id, surroundings.platform)}`
    : commandLine(...words)
  printer.note(dim(`Next: ${line} (${why})`))
}

/** Whether a person reads the usual view on a terminal. */
export function readsView({outputOptions, surroundings}: Context): boolean {
  const {format, query, columns} = outputOptions
  return (
    format === 'table' && query === undefined && columns === undefined && surroundings.stdout.isTTY === true
  )
}
