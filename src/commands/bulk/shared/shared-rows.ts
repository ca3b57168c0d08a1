import {createHash} from 'node:crypto'
import type {NewRow, RowResult} from '../../../bulk/index.ts'
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

  /** @param stored the rows of the job, in order */
  constructor(stored: Generator<RowResult, void, undefined>) {
    this.#stored = stored
  }

  add({row, values}: NewRow): void {
    this.given++
    const text = canonicalJson(values)
    if (this.#left === undefined) {
      const next = this.#stored.next()
      const stored = next.done === true ? undefined : canonicalJson(next.value.values)
      if (stored === text) {
        this.first++
        this.same++
        return
      }
      this.different = row
      this.#left = this.#others(stored)
    }
    const digest = digestOf(text)
    const times = this.#left.get(digest) ?? 0
    if (times === 0) return
    this.#left.set(digest, times - 1)
    this.same++
  }

  close(): void {
    this.#stored.return?.()
  }

  #others(next: string | undefined): Map<string, number> {
    const left = new Map<string, number>()
    const count = (text: string): void => {
      const digest = digestOf(text)
      left.set(digest, (left.get(digest) ?? 0) + 1)
    }
    if (next !== undefined) count(next)
    for (const {values} of this.#stored) count(canonicalJson(values))
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
