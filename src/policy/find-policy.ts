import {hash} from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import {LIMITS} from '../limits/limits.ts'
import {placedIn} from '../user-files/index.ts'
import type {Policy} from './policy-file.ts'
import {readPolicy} from './read-policy.ts'

/** Where a policy is, and who asks. Never from the environment. */
export interface PolicyPlace {
  readonly folder: string
  /** The user that must not be able to write it. */
  readonly uid: number
  readonly groups: readonly number[]
}

/** Windows has no users by number, and no policy. */
export const policyPlace = (): PolicyPlace => ({
  folder: '/etc/cardctl',
  uid: process.geteuid?.() ?? -1,
  groups: process.getgroups?.() ?? [],
})

const NAMES = ['policy.yaml', 'policy.json'] as const

/** The policy in force, or why one that is there can't be used: nothing is sent to a live service then. */
export type FoundPolicy = {readonly policy: Policy} | {readonly path: string; readonly problem: string}

/** Undefined if there is none. */
export async function findPolicy(place: PolicyPlace): Promise<FoundPolicy | undefined> {
  const found: {readonly path: string; readonly text: string; readonly owner: number}[] = []
  for (const name of NAMES) {
    const path = join(place.folder, name)
    try {
      const file = readFile(path, place)
      if (file !== undefined) found.push({path, ...file})
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return {path, problem: error.message}
    }
  }
  const [one, other] = found
  if (one === undefined) return undefined
  const {path, text, owner} = one
  if (other !== undefined) return {path, problem: `There are two policies, ${path} and ${other.path}.`}
  const {policy, problems, lineOf} = await readPolicy(text)
  const [first] = problems
  if (policy === undefined)
    return {path, problem: first === undefined ? 'It is empty.' : `${placedIn(path, first)}.`}
  return {
    policy: {
      ...policy,
      path,
      digest: hash('sha256', text),
      owner: owner === 0 ? 'root' : `the user ${owner}`,
      lineOf: pointer => `${path}:${lineOf(pointer)}`,
    },
  }
}

/** Only what this user can't write counts. @throws Failure CONFIG_UNREADABLE */
function readFile(
  path: string,
  place: PolicyPlace,
): {readonly text: string; readonly owner: number} | undefined {
  let descriptor: number
  try {
    descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    )
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw unusable(path, errnoOf(error) === 'ELOOP' ? 'it is a link' : reasonOf(error), error)
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw unusable(path, 'it is not a regular file')
    if (found.size > LIMITS.rules.bytes) throw unusable(path, 'it is far too large')
    refuseWritable(path, found, place)
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      refuseWritable(folder, lstatSync(folder), place)
      if (dirname(folder) === folder) break
    }
    const text = new TextDecoder('utf-8', {fatal: true}).decode(readFileSync(descriptor))
    return {text, owner: found.uid}
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unusable(path, error instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(error), error)
  } finally {
    closeSync(descriptor)
  }
}

/** Who can write a folder can put another file there, unless it is sticky. @throws Failure CONFIG_UNREADABLE */
function refuseWritable(path: string, {uid, gid, mode}: Stats, place: PolicyPlace): void {
  if (place.uid === 0) {
    // root can write everything. What others can write is not root's word.
    if (uid !== 0) throw unusable(path, `it belongs to the user ${uid}, and not to root`)
  } else if (uid === place.uid) throw unusable(path, 'it belongs to you, and a policy is of another user')
  const isSticky = (mode & 0o1000) !== 0 && (mode & constants.S_IFMT) === constants.S_IFDIR
  if (isSticky) return
  const byGroup = (mode & 0o020) !== 0 && (place.uid === 0 ? gid !== 0 : place.groups.includes(gid))
  if ((mode & 0o002) !== 0 || byGroup) throw unusable(path, 'you can write it, or everybody can')
  if (place.uid === 0 || place.uid !== process.geteuid?.()) return
  // What lists of access rights add.
  try {
    accessSync(path, constants.W_OK)
  } catch {
    return
  }
  throw unusable(path, 'you can write it')
}

const unusable = (path: string, why: string, cause?: unknown): Failure =>
  new Failure('CONFIG_UNREADABLE', {
    message: `${path} cannot be used as a policy: ${why}.`,
    effect: 'none',
    cause,
  })
