/** One word of a POSIX shell: single quotes, in which nothing means anything. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
