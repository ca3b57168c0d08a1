import {setTimeout as delay} from 'node:timers/promises'
import {announcedExit, type Examples} from './lines.ts'
import {reasonOf} from './not-run.ts'
import {type Ended, Terminal} from './terminal.ts'

/** Longer than any example takes, ms. */
const MOST_MS = 15_000

/** What a run of examples gave. */
export interface Outcome {
  readonly run: number
  readonly leftOut: readonly string[]
  /** Lines that didn't end as they should, with the reason. */
  readonly failed: readonly string[]
}

/** Runs lines in their order, in a new home. */
export async function runExamples({lines}: Examples): Promise<Outcome> {
  const leftOut = lines.filter(line => reasonOf(line) !== undefined)
  const failed: string[] = []
  const judge = (line: string, calls: readonly Ended[]): void => {
    const expected = announcedExit(line)
    for (const [at, {argv, code, stderr}] of calls.entries()) {
      // What is announced holds for the last program of a line, and may hold for the others.
      const isLast = at === calls.length - 1
      if (code === expected || (!isLast && code === 0)) continue
      failed.push(`${line}\n  ${argv.join(' ')} ended with ${code}, not ${expected}: ${stderr.slice(0, 400)}`)
    }
  }
  const terminal = await Terminal.open()
  try {
    for (const line of lines) {
      if (leftOut.includes(line)) continue
      const ended = await Promise.race([terminal.run(line), delay(MOST_MS, undefined, {ref: false})])
      if (ended) judge(line, ended)
      else failed.push(`${line}\n  has not ended`)
    }
    judge('Ctrl-C', await terminal.endServers())
  } catch (error) {
    failed.push(error instanceof Error ? error.message : String(error))
  } finally {
    await terminal.close()
  }
  return {run: lines.length - leftOut.length, leftOut, failed}
}
