import {chmodSync, lstatSync, readFileSync, rmSync, type Stats} from 'node:fs'
import {connect} from 'node:net'
import {dirname} from 'node:path'
import {Failure} from '../../../errors/failure.ts'
import {errnoOf, reasonOf} from '../../../errors/system-reason.ts'

/** The users and groups of this machine, as its files have them. */
export interface Accounts {
  readonly passwd: string
  readonly group: string
}

/** @throws Failure CONFIG_UNREADABLE */
export function systemAccounts(): Accounts {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw unusable(path, reasonOf(error))
    }
  }
  return {passwd: read('/etc/passwd'), group: read('/etc/group')}
}

/** Longer paths can't be those of a socket. */
const LONGEST_PATH = 107

/**
 * Checks the folder of a caller's socket: who can enter it is the caller, because nothing else says who connects.
 *
 * @param uid of this process.
 * @throws Failure CONFIG_UNREADABLE
 */
export function checkSocketFolder(socket: string, user: string, uid: number, accounts: Accounts): void {
  const folder = dirname(socket)
  if (Buffer.byteLength(socket) > LONGEST_PATH)
    throw unusable(socket, 'its path is longer than that of a socket may be')
  const own = statOf(folder)
  if (own.uid !== uid) throw unusable(folder, 'it does not belong to the user that runs this server')
  if ((own.mode & 0o007) !== 0) throw unusable(folder, 'others than its group can enter it: use mode 2710')
  if ((own.mode & 0o020) !== 0) throw unusable(folder, 'its group can write it: use mode 2710')
  if ((own.mode & 0o2010) !== 0o2010)
    throw unusable(folder, 'its group can not enter it, or its files do not get that group: use mode 2710')
  const found = usersOf(accounts, user)
  if (found === undefined) throw unusable(folder, `there is no user ${user} in /etc/passwd`)
  if (found.uid === uid) throw unusable(folder, `${user} runs this server, and would have its credential`)
  const others = membersOf(accounts, own.gid).filter(name => name !== user && name !== found.server(uid))
  if (others.length > 0)
    throw unusable(folder, `its group has other members than ${user}: ${others.slice(0, 5).join(', ')}`)
  if (!membersOf(accounts, own.gid).includes(user))
    throw unusable(folder, `${user} is no member of its group`)
  let below = own
  for (let at = dirname(folder); ; at = dirname(at)) {
    const above = statOf(at)
    if (above.uid !== 0 && above.uid !== uid) throw unusable(at, 'it belongs to another user')
    const isOpen = (above.mode & 0o022) !== 0
    if (isOpen && (above.mode & 0o1000) === 0) throw unusable(at, 'other users can write it')
    if (isOpen && below.uid !== 0)
      throw unusable(
        folder,
        `any user could make it in ${at} while this server doesn't run: use one below /run`,
      )
    below = above
    if (dirname(at) === at) return
  }
}

/** Lines of /etc/passwd and /etc/group, which a name of a user is unique in. */
const fields = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(':'))

function usersOf({passwd}: Accounts, user: string) {
  const users = fields(passwd)
  const found = users.find(([name]) => name === user)
  if (found === undefined) return undefined
  return {
    uid: Number(found[2]),
    server: (uid: number): string | undefined => users.find(([, , id]) => Number(id) === uid)?.[0],
  }
}

/** Of a group: those whose first group it is, and those that it lists. */
const membersOf = ({passwd, group}: Accounts, gid: number): readonly string[] => [
  ...new Set([
    ...fields(passwd).flatMap(([name = '', , , id]) => (Number(id) === gid ? [name] : [])),
    ...fields(group).flatMap(([, , id, names = '']) =>
      Number(id) === gid ? names.split(',').filter(name => name !== '') : [],
    ),
  ]),
]

/** Removes the socket that an ended server left. @throws Failure PORT_UNAVAILABLE while one listens there. */
export async function freeSocket(path: string): Promise<void> {
  let found: Stats
  try {
    found = lstatSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return
    throw unusable(path, reasonOf(error))
  }
  if (!found.isSocket()) throw unusable(path, 'something else has its name')
  if (await isAnswered(path))
    throw new Failure('PORT_UNAVAILABLE', {
      message: `Another server listens on ${path}.`,
      hint: 'Stop it first.',
      effect: 'none',
    })
  rmSync(path)
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Lets the group of the folder connect. @throws Failure CONFIG_UNREADABLE if the socket has another group */
export function openToGroup(path: string): void {
  const {gid} = lstatSync(path)
  if (gid !== lstatSync(dirname(path)).gid) throw unusable(path, 'it has another group than its folder')
  chmodSync(path, 0o660)
}

function statOf(path: string): Stats {
  try {
    const found = lstatSync(path)
    if (!found.isDirectory()) throw unusable(path, 'it is no folder')
    return found
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unusable(path, reasonOf(error))
  }
}

const unusable = (path: string, why: string): Failure =>
  new Failure('CONFIG_UNREADABLE', {
    message: `${path} cannot be used: ${why}.`,
    hint: 'docs/gate.md has the commands that set it up.',
    effect: 'none',
  })
