/** The profile that a command line names, before the flags of its command are known. */
export const profileOf = (argv: readonly string[]): string | undefined => valueIn(argv, ['-p', '--profile'])

/** Switches of one letter, such as `-qy`, and after them a flag that may have its value. */
const CLUSTER = /^-[hiqy]*([a-zA-Z])(.*)$/s

/** The value of the first of these flags on a command line whose other flags aren't known. */
export function valueIn(argv: readonly string[], names: readonly string[]): string | undefined {
  for (const [at, word] of argv.entries()) {
    if (word === '--') return undefined
    if (names.includes(word)) return argv[at + 1]
    const name = names.find(one => word.startsWith(`${one}=`))
    if (name !== undefined) return word.slice(name.length + 1)
    const [, letter = '', value = ''] = CLUSTER.exec(word) ?? []
    if (names.includes(`-${letter}`)) return value === '' ? argv[at + 1] : value.replace(/^=/, '')
  }
  return undefined
}
