/** What the command line says about how to measure. */
export interface Options {
  /** How many rounds count. Rounds that warm up come on top. */
  readonly runs: number
}

/** A benchmark: cardctl, its peers and its floor side by side, in rounds that take turns. */
export interface Suite {
  readonly name: string
  /** Heading on the page. */
  readonly title: string
  run(options: Options): Promise<Measured>
}

export interface Measured {
  /** What was compared, and how; a sentence or two for the page. */
  readonly about: string
  readonly columns: readonly string[]
  /** The first cell is a name, the others are numbers with their decimals. */
  readonly rows: readonly (readonly string[])[]
  /** What the limits are on, by its name in `limits.ts`; null if a peer that it needs couldn't be installed. */
  readonly figures: Readonly<Record<string, number | null>>
  /** What was left out, and why. */
  readonly skipped: readonly string[]
  /** Versions of the peers. */
  readonly versions: Readonly<Record<string, string>>
}
