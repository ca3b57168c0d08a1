/**
 * The kinds of databases that the tool makes, with the number that stands in each file of a kind, so that none is taken
 * for another: https://www.sqlite.org/pragma.html#pragma_application_id. Never change one.
 */
export const kinds = {
  journal: 0x6363_0005,
  'audit trail': 0x6363_0002,
  sandbox: 0x6363_0003,
  recording: 0x6363_0004,
} as const

/** Files of layouts that are no longer read: refused, so that nobody takes what they hold for forgotten. */
const former: ReadonlyMap<number, string> = new Map([
  [0x6363_0001, 'a journal of an earlier layout, one for each profile'],
])

export type Kind = keyof typeof kinds

/** What a file with this number is, if the tool made it. */
export function kindOf(number: number): Kind | undefined {
  return (Object.keys(kinds) as Kind[]).find(kind => kinds[kind] === number)
}

/** What a file with this number is, if it has a layout that is no longer read. */
export const formerKind = (number: number): string | undefined => former.get(number)
