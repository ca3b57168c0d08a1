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
