import {readFileSync} from 'node:fs'
import type {ProcessMark} from './idempotency.ts'

/** What of the system a mark needs; a parameter, so that a test can let a process die. */
export interface ProcessTable {
  readonly own: ProcessMark
  /** Whether the process that made the mark still runs. In doubt it does. */
  isAlive(mark: ProcessMark): boolean
}

/** The mark of this process, and the liveness of others on this machine. */
export function systemProcesses(): ProcessTable {
  const own = {pid: process.pid, boot: bootId(), started: startOf(process.pid)}
  return {
    own,
    isAlive: mark => {
      if (mark.boot !== own.boot) return false
      if (!answers(mark.pid)) return false
      // The pid may have been given to another process since.
      const started = startOf(mark.pid)
      return mark.started === null || started === null || mark.started === started
    },
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Linux says both; elsewhere the pid alone must do. */
function bootId(): string | null {
  return readLine('/proc/sys/kernel/random/boot_id')
}

function startOf(pid: number): string | null {
  // proc_pid_stat(5): field 22 is the start in ticks since boot; field 2, the name in parentheses, may hold spaces.
  const line = readLine(`/proc/${pid}/stat`)
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
