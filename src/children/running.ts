import {readFileSync} from 'node:fs'

/** Whether there is a process with this pid, whoever it belongs to. After the end of one, another may get its pid. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** What Linux calls this boot of the machine; null elsewhere. */
export const bootId = (): string | null => readLine('/proc/sys/kernel/random/boot_id')

/**
 * When a process started, in ticks since the boot: with its pid it names the process. Null where the system doesn't say,
 * and for a process that has ended, even if its parent has not looked yet.
 */
export function startOf(pid: number): string | null {
  // proc_pid_stat(5): field 2, the name in parentheses, may hold anything; the state follows it, the start is field 22.
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
