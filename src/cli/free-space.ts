import type {Context} from './context.ts'

/** What to do about a full disk. Another data folder, or a tidied one, would not know what was sent. */
export const freeSpace = ({folders}: Pick<Context, 'folders'>): string =>
  `Free space there, but delete nothing in ${folders.data}: only the journal there knows what was sent.`
