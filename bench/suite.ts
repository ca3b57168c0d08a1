import type {Home} from './home.ts'

/** How to measure, and where. */
export interface Options extends Home {
  /** Number of rounds that count. Warm-up rounds come on top. */
  readonly runs: number
}

/** A benchmark of cardctl, its peers and its floor, in alternating rounds. */
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
  /** The figures with limits, by their names in `limits.ts`; null if a required peer couldn't be installed. */
  readonly figures: Readonly<Record<string, number | null>>
  /** What was left out, and why. */
  readonly skipped: readonly string[]
  /** Versions of the peers. */
  readonly versions: Readonly<Record<string, string>>
}
