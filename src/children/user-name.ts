import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'

/** What the system calls a user; Node.js itself knows only the name of its own. `uid-1001` for one without a name. */
export function nameOfUser(uid: number): string {
  try {
    return ask('/usr/bin/id', ['-nu', '--', String(uid)]) || `uid-${uid}`
  } catch {
    return `uid-${uid}`
  }
}

/** The groups of a user by their ids; undefined for one that the system doesn't know. */
export function groupsOfUser(uid: number): readonly number[] | undefined {
  try {
    return ask('/usr/bin/id', ['-G', '--', nameOfUser(uid)])
      .split(/\s+/)
      .map(Number)
  } catch {
    return undefined
  }
}

/** What the system calls a group; its id if it has no name. */
export function nameOfGroup(gid: number): string {
  try {
    const [line] = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .filter(each => each.split(':')[2] === String(gid))
    return line?.split(':')[0] || String(gid)
  } catch {
    return String(gid)
  }
}

const ask = (program: string, argv: readonly string[]): string =>
  execFileSync(program, [...argv], {
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
  }).trim()
