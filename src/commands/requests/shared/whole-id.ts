import {cardctl} from '../../../errors/suggested-command.ts'

/** The whole lines with an id, by what is done with it. */
export const LINES = {
  approve: (id: string) => cardctl('requests', 'approve', {value: id}),
  reject: (id: string) => cardctl('requests', 'reject', {value: id}),
  resolve: (id: string) => cardctl('requests', 'resolve', {value: id}),
  retry: (id: string) => cardctl('requests', 'retry', {value: id}),
  show: (id: string) => cardctl('requests', 'show', {value: id}),
  undo: (id: string) => cardctl('requests', 'undo', {value: id}),
}

/** Fewer characters may begin many ids. */
const LEAST_TYPED = 4

/** The whole id that begins as typed, with or without its letter, if there is just one. */
export function wholeId(ids: Iterable<string>, typed: string): string | undefined {
  const start = typed.replace(/^[a-z]_/i, '').toLowerCase()
  if (start.length < LEAST_TYPED) return undefined
  let only: string | undefined
  for (const id of ids) {
    if (!id.slice('p_'.length).toLowerCase().startsWith(start)) continue
    if (only !== undefined) return undefined
    only = id
  }
  return only
}
