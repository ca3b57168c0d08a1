import {lstatSync, realpathSync, type Stats} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'

/**
 * Why others than the owner of its folder, or root, could listen on a Unix socket in place of the server that is meant;
 * undefined if only they can. Node.js doesn't say who listens, so whose the folder is has to. Other folders above it may be
 * of the same owner, of root or of this user.
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
  const trusted = [0, own, found.uid]
  // A link on the way leads where its owner wants.
  return [...new Set([...above(folder), ...above(real)])].flatMap(at => doubtAbout(at, trusted) ?? [])[0]
}

/** A folder and all above it. */
const above = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))]

function doubtAbout(path: string, trusted: readonly number[]): string | undefined {
  const found = statOf(path)
  if (found === undefined) return undefined
  if (!trusted.includes(found.uid)) return `${path} belongs to a third user (${found.uid})`
  const isOpen = !found.isSymbolicLink() && (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0
  return isOpen ? `others than its owner can write ${path}` : undefined
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
