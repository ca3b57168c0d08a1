import {bootId, isRunning, startOf} from '../children/running.ts'
import type {ProcessMark} from './idempotency.ts'

/** What of the system a mark needs; a parameter, so that a test can let a process die. */
export interface ProcessTable {
  readonly own: ProcessMark
  /** Whether the process that made the mark still runs. In doubt it does. */
  isAlive(mark: ProcessMark): boolean
}

/**
 * The mark of this process, and whether others on this machine still run. Linux gives boot and start; elsewhere the pid
 * alone must do.
 */
export function systemProcesses(): ProcessTable {
  const own = {pid: process.pid, boot: bootId(), started: startOf(process.pid)}
  return {
    own,
    isAlive: mark => {
      if (mark.boot !== own.boot) return false
      if (!isRunning(mark.pid)) return false
      // The pid may have been given to another process since.
      const started = startOf(mark.pid)
      return mark.started === null || started === null || mark.started === started
    },
  }
}
