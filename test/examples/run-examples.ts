import {setTimeout as delay} from 'node:timers/promises'
import {stripVTControlCharacters} from 'node:util'
import {announcedExit, type Examples} from './lines.ts'
import {reasonOf} from './not-run.ts'
import {type Ended, Terminal} from './terminal.ts'

/** Longer than any example takes, ms. */
const MOST_MS = 40_000

/** What a run of examples gave. */
export interface Outcome {
  readonly run: number
  readonly leftOut: readonly string[]
  /** Lines that didn't end as they should, with the reason. */
  readonly failed: readonly string[]
}

/** Runs lines in their order, in a new home. */
export async function runExamples({lines, shown = []}: Examples): Promise<Outcome> {
  const leftOut = lines.filter(line => reasonOf(line) !== undefined)
  const failed: string[] = []
  const open = [...shown]
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
      if (ended) {
        judge(line, ended)
        const next = open.findIndex(([shownLine]) => shownLine === line)
        const [[, output] = [line, '']] = next === -1 ? [] : open.splice(next, 1)
        const missing = missingLine(output, ended)
        if (missing !== undefined) failed.push(`${line}\n  doesn't show: ${missing}`)
      }
      if (!ended) failed.push(`${line}\n  has not ended`)
    }
    judge('Ctrl-C', await terminal.endServers())
  } catch (error) {
    failed.push(error instanceof Error ? error.message : String(error))
  } finally {
    await terminal.close()
  }
  return {run: lines.length - leftOut.length, leftOut, failed}
}

/** Ids, times and widths of columns differ each time. */
const comparable = (line: string): string =>
  stripVTControlCharacters(line)
    .replaceAll(/\b([rje])_[0-9A-Z]+…?/g, '$1_')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'PORT')
    .replaceAll(/\d+ ms/g, 'ms')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The first line of a shown output that the screen doesn't show, after those before it. */
function missingLine(shown: string, ended: readonly Ended[]): string | undefined {
  // Where a server or another program ran, there is no screen to compare with.
  if (ended.length === 0) return undefined
  const screen = ended.flatMap(call => call.screen.split(/[\r\n]+/)).map(comparable)
  let from = 0
  for (const line of shown.split('\n').map(comparable)) {
    if (line === '' || line === '…') continue
    const at = screen.findIndex((each, index) => index >= from && each.includes(line))
    if (at === -1) return `${line}\n  but: ${screen.join('\n       ')}`
    from = at + 1
  }
  return undefined
}
