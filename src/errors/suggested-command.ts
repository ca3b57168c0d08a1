/**
 * A word of ours, which is in lower case, or a value, such as an id of the service or the name of a file. Values may look
 * like anything. One that follows a flag is the flag's. A value in capitals is for the reader to fill in.
 */
export type Word = Lowercase<string> | '-F' | {readonly value: string}

/** `read` changes nothing, `write` may change something at the service, `local` changes something on this machine. */
export type SuggestedEffect = 'read' | 'write' | 'local'

/** What a command line needs to act on the same service as the command that suggests it. */
export interface SameService {
  readonly platform: NodeJS.Platform
  /** `['-p', 'prod']` */
  readonly flags?: readonly string[] | undefined
  /** Its name, for commands about it. */
  readonly profile?: string | undefined
  /** `CARDCTL_BASE_URL=…`, as the shell takes it. */
  readonly prefix?: string | undefined
  /** Leaves a value that nobody may see to the reader. */
  readonly hide?: (word: string) => string
}

/** A command that a person or a program can run next. Its text is made from its arguments. */
export class SuggestedCommand {
  /** The arguments of cardctl. */
  readonly argv: readonly string[]
  readonly effect: SuggestedEffect | undefined
  readonly #service: SameService | undefined

  constructor(argv: readonly string[], service?: SameService, effect?: SuggestedEffect) {
    this.argv = argv
    this.effect = effect
    this.#service = service
  }

  /** The same command for a service, unless it has one. Commands about profiles name theirs as an argument. */
  for(service: SameService): SuggestedCommand {
    if (this.#service !== undefined) return this
    const {hide = word => word, profile} = service
    const {flags = []} = OF_NO_SERVICE.has(this.argv[0] ?? '') ? {} : service
    const end = this.argv.includes('--') ? this.argv.indexOf('--') : this.argv.length
    const [topic, verb = '', name] = this.argv
    const isAbout =
      topic === 'profiles' && ABOUT_PROFILE.has(verb) && name === 'NAME' && profile !== undefined
    const argv = isAbout ? this.argv.with(2, profile) : this.argv
    return new SuggestedCommand(argv.map(hide).toSpliced(end, 0, ...flags), service, this.effect)
  }

  with(effect: SuggestedEffect): SuggestedCommand {
    return new SuggestedCommand(this.argv, this.#service, effect)
  }

  /** A line to paste into a shell. */
  toString(): string {
    const {platform = 'linux', prefix = ''} = this.#service ?? {}
    const words = ['cardctl', ...this.argv.map(text => shellWord(text, platform))]
    return [...(prefix === '' ? [] : [prefix]), ...words].join(' ')
  }

  /** In data for programs, the line. */
  toJSON(): string {
    return this.toString()
  }
}

/** Commands about the profile that the failed command used, if they name none. */
const ABOUT_PROFILE = new Set(['edit', 'show', 'test'])

const OF_NO_SERVICE = new Set(['profiles', 'mappings', 'help', '--help'])

/**
 * A command of a hint, for the service of the command that fails: `cardctl('bulk', 'status', {value: job})`. Write it
 * whole, so that a person can paste the line.
 */
export const cardctl = (...words: readonly Word[]): SuggestedCommand => new SuggestedCommand(argvOf(words))

/** An argument that looks like a flag is behind `--`. */
export function argvOf(words: readonly Word[]): string[] {
  const [argv, operands]: [string[], string[]] = [[], []]
  for (const [at, word] of words.entries()) {
    const [text, before] = [typeof word === 'string' ? word : word.value, words[at - 1]]
    const isOfFlag = typeof before === 'string' && before.startsWith('-')
    const isFlagLike = typeof word !== 'string' && text.length > 1 && text.startsWith('-')
    if (isOfFlag && isFlagLike) argv.push(`${argv.pop()}=${text}`)
    else if (isFlagLike || (operands.length > 0 && typeof word !== 'string' && !isOfFlag)) operands.push(text)
    else argv.push(text)
  }
  return operands.length === 0 ? argv : [...argv, '--', ...operands]
}

/** One word of a POSIX shell, in single quotes, where no character is special. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const powerShellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** One word of a command line to paste, for the shell that is usual on a platform: PowerShell on Windows. */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
  if (/^[\w+=:./\\-]+$/.test(text)) return text
  // cmd knows only double quotes, in which PowerShell replaces what begins with $ or a backtick.
  return /["$`%]|\\$/.test(text) ? powerShellQuoted(text) : `"${text}"`
}
