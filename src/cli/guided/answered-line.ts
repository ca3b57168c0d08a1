/** What an answer adds to a command line. */
export interface Answer {
  /** Arguments, in order. */
  readonly args?: readonly string[]
  /** Flags with their values. */
  readonly flags?: readonly string[]
}

/** A flag with its value, in the way that also takes a value that begins with a dash. */
export const flagWords = (flag: string, value: string): readonly string[] =>
  value.startsWith('-') ? [`${flag}=${value}`] : [flag, value]

const ASKS = ['-i', '--interactive']

/** A command line to which answers are added. */
export class AnsweredLine {
  /** Before and after a `--`. */
  readonly #before: readonly string[]
  readonly #after: readonly string[]
  readonly #hadArguments: boolean
  readonly #args: readonly string[]
  readonly #flags: readonly string[]

  /** @param hadArguments whether the line already has arguments, which come before the answers */
  constructor(argv: readonly string[], hadArguments: boolean, answers: readonly Answer[]) {
    const end = argv.indexOf('--')
    this.#before = (end === -1 ? argv : argv.slice(0, end)).filter(word => !ASKS.includes(word))
    this.#after = end === -1 ? [] : argv.slice(end + 1)
    this.#hadArguments = hadArguments
    this.#args = answers.flatMap(({args = []}) => args)
    this.#flags = answers.flatMap(({flags = []}) => flags)
  }

  /** Arguments first, as in the examples; after a `--` those that could be taken for flags. */
  get words(): readonly string[] {
    const isAmbiguous = this.#args.some(word => word.startsWith('-'))
    if (this.#after.length > 0 || isAmbiguous)
      return [...this.#before, ...this.#flags, '--', ...this.#after, ...this.#args]
    return this.#hadArguments
      ? [...this.#before, ...this.#args, ...this.#flags]
      : [...this.#args, ...this.#before, ...this.#flags]
  }
}
