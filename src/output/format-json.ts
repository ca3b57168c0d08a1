import {escapeUnits} from '../rows/index.ts'

/** JSON in two-space indents, on a terminal and in a pipe alike, with no character that acts. */
export const formatJson = (value: unknown): string =>
  `${escapeUnits(JSON.stringify(value, null, 2) ?? 'null')}\n`
