import {bootId, isRunning, startOf} from '../children/running.ts'
import type {ProcessMark} from './idempotency.ts'

/** What a mark needs from the system; a parameter, so that a test can simulate the end of a process. */
export interface ProcessTable {
  readonly own: ProcessMark
  /** Whether the process that made the mark still runs; true if unknown. */
  isAlive(mark: ProcessMark): boolean
}

/**
 * Marks this process, and finds out whether other processes of this machine still run. Only Linux reports boot and
 * start; elsewhere, the pid must be enough.
 */
export function systemProcesses(): ProcessTable {
  const own = {pid: process.pid, boot: bootId(), started: startOf(process.pid)}
  return {
    own,
    isAlive: mark => {
      if (mark.boot !== own.boot) return false
      if (!isRunning(mark.pid)) return false
      // Another process may have got the same pid since.
      const started = startOf(mark.pid)
      return mark.started === null || started === null || mark.started === started
    },
  }
}
