import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  writeSync,
} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {nameOfUser} from '../children/user-name.ts'
import {Failure} from '../errors/failure.ts'
import {errnoOf, reasonOf} from '../errors/system-reason.ts'
import {fileFailure, readWithOwner} from '../files/open-own-file.ts'
import type {Target} from '../profiles/target.ts'
import {osUser} from './os-user.ts'

/** A user of the system: whose file it is. */
export interface Owner {
  readonly uid: number
  readonly osUser: string
}

export interface OwnedFile {
  readonly content: Buffer
  readonly owner: Owner
  /** When the system last recorded a change of it, ms since 1970. */
  readonly changedAt: number
}

/** root's list of who may propose and decide: a user id at the start of each line. */
const MEMBERS = 'members'

/** The group may read it, and only its owner write. */
const MODE = 0o640

/** Room for the transfers of a large file. */
const LARGEST = 64 * 1024 * 1024

/**
 * The folder that colleagues share. The system vouches for the owner of a file, so the person who owns a file made it, and
 * nobody else can change it. Where root keeps the folder and a list of its members, nobody else's files count either.
 */
export class ProposalFolder {
  readonly path: string
  readonly #members: ReadonlySet<number> | undefined

  /** @throws Failure PROFILE_INVALID if it lets others replace files, or on a live profile isn't root's. */
  constructor({name, kind, proposals: path}: Pick<Target, 'name' | 'kind' | 'proposals'>) {
    if (process.geteuid === undefined)
      throw invalid('Proposals need a system whose files have owners.', 'Use Linux or macOS.')
    if (path === undefined)
      throw invalid(
        `The profile ${name} names no folder for proposals.`,
        `Name one that both persons can reach: profiles edit ${name} --proposals FOLDER`,
      )
    this.path = path
    const why = checkFolder(path)
    this.#members = why === undefined ? membersOf(join(path, MEMBERS)) : undefined
    if (kind === 'live' && this.#members === undefined)
      throw invalid(
        `The profile ${name} is live, and ${why ?? `${join(path, MEMBERS)} is missing`}. So one person could act as two.`,
        'Ask an administrator to set the folder up as docs/four-eyes.md says.',
      )
    const uid = process.geteuid()
    if (this.#members?.has(uid) === false)
      throw new Failure('GATE_REFUSED', {
        message: `You (user id ${uid}) are not in ${join(path, MEMBERS)}, so you can neither propose nor approve here.`,
        hint: 'Ask an administrator to add you.',
        effect: 'none',
      })
  }

  /** Whether root says who the two persons can be. */
  get isRoots(): boolean {
    return this.#members !== undefined
  }

  names(): readonly string[] {
    try {
      return readdirSync(this.path)
    } catch (error) {
      throw fileFailure(this.path, 'read', error)
    }
  }

  /** A file that only its owner can have made and can change; undefined if it isn't there. @throws Failure */
  read(name: string): OwnedFile | undefined {
    const path = join(this.path, name)
    const read = readWithOwner(path, LARGEST)
    if (read === undefined) return undefined
    const {content, uid, mode, links, changedAt} = read
    if ((mode & 0o022) !== 0) throw damaged(path, 'others than its owner can change it')
    if (links !== 1)
      throw damaged(path, 'it has another name elsewhere, so it may have been made for something else')
    const owner = {uid, osUser: nameOf(uid)}
    if (this.#members?.has(uid) === false)
      throw damaged(
        path,
        `its owner, ${owner.osUser} (user id ${uid}), is not in ${join(this.path, MEMBERS)}`,
      )
    return {content, owner, changedAt}
  }

  /** @returns false if there is something of that name already. */
  place(name: string, content: Uint8Array): boolean {
    const path = join(this.path, name)
    if (content.length > LARGEST)
      throw new Failure('USAGE', {
        message: `The proposal is too large: ${content.length} bytes.`,
        effect: 'none',
      })
    let descriptor: number
    try {
      descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false
      throw fileFailure(path, 'written', error)
    }
    try {
      for (let done = 0; done < content.length; ) done += writeSync(descriptor, content, done)
      fsyncSync(descriptor)
      // Readable once it is whole.
      fchmodSync(descriptor, MODE)
      return true
    } catch (error) {
      throw fileFailure(path, 'written', error)
    } finally {
      closeSync(descriptor)
    }
  }
}

/**
 * Why root doesn't vouch for a folder, as the end of a sentence; undefined if root does.
 *
 * @throws Failure PROFILE_INVALID if it can't be used at all: where others may write but not only to their own files,
 * they could put another file in place of a proposal.
 */
function checkFolder(folder: string): string | undefined {
  let found: Stats
  try {
    found = lstatSync(folder)
  } catch (error) {
    throw invalid(
      `${folder} cannot be used for proposals: ${reasonOf(error)}.`,
      'Make it as docs/four-eyes.md says.',
    )
  }
  if (!found.isDirectory()) throw invalid(`${folder} is not a folder.`, 'Name a folder for proposals.')
  const isSticky = (found.mode & 0o1000) !== 0
  if ((found.mode & 0o022) !== 0 && !isSticky)
    throw invalid(
      `In ${folder} colleagues can replace each other's files.`,
      `Set its sticky bit: chmod +t ${folder}`,
    )
  if (found.uid !== 0) return `${folder} does not belong to root`
  if (!isSticky) return `${folder} has no sticky bit`
  if ((found.mode & 0o002) !== 0) return `everybody can write to ${folder}`
  return undefined
}

/** The user ids in root's list; undefined if there is none. @throws Failure PROFILE_INVALID if it isn't root's. */
function membersOf(path: string): ReadonlySet<number> | undefined {
  const read = readWithOwner(path)
  if (read === undefined) return undefined
  if (read.uid !== 0 || (read.mode & 0o022) !== 0 || read.links !== 1)
    throw invalid(
      `${path} must belong to root, and only root may be able to change it.`,
      `Ask an administrator: chown root ${path} && chmod 644 ${path}`,
    )
  const ids = new Set<number>()
  for (const line of read.content.toString('utf8').split('\n')) {
    const [id = ''] = line.trim().split(/\s/)
    if (id === '' || id.startsWith('#')) continue
    if (!/^\d{1,10}$/.test(id))
      throw invalid(
        `${path} has a line that does not begin with a user id.`,
        'Write one as id -u NAME prints it.',
      )
    ids.add(Number(id))
  }
  return ids
}

const names = new Map<number, string>()

/** What the system calls a user. */
function nameOf(uid: number): string {
  const known = names.get(uid)
  if (known !== undefined) return known
  const name = uid === process.geteuid?.() ? osUser() : nameOfUser(uid)
  names.set(uid, name)
  return name
}

export const damaged = (path: string, why: string): Failure =>
  new Failure('CONFIG_DAMAGED', {
    message: `${path} does not count: ${why}. Nothing was sent.`,
    hint: 'Ask who made it, remove it, and propose again.',
    effect: 'none',
  })

const invalid = (message: string, hint: string): Failure =>
  new Failure('PROFILE_INVALID', {message, hint, effect: 'none'})
