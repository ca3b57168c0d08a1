import {execFileSync} from 'node:child_process'

/** What the system calls a user; Node.js itself knows only the name of its own. `uid-1001` for one without a name. */
export function nameOfUser(uid: number): string {
  try {
    const name = execFileSync('/usr/bin/id', ['-nu', '--', String(uid)], {
      env: {},
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    })
    return name.trim() || `uid-${uid}`
  } catch {
    return `uid-${uid}`
  }
}
