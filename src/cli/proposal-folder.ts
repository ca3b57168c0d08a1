import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {nameOfGroup, nameOfUser} from '../children/user-name.ts'
import {Failure} from '../errors/failure.ts'
import {errnoOf} from '../errors/system-reason.ts'
import {fileFailure} from '../files/file-failure.ts'
import {type FileWithOwner, readWithOwner} from '../files/open-own-file.ts'
import {osUser} from './os-user.ts'
import {examineSetup, MEMBERS, type Proposing, setupFailure} from './proposal-setup.ts'

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

export interface FolderEntry {
  readonly name: string
  /** Of its owner. */
  readonly uid: number
  /** When the system last recorded a change of it, ms since 1970. */
  readonly changedAt: number
  readonly bytes: number
}

/** The group may read it, and only its owner write. */
const MODE = 0o640

/** Room for the transfers of a large file. */
export const LARGEST = 64 * 1024 * 1024

/**
 * The folder that colleagues share. The system vouches for the owner of a file, so the person who owns a file made it, and
 * nobody else can change it. Where root keeps the folder and a list of its members, nobody else's files count either.
 */
export class ProposalFolder {
  readonly path: string
  readonly #members: ReadonlySet<number> | undefined

  /** @throws Failure PROFILE_INVALID with all that is missing, if it lets others replace files, or on a live profile isn't root's. */
  constructor(profile: Proposing) {
    if (process.geteuid === undefined)
      throw new Failure('PROFILE_INVALID', {
        message: 'Proposals need a system whose files have owners.',
        hint: 'Use Linux or macOS.',
        effect: 'none',
      })
    const {missing, members} = examineSetup(profile)
    const {proposals: path} = profile
    if (path === undefined || missing.some(({blocks}) => blocks)) throw setupFailure(profile, missing)
    this.path = path
    this.#members = members
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

  /** The files with such names and whose they are, newest first. Reads none of them. */
  entries(isMeant: (name: string) => boolean): readonly FolderEntry[] {
    let names: readonly string[]
    try {
      names = readdirSync(this.path)
    } catch (error) {
      throw this.#noRights(this.path, error) ?? fileFailure(this.path, 'read', error)
    }
    return names
      .filter(isMeant)
      .flatMap(name => {
        const found = lstatSync(join(this.path, name), {throwIfNoEntry: false})
        return found === undefined
          ? []
          : [{name, uid: found.uid, changedAt: found.ctimeMs, bytes: found.size}]
      })
      .toSorted((a, b) => b.changedAt - a.changedAt)
  }

  /**
   * A file that only its owner can have made and can change; undefined if it isn't there.
   *
   * @param largest in bytes, before any of it is read.
   * @throws Failure
   */
  read(name: string, largest = LARGEST): OwnedFile | undefined {
    const path = join(this.path, name)
    let read: FileWithOwner | undefined
    try {
      read = readWithOwner(path, largest)
    } catch (error) {
      throw this.#noRights(path, error) ?? error
    }
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

  /** A colleague's file that only its group can read: what is missing is a right, and nothing is wrong with the file. */
  #noRights(path: string, error: unknown): Failure | undefined {
    const cause = error instanceof Failure ? error.details.cause : error
    const code = errnoOf(cause)
    if (code !== 'EACCES' && code !== 'EPERM') return undefined
    const found = lstatSync(path, {throwIfNoEntry: false})
    const group = nameOfGroup((found ?? lstatSync(this.path)).gid)
    const whose = found === undefined || found.uid === 0 ? '' : ` It belongs to ${nameOf(found.uid)}.`
    const own = `${osUser()} (user id ${process.geteuid?.()})`
    return new Failure('CONFIG_UNREADABLE', {
      message: `${own} may not read ${path}: only its owner and the group ${group} may.${whose} Nothing was sent.`,
      hint: `Ask an administrator: usermod -aG ${group} ${osUser()}, then sign in again. If you are in that group, the folder lacks its set-group-id bit: chmod g+s ${this.path}`,
      effect: 'none',
    })
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

const names = new Map<number, string>()

/** What the system calls a user. */
export function nameOf(uid: number): string {
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
