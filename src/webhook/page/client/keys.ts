/** What each key does, in the order the help shows it. */
export const KEYS = [
  ['j', 'ArrowDown', 'Next call'],
  ['k', 'ArrowUp', 'Previous call'],
  ['g', 'Home', 'Newest call'],
  ['/', '', 'Filter'],
  ['a', '', 'Approve the call that waits'],
  ['d', '', 'Decline it with the chosen code'],
  ['r', '', 'Replay the call, with a new id'],
  ['e', '', 'Edit and replay'],
  ['c', '', 'Copy as curl'],
  ['t', '', 'Light, dark, or as the system'],
  ['Escape', '', 'Back'],
  ['?', '', 'This help'],
] as const

export type Key = (typeof KEYS)[number][0]

/** The key of a keyboard event that is for the page, and not for a field, a button or the browser. */
export function keyOf(event: KeyboardEvent): Key | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const typing = target?.closest('input, textarea, select') !== null && target !== undefined
  if (typing && event.key !== 'Escape') return undefined
  return KEYS.find(([key, other]) => event.key === key || (other !== '' && event.key === other))?.[0]
}
