/** Flags by name, with what is needed to read them: the letter, and whether a value follows. */
export type FlagShapes = Readonly<Record<string, {readonly char?: string | undefined; readonly type: string}>>

/**
 * `-p prod cards get 3001` as `cards get 3001 -p prod`: kubectl, aws and git take global flags before the command too.
 *
 * @param flags the global ones. At any other flag the line goes on as it is.
 * @param isName tells whether an id is that of a topic or command.
 */
export function withCommandFirst(
  argv: readonly string[],
  flags: FlagShapes,
  isName: (id: string) => boolean,
): readonly string[] {
  const words: string[] = []
  const given: string[] = []
  let at = 0
  for (let word = argv[at]; word !== undefined; word = argv[at]) {
    const length = lengthOfFlag(word, flags)
    if (length > 0) given.push(...argv.slice(at, at + length))
    else if (!word.startsWith('-') && isName([...words, word].join(':'))) words.push(word)
    else break
    at += Math.max(length, 1)
  }
  const rest = argv.slice(at)
  const nextFlag = rest.findIndex(word => word.startsWith('-'))
  const end = nextFlag === -1 ? rest.length : nextFlag
  return [...words, ...rest.slice(0, end), ...given, ...rest.slice(end)]
}

/** How many words a global flag takes with its value: `-p prod` two, `-pprod`, `--json` and `-qy` one, others none. */
function lengthOfFlag(word: string, flags: FlagShapes): number {
  const [, long, value] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? []
  if (long !== undefined) {
    const flag = Object.hasOwn(flags, long) ? flags[long] : undefined
    if (!flag) return 0
    return flag.type === 'option' && value === undefined ? 2 : 1
  }
  const letters = /^-([a-zA-Z].*)$/s.exec(word)?.[1] ?? ''
  for (const [at, letter] of [...letters].entries()) {
    const flag = Object.values(flags).find(({char}) => char === letter)
    if (!flag) return 0
    if (flag.type === 'option') return at === letters.length - 1 ? 2 : 1
  }
  return letters === '' ? 0 : 1
}
