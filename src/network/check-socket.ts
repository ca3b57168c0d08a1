import {lstatSync, readlinkSync, realpathSync, type Stats} from 'node:fs'
import {dirname, resolve} from 'node:path'
import process from 'node:process'

/**
 * Why others than the owner of its folder, or root, could listen on a Unix socket in place of the server that is meant;
 * undefined if only they can. Node.js doesn't say who listens, so whose the folder is has to. Other folders above it may be
 * of the same owner, of root or of this user. In a sticky folder, such as /tmp, anybody can make a folder first: what is
 * there must be of root or of this user.
 */
export function openToOthers(socket: string): string | undefined {
  const own = process.geteuid?.()
  const folder = dirname(socket)
  const real = realPath(folder)
  const found = real === undefined ? undefined : statOf(real)
  // Connecting says what is wrong with it.
  if (own === undefined || real === undefined || found === undefined) return undefined
  if ((found.mode & 0o022) !== 0) return `others than its owner can write ${folder}`
  const owner = statOf(socket)?.uid
  if (owner !== undefined && owner !== found.uid && owner !== 0)
    return `${socket} and its folder belong to two users (${owner}, ${found.uid})`
  const doubt = (at: string) => doubtAbout(at, [0, own], found.uid)
  // A link on the way leads where its owner wants.
  return [...wayTo(folder, MOST_LINKS), ...wayTo(real, 0)].flatMap(at => doubt(at) ?? [])[0]
}

/** More than Linux follows. */
const MOST_LINKS = 41

/** A folder, all above it, and the same of each link among them. */
function wayTo(folder: string, links: number): ReadonlySet<string> {
  const above = dirname(folder)
  const way = new Set(above === folder ? [folder] : [...wayTo(above, links), folder])
  const leadsTo = links > 0 && statOf(folder)?.isSymbolicLink() ? linkAt(folder) : undefined
  if (leadsTo !== undefined)
    for (const at of wayTo(resolve(realPath(above) ?? above, leadsTo), links - 1)) way.add(at)
  return way
}

function doubtAbout(path: string, certain: readonly number[], server: number): string | undefined {
  const found = statOf(path)
  if (found === undefined) return undefined
  if (![...certain, server].includes(found.uid)) return `${path} belongs to a third user (${found.uid})`
  const above = statOf(dirname(path))
  const isShared = above !== undefined && isOpen(above) && (above.mode & 0o1000) !== 0
  if (isShared && !certain.includes(found.uid)) return `any user could have made ${path}`
  return isOpen(found) && (found.mode & 0o1000) === 0 ? `others than its owner can write ${path}` : undefined
}

const isOpen = (found: Stats): boolean => !found.isSymbolicLink() && (found.mode & 0o022) !== 0

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
