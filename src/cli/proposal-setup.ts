import {accessSync, constants, lstatSync, type Stats} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {groupsOfUser, nameOfGroup, nameOfUser} from '../children/user-name.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl, shellWord} from '../errors/suggested-command.ts'
import {reasonOf} from '../errors/system-reason.ts'
import {readWithOwner} from '../files/open-own-file.ts'
import {isLoopback} from '../network/check-url.ts'
import type {Target} from '../profiles/target.ts'
import {osUser} from './os-user.ts'

/** Something that four eyes still need, and the command that adds it. */
export interface Missing {
  readonly what: string
  readonly command: string
  /** Without it nothing can be proposed; the rest keeps a second person from it. */
  readonly blocks: boolean
}

/** What proposals need to know of a profile. */
export type Proposing = Pick<Target, 'name' | 'kind' | 'proposals'> & {readonly baseUrl?: string}

interface Examined {
  readonly missing: readonly Missing[]
  /** The user ids in root's list; undefined where root does not keep folder and list. */
  readonly members: ReadonlySet<number> | undefined
}

/** root's list of who may propose and decide: a user id at the start of each line. */
export const MEMBERS = 'members'

/** In commands, for a group that is still to be made. */
const GROUP = 'cards'
const COLLEAGUE = 'COLLEAGUE'

/** One person may be two on a sandbox of this machine, to try it out. */
export const isTryOut = ({kind, baseUrl}: Proposing): boolean =>
  kind === 'sandbox' && baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname)

const shellQuoted = (path: string): string => shellWord(path, 'linux')

const namingFolder = (profile: string, folder: string): string =>
  cardctl('profiles', 'edit', {value: profile}, '--proposals', {value: folder}).toString()

/** All that is missing, whatever of it is met first. */
export function examineSetup(profile: Proposing): Examined {
  const {name, kind, proposals: path} = profile
  const tryOut = isTryOut(profile)
  if (path === undefined) {
    const folder = '/srv/cardctl/proposals'
    const shown = tryOut ? 'FOLDER' : folder
    return {
      missing: [
        ...(tryOut ? [] : [makeFolder(folder, 'No folder is named that two persons can write to.')]),
        ...(tryOut ? [] : [makeMembers(folder, kind === 'live')]),
        item(true, `The profile ${name} names no folder for proposals.`, namingFolder(name, shown)),
      ],
      members: undefined,
    }
  }
  let found: Stats
  try {
    found = lstatSync(path)
  } catch (error) {
    const why = `${path} cannot be used for proposals: ${reasonOf(error)}.`
    const folder = tryOut ? item(true, why, `mkdir -m 700 ${shellQuoted(path)}`) : makeFolder(path, why)
    return {missing: [folder, ...(tryOut ? [] : [makeMembers(path, kind === 'live')])], members: undefined}
  }
  if (!found.isDirectory())
    return {
      missing: [item(true, `${path} is not a folder.`, namingFolder(name, 'FOLDER'))],
      members: undefined,
    }
  const rights = missingRights(path, found, kind, tryOut)
  const isRoots = isKeptByRoot(found)
  const {missing, ids} = missingMembers(path, {isLive: kind === 'live', isRoots, tryOut})
  return {missing: [...rights, ...missing], members: isRoots ? ids : undefined}
}

const isSticky = ({mode}: Stats): boolean => (mode & 0o1000) !== 0

/** Whether root vouches for whose files are in it. */
const isKeptByRoot = (found: Stats): boolean =>
  found.uid === 0 && isSticky(found) && (found.mode & 0o002) === 0

function missingRights(path: string, found: Stats, kind: Target['kind'], tryOut: boolean): Missing[] {
  const {mode, uid, gid} = found
  const quoted = shellQuoted(path)
  const isLive = kind === 'live'
  const group = nameOfGroup(gid)
  const isShared = (mode & 0o070) === 0o070
  const missing: (Missing | false)[] = [
    (mode & 0o022) !== 0 &&
      !isSticky(found) &&
      item(true, `In ${path} colleagues can replace each other's files.`, `sudo chmod +t ${quoted}`),
    (isLive || isShared) &&
      (mode & 0o022) === 0 &&
      !isSticky(found) &&
      item(isLive, `${path} has no sticky bit.`, `sudo chmod +t ${quoted}`),
    !tryOut && uid !== 0 && item(isLive, `${path} does not belong to root.`, `sudo chown root ${quoted}`),
    (mode & 0o002) !== 0 && item(isLive, `Everybody can write to ${path}.`, `sudo chmod o-w ${quoted}`),
    !tryOut &&
      !isShared &&
      item(
        false,
        `The group of ${path} cannot write to it, so no second person can propose or approve.`,
        `sudo chgrp ${GROUP} ${quoted} && sudo chmod 3770 ${quoted}`,
      ),
    !tryOut &&
      isShared &&
      (mode & 0o2000) === 0 &&
      item(
        false,
        `Files in ${path} do not get its group, so colleagues cannot read each other's proposals.`,
        `sudo chmod g+s ${quoted}`,
      ),
    !mayWrite(path) &&
      item(
        true,
        `You (user id ${process.geteuid?.()}) cannot write to ${path}, because you are not in its group ${group}.`,
        `sudo usermod -aG ${group} ${osUser()}, then sign in again`,
      ),
  ]
  return missing.filter(one => one !== false)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function missingMembers(
  path: string,
  {isLive, isRoots, tryOut}: {readonly isLive: boolean; readonly isRoots: boolean; readonly tryOut: boolean},
): {missing: readonly Missing[]; ids: ReadonlySet<number> | undefined} {
  const list = join(path, MEMBERS)
  if (!mayWrite(path)) return {missing: [], ids: undefined}
  const ids = membersOf(list)
  if (typeof ids === 'string') {
    const command = `sudo chown root ${shellQuoted(list)} && sudo chmod 644 ${shellQuoted(list)}`
    // In a folder that is not root's, nobody relies on the list.
    return {missing: [item(isLive || isRoots, ids, command)], ids: undefined}
  }
  if (ids === undefined) return {missing: tryOut ? [] : [makeMembers(path, isLive)], ids}
  const own = process.geteuid?.() ?? -1
  const add = (user: string) => `echo "$(id -u ${user}) ${user}" | sudo tee -a ${shellQuoted(list)}`
  const missing: Missing[] = []
  if (!ids.has(own)) missing.push(item(false, `You (user id ${own}) are not in ${list}.`, add(osUser())))
  if ([...ids].every(id => id === own))
    missing.push(item(false, `${list} names no second person.`, add(COLLEAGUE)))
  return {missing, ids}
}

/** Members of the list who are not in the folder's group. It starts a process for each, so only a set-up asks for it. */
export function membersOutsideGroup({proposals: path}: Proposing, members: ReadonlySet<number>): Missing[] {
  if (path === undefined) return []
  const {gid} = lstatSync(path)
  const group = nameOfGroup(gid)
  return [...members].flatMap(uid => {
    const groups = groupsOfUser(uid)
    if (uid === 0 || groups === undefined || groups.includes(gid)) return []
    const user = nameOfUser(uid)
    const what = `${user} (user id ${uid}) is in ${MEMBERS} and not in the group ${group}, so they cannot read proposals.`
    return [item(false, what, `sudo usermod -aG ${group} ${user}, then they sign in again`)]
  })
}

/** The user ids in root's list; undefined if there is none; why it does not count. @throws Failure PROFILE_INVALID */
function membersOf(path: string): ReadonlySet<number> | string | undefined {
  const read = readWithOwner(path)
  if (read === undefined) return undefined
  if (read.uid !== 0 || (read.mode & 0o022) !== 0 || read.links !== 1)
    return `${path} must belong to root, and only root may be able to change it.`
  const ids = new Set<number>()
  for (const line of read.content.toString('utf8').split('\n')) {
    const [id = ''] = line.trim().split(/\s/)
    if (id === '' || id.startsWith('#')) continue
    if (!/^\d{1,10}$/.test(id))
      throw new Failure('PROFILE_INVALID', {
        message: `${path} has a line that does not begin with a user id.`,
        hint: 'Write one as id -u NAME prints it.',
        effect: 'none',
      })
    ids.add(Number(id))
  }
  return ids
}

const item = (blocks: boolean, what: string, command: string): Missing => ({what, command, blocks})

const makeFolder = (path: string, why: string): Missing =>
  item(true, why, `sudo install -d -o root -g ${GROUP} -m 3770 ${shellQuoted(path)}`)

const makeMembers = (path: string, isLive: boolean): Missing => {
  const list = join(path, MEMBERS)
  return item(
    isLive,
    `${list} is missing: the user ids of those who may propose and approve, one in a line.`,
    `for user in ${osUser()} ${COLLEAGUE}; do echo "$(id -u $user) $user"; done | sudo tee ${shellQuoted(list)}`,
  )
}

/** One line for each thing, and one for its command. */
export const missingLines = (missing: readonly Missing[]): readonly string[] =>
  missing.flatMap(({what, command}, at) => [`${at + 1}. ${what}`, `   ${command}`])

export function setupFailure({name, kind}: Proposing, missing: readonly Missing[]): Failure {
  const [only, ...more] = missing
  const why = kind === 'live' ? 'Until then, one person could act as two. ' : ''
  return new Failure('PROFILE_INVALID', {
    message:
      more.length === 0 && only !== undefined
        ? `The profile ${name} cannot use proposals yet. ${only.what}`
        : `The profile ${name} cannot use proposals yet: ${missing.length} things are missing.`,
    hint:
      more.length === 0 && only !== undefined
        ? `${why}Run: ${only.command}`
        : advice`${why}The whole set-up: ${cardctl('help', 'four-eyes')}`,
    data: {
      missing: missing.map(({what, command}) => ({what, command})),
      ...(more.length === 0 ? {} : {lines: missingLines(missing)}),
    },
    effect: 'none',
  })
}
