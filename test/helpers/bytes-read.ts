import {existsSync, readFileSync} from 'node:fs'

const COUNTERS = '/proc/thread-self/io'

/** Whether this system counts what a thread reads: Linux does. */
export const countsReads = existsSync(COUNTERS)

/** How many bytes this thread reads from files, cached or not, while `work` runs. */
export function bytesRead(work: () => unknown): number {
  const before = read()
  work()
  // Reading the counter counts as well: less than 1 KiB.
  return read() - before
}

function read(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(COUNTERS, 'utf8'))?.[1])
}
