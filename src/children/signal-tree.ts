import {type ChildProcess, spawn} from 'node:child_process'
import process from 'node:process'

/** How to start a shell so that `signalTree` reaches what it starts, too: in a process group of its own. */
export const asTree = {shell: true, detached: process.platform !== 'win32'} as const

/**
 * Signals a shell that was started with `asTree`, and all its processes. On Windows, SIGTERM does nothing: no program
 * there could end itself on it, and without the shell its processes couldn't be found any more.
 */
export function signalTree(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  platform: NodeJS.Platform = process.platform,
): void {
  const {pid} = child
  if (pid === undefined) return
  if (platform === 'win32') {
    // The id of a process that has ended may be that of another one.
    if (signal === 'SIGKILL' && child.exitCode === null && child.signalCode === null) endTree(child, pid)
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** taskkill finds the processes of a tree by their parents, so it must come before the end of the shell. */
function endTree(child: ChildProcess, pid: number): void {
  const {SystemRoot = 'C:\\Windows'} = process.env
  const killer = spawn(`${SystemRoot}\\System32\\taskkill.exe`, ['/T', '/F', '/PID', `${pid}`], {
    // Node ends its children with itself, except detached ones.
    detached: true,
    env: {SystemRoot},
    stdio: 'ignore',
    windowsHide: true,
  })
  killer.on('error', () => child.kill('SIGKILL'))
  killer.unref()
}
