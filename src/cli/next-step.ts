import type {Word} from '../errors/suggested-command.ts'
import {dim} from '../output/index.ts'
import type {Context} from './context.ts'

/**
 * Names the command that comes next, in one dim line on stderr, for a person who reads a view on a terminal. After a
 * read, name a read: a write is for the person to think of.
 *
 * @param why what the command does, as in "Next: cardctl a2a watch 88001 (follows it to its end)".
 */
export function nameNext(context: Context, why: string, ...words: readonly Word[]): void {
  if (readsView(context)) context.printer.note(dim(`Next: ${context.commandLine(...words)} (${why})`))
}

/** Whether a person reads the usual view on a terminal. */
export function readsView({outputOptions, surroundings}: Context): boolean {
  const {format, query, columns} = outputOptions
  return (
    format === 'table' && query === undefined && columns === undefined && surroundings.stdout.isTTY === true
  )
}
