import {createHash} from 'node:crypto'
import type {NewRow, RowResult} from '../../../bulk/index.ts'
import type {CommandLine} from '../../../cli/command-line.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {canonicalJson} from '../../../journal/key-rules.ts'
import {countRows} from '../../../profiles/index.ts'

/** Counts which rows of a file are rows of a job too: under another job key they would be sent again. */
export class SharedRows {
  readonly #stored: Generator<RowResult, void, undefined>
  /** How often each row of the job is left to be found, once the first row has differed. */
  #left: Map<string, number> | undefined
  /** Rows of the file. */
  given = 0
  /** Those of them that the job has, wherever. */
  same = 0
  /** Those of them that the job begins with, in the same order. */
  first = 0
  /** Number of the first row that the job has not at its place. */
  different: number | undefined
  /** Rows that differ from the one that the job has at their place. */
  changed = 0
  /** Those of them that the job has not sent yet. */
  unsent = 0
  /** From the first row on that differs, what the job has at its place. */
  readonly #places: {readonly digest: string; readonly isUnsent: boolean}[] = []

  /** @param stored the rows of the job, in order */
  constructor(stored: Generator<RowResult, void, undefined>) {
    this.#stored = stored
  }

  add({row, values}: NewRow): void {
    this.given++
    const text = canonicalJson(values)
    if (this.#left === undefined) {
      const next = this.#stored.next()
      const stored = next.done === true ? undefined : next.value
      if (stored !== undefined && canonicalJson(stored.values) === text) {
        this.first++
        this.same++
        return
      }
      this.different = row
      this.#left = this.#others(stored)
    }
    const digest = digestOf(text)
    const place = this.#places[this.given - 1 - this.first]
    if (place !== undefined && place.digest !== digest) {
      this.changed++
      if (place.isUnsent) this.unsent++
    }
    const times = this.#left.get(digest) ?? 0
    if (times === 0) return
    this.#left.set(digest, times - 1)
    this.same++
  }

  close(): void {
    this.#stored.return?.()
  }

  #others(next: RowResult | undefined): Map<string, number> {
    const left = new Map<string, number>()
    const count = ({values, state}: RowResult): void => {
      const digest = digestOf(canonicalJson(values))
      this.#places.push({digest, isUnsent: state === 'waiting' || state === 'again'})
      left.set(digest, (left.get(digest) ?? 0) + 1)
    }
    if (next !== undefined) count(next)
    for (const one of this.#stored) count(one)
    return left
  }
}

/** Rows may be many, and long. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

interface Shared {
  /** Of the job. */
  readonly rows: number
  readonly given: number
  readonly same: number
  readonly first: number
}

/** What is said of the rows that the job has too, after how the file differs. */
export function sharedWords({rows, given, same, first}: Shared): string {
  if (same === 0) return ''
  if (first === rows) return `: the job has the first ${rows} of them`
  if (same === given) return ', and the job has all its rows'
  return `; the job has ${same} of its ${countRows(given)}`
}

/** What another job key would do, and how to send only what the job doesn't have. Without numbers, they aren't known. */
export function newKeyWords({same, given}: {readonly same?: unknown; readonly given?: unknown} = {}): string {
  if (same === 0) return 'For other rows, use another --job-key.'
  const them =
    same === undefined
      ? 'the rows that the job has too'
      : same === 1
        ? 'that row'
        : `those ${String(same)} rows`
  const again = `Another --job-key would send ${them} again.`
  if (same !== undefined && same === given) return again
  return `${again} To send only the others, put them in a file of their own, with the same headings, and run that with another --job-key.`
}

/** What to do about rows that were corrected in the file before the job has sent them: the old values, or the new ones. */
export function correctedWords(
  commandLine: CommandLine,
  job: string,
  {given, same, changed, unsent}: Readonly<Record<string, unknown>> = {},
): Advice | undefined {
  if (
    typeof changed !== 'number' ||
    changed === 0 ||
    unsent !== changed ||
    changed !== Number(given) - Number(same)
  )
    return undefined
  const isOne = changed === 1
  const [rows, them] = isOne ? ['row', 'it'] : [`${changed} rows`, 'them']
  return advice`The ${rows} that ${isOne ? 'differs' : 'differ'} ${isOne ? 'was' : 'were'} not sent yet. To send ${them} as the job has ${them}, with the old values: ${commandLine('bulk', 'resume', {value: job})}. To send the new values, give up what is left of the job, write its unsent rows to a file, as the next message says, correct ${them} there, and run that file with another --job-key.`
}
