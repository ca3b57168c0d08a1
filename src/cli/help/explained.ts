import type {Named} from './entry.ts'

/** A name, and the entry that explains it. */
export type Explained = readonly [entry: string, named: Named]

/** `partialApprovalAmount` and `NOT_SUFFICIENT_FUNDS` in words. */
export const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.[\]]+/g, ' ')
    .trim()
    .toLowerCase()
