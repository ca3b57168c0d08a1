import {readFileSync} from 'node:fs'

/** Whether a process with this pid exists, of any user. Another process may get the pid of one that has ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The id that Linux gives this boot of the machine; null elsewhere. */
export const bootId = (): string | null => readLine('/proc/sys/kernel/random/boot_id')

/**
 * When a process started, in ticks since the boot. Start and pid together identify a process. Null if the system
 * doesn't report it, and for a process that has ended, even if its parent has not waited for it yet.
 */
export function startOf(pid: number): string | null {
  // proc_pid_stat(5): field 2, the name in parentheses, may contain anything. The state follows; the start is field 22.
  const line = readLine(`/proc/${pid}/stat`)
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? []
  const [state, start] = [fields[0], fields[19]]
  return state === 'Z' || state === 'X' ? null : (start ?? null)
}

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
