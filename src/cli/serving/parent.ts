import {setTimeout as pause} from 'node:timers/promises'
import {isRunning, startOf} from '../../children/running.ts'
import {Failure} from '../../errors/failure.ts'

/** How often to look whether it still runs, ms. */
const LOOK_MS = 200

/**
 * Watches a process that a server doesn't outlive. The pid alone isn't enough: another process may get it.
 *
 * @returns a promise that settles when the process has ended, or `over` is aborted; never without a pid.
 * @throws Failure USAGE if there is no such process.
 */
export function endOfParent(pid: number | undefined, over: AbortSignal): Promise<void> {
  if (pid === undefined) return new Promise(() => undefined)
  const started = startOf(pid)
  if (!isRunning(pid)) {
    throw new Failure('USAGE', {
      message: `--parent-pid: there is no process ${pid}.`,
      hint: 'Pass the pid of a process that runs, for example $$ in a shell.',
    })
  }
  return watch(pid, started, over)
}

async function watch(pid: number, started: string | null, over: AbortSignal): Promise<void> {
  while (!over.aborted && isRunning(pid) && startOf(pid) === started)
    await pause(LOOK_MS, undefined, {signal: over}).catch(() => undefined)
}
