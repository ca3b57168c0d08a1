import {lstatSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {isObject, parseObject} from '../errors/is-object.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {maskText} from '../sensitive/mask-text.ts'
import {decodeKept, encodeKept, isKeptId, isTime, KEPT_MS, type KeptRequests} from './proposal-content.ts'
import {
  damaged,
  type FolderEntry,
  LARGEST,
  nameOf,
  type OwnedFile,
  type Owner,
  ProposalFolder,
} from './proposal-folder.ts'
import {isTryOut, type Proposing} from './proposal-setup.ts'

/** A request that waits for a second person. */
export interface Proposal {
  /** The digest of its content. */
  readonly id: string
  readonly content: KeptRequests
  /** The owner of its file. */
  readonly by: Owner
}

/** What a person decided. */
export interface Verdict {
  readonly decision: 'approved' | 'rejected'
  /** ISO 8601, UTC. */
  readonly at: string
  /** As who, in their words. */
  readonly auditUser: string
  readonly reason?: string | undefined
  /** By the key of who decided, in hex: see commands/requests/shared/signed-decision.ts. */
  readonly signature?: {readonly publicKey: string; readonly signature: string} | undefined
  /** Who decided on another machine, by the name that the policy has for their key. The owner of the file brought it. */
  readonly signedBy?: string | undefined
}

export interface Decision extends Verdict {
  /** The owner of its file. */
  readonly by: Owner
}

export interface FoundProposal {
  readonly proposal: Proposal
  readonly decision: Decision | undefined
}

const tooMany = (uid: number, count: number): Failure =>
  new Failure('CONFIG_DAMAGED', {
    message: `${nameOf(uid)} has ${count} proposals here. Only the newest ${MOST_OF_ONE} are read, and of these at most ${LARGEST / 1024 / 1024} MiB.`,
    hint: 'Ask them to delete old ones.',
    effect: 'none',
  })

/** Two machines may differ by this much. */
const CLOCKS_DIFFER_MS = 300_000

/** Of one user in a day, and read of one user. */
const MOST_OF_ONE = 500

/** A decision has a reason and a signature. */
const LARGEST_DECISION = 64 * 1024

const isProposalName = (name: string): boolean =>
  name.endsWith('.json') && isKeptId(name.slice(0, -'.json'.length))

/** The proposals of a folder that colleagues share. */
export class Proposals {
  readonly folder: ProposalFolder
  readonly #isTryOut: boolean
  readonly #largest: number

  /**
   * @param largest of a proposal that is read, in bytes.
   * @throws Failure as `ProposalFolder`
   */
  constructor(target: Proposing, largest = LARGEST) {
    this.folder = new ProposalFolder(target)
    this.#largest = largest
    this.#isTryOut = isTryOut(target)
  }

  /** @returns the proposal's id, under which nobody can put anything else. */
  add(content: Omit<KeptRequests, 'format' | 'nonce'>): string {
    const {id, bytes} = encodeKept(content)
    if (decodeKept(id, bytes) === undefined)
      throw new Failure('USAGE', {message: 'The request cannot be kept as a proposal.', effect: 'none'})
    this.#refuseMore(Date.parse(content.at) - KEPT_MS)
    this.folder.place(`${id}.json`, bytes)
    return id
  }

  /** Colleagues read what others put here. @throws Failure GATE_REFUSED */
  #refuseMore(since: number): void {
    const uid = process.geteuid?.()
    const own = this.folder.entries(isProposalName).filter(one => one.uid === uid && one.changedAt > since)
    if (own.length < MOST_OF_ONE) return
    throw new Failure('GATE_REFUSED', {
      message: `${nameOf(uid ?? 0)} has ${own.length} proposals of the last 24 hours in ${this.folder.path}, and nobody may have more.`,
      hint: 'Have your colleagues decide about them, and delete what is no longer wanted.',
      effect: 'none',
    })
  }

  /** @throws Failure NOT_FOUND; CONFIG_DAMAGED if its id names another content, somebody else could have made it, or it is post-dated. */
  get(id: string): FoundProposal {
    const read = isKeptId(id) ? this.folder.read(`${id}.json`, this.#largest) : undefined
    if (read === undefined)
      throw new Failure('NOT_FOUND', {
        message: `There is no proposal ${maskText(id)} in ${this.folder.path}.`,
        hint: advice`See what waits: ${cardctl('requests', 'proposals')}`,
        effect: 'none',
      })
    const decision = this.#decision(id, read.owner)
    const content = decodeKept(id, read.content)
    if (content === undefined)
      throw damaged(
        this.#path(`${id}.json`),
        'what it holds is no proposal of this id, so it was changed, or is for another service than it says',
      )
    if (Date.parse(content.at) > read.changedAt + CLOCKS_DIFFER_MS)
      throw damaged(
        this.#path(`${id}.json`),
        'it says that it was made after the time at which the system stored it',
      )
    return {proposal: {id, content, by: read.owner}, decision}
  }

  /** Newest first, and why others don't count. */
  all(): {readonly found: readonly FoundProposal[]; readonly refused: readonly Failure[]} {
    const found: FoundProposal[] = []
    const refused: Failure[] = []
    const entries = this.folder.entries(isProposalName)
    for (const [uid, own] of Map.groupBy(entries, one => one.uid)) {
      const read = readable(own)
      for (const {name} of read)
        try {
          found.push(this.get(name.replace(/\.json$/, '')))
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          refused.push(error)
        }
      if (own.length > read.length) refused.push(tooMany(uid, own.length))
    }
    const at = ({proposal}: FoundProposal): number => Date.parse(proposal.content.at)
    return {found: found.toSorted((a, b) => at(b) - at(a)), refused}
  }

  /** Decides once and in time: a person who comes second, or too late, is refused. @throws Failure USAGE */
  decide(found: FoundProposal, verdict: Verdict): Decision {
    refuseDecided(found, Date.parse(verdict.at))
    const {id, by} = found.proposal
    const bytes = Buffer.from(`${JSON.stringify(verdict, null, 1)}\n`)
    if (!this.folder.place(`${id}.decision.json`, bytes)) throw decided(id, this.#decision(id, by))
    const placed = this.#decision(id, by)
    if (placed === undefined) throw damaged(this.#path(`${id}.decision.json`), 'it was removed at once')
    return placed
  }

  /** What its file says, before the proposal itself is read. @throws Failure CONFIG_DAMAGED */
  verdict(id: string): Decision | undefined {
    const name = `${id}.decision.json`
    try {
      const read = isKeptId(id) ? this.folder.read(name, LARGEST_DECISION) : undefined
      if (read === undefined) return undefined
      const decision = decisionIn(read)
      if (decision === undefined) throw damaged(this.#path(name), 'it is no decision')
      return decision
    } catch (error) {
      throw inTheWay(this.#path(name), error)
    }
  }

  #decision(id: string, proposer: Owner): Decision | undefined {
    const decision = this.verdict(id)
    if (decision === undefined) return undefined
    // By whom one was signed that came in a file, the policy says when it is sent.
    const isOwn = decision.signedBy === undefined && decision.by.uid === proposer.uid
    if (decision.decision === 'approved' && isOwn && !this.#isTryOut)
      throw damaged(this.#path(`${id}.decision.json`), `${proposer.osUser} cannot approve their own proposal`)
    return decision
  }

  #path(name: string): string {
    return join(this.folder.path, name)
  }
}

/** The newest of one user: who fills the folder keeps nobody from the others. */
function readable(own: readonly FolderEntry[]): readonly FolderEntry[] {
  let bytes = 0
  return own.slice(0, MOST_OF_ONE).filter(one => {
    bytes += one.bytes
    return bytes <= LARGEST
  })
}

/** Whether it was made before this time, and not too long before. */
export const isOpenAt = ({at, expiresAt}: Pick<KeptRequests, 'at' | 'expiresAt'>, now: number): boolean =>
  Date.parse(expiresAt) > now && Date.parse(at) <= now + CLOCKS_DIFFER_MS

/** `2026-11-29 08:57:09 UTC`. A time in other words stays. */
const inWords = (at: string): string =>
  at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC')

/** @throws Failure USAGE unless it can still be decided. */
export function refuseDecided({proposal: {id, content}, decision}: FoundProposal, now: number): void {
  if (decision !== undefined) throw decided(id, decision)
  if (isOpenAt(content, now)) return
  throw new Failure('USAGE', {
    message:
      Date.parse(content.expiresAt) > now
        ? `Proposal ${id} was made at ${inWords(content.at)}, which is still to come by the clock of this machine. Nothing was sent.`
        : `Proposal ${id} expired at ${inWords(content.expiresAt)}. Nothing was sent.`,
    hint: 'Propose it again.',
    effect: 'none',
  })
}

/**
 * @param tryOut permits one user of the system to be two audit users.
 * @throws Failure GATE_REFUSED if both are the same person, to the system or to the service.
 */
export function refuseSamePerson(
  {by: proposer, content}: Proposal,
  approver: Owner & {readonly auditUser: string},
  tryOut: boolean,
): void {
  const same =
    proposer.uid === approver.uid && !tryOut
      ? `the same user of this system, ${approver.osUser}`
      : content.auditUser.trim().toLowerCase() === approver.auditUser.trim().toLowerCase()
        ? `the same audit user, ${approver.auditUser}`
        : undefined
  if (same === undefined) return
  throw new Failure('GATE_REFUSED', {
    message: `A second person must approve this: you and who proposed it are ${same}.`,
    hint: tryOut
      ? 'Approve with another profile of this sandbox, which has another audit user.'
      : advice`Ask a colleague to run the command as themselves. One person can try it out with two profiles of a sandbox on this machine: ${cardctl('help', 'four-eyes')}`,
    effect: 'none',
  })
}

/** @param where who knows of it, if that isn't the decision's file. */
export function decided(
  id: string,
  decision: (Pick<Decision, 'decision' | 'at'> & {readonly by?: Owner}) | undefined,
  where = '',
): Failure {
  const by =
    decision === undefined
      ? ''
      : `${decision.by ? ` by ${decision.by.osUser}` : ''} at ${inWords(decision.at)}`
  return new Failure('USAGE', {
    message: `Proposal ${id} was ${decision?.decision ?? 'decided'}${by}${where}. Nothing was sent now.`,
    hint:
      decision?.decision === 'rejected'
        ? 'If it is to be sent after all, make a new proposal.'
        : decision === undefined
          ? advice`See what was decided: ${cardctl('requests', 'proposals')}`
          : advice`What was sent is in the journal of the person who approved it: ${cardctl('requests', 'list')}`,
    effect: 'none',
  })
}

/** Says of what has the name of a decision and is none whose it is: in a sticky folder nobody else can remove it. */
function inTheWay(path: string, error: unknown): unknown {
  const found = lstatSync(path, {throwIfNoEntry: false})
  const isClosed = found !== undefined && (found.mode & 0o044) === 0
  if (!(error instanceof Failure) || found === undefined) return error
  // Who may not read what its group may lacks a right, and that hint says so.
  if (error.details.cause !== undefined && !isClosed && found.isFile()) return error
  const whose = `${nameOf(found.uid)} (user id ${found.uid})`
  return new Failure(error.code, {
    ...error.details,
    message: `${error.message.replace(/ It belongs to [^.]*\./, '')} It belongs to ${whose}.`,
    hint: `Only ${nameOf(found.uid)} or root can remove it. Then approve the proposal again.`,
    effect: 'none',
  })
}

function decisionIn({content, owner}: OwnedFile): Decision | undefined {
  const {decision, at, auditUser, reason, signature, signedBy} = parseObject(content.toString('utf8')) ?? {}
  if (decision !== 'approved' && decision !== 'rejected') return undefined
  if (!isTime(at) || typeof auditUser !== 'string') return undefined
  if (reason !== undefined && typeof reason !== 'string') return undefined
  if (signedBy !== undefined && (typeof signedBy !== 'string' || !isSignature(signature))) return undefined
  return {
    decision,
    at,
    auditUser: maskText(auditUser),
    by: owner,
    ...(reason === undefined ? {} : {reason: maskText(reason)}),
    ...(isSignature(signature) ? {signature} : {}),
    ...(signedBy === undefined ? {} : {signedBy}),
  }
}

const isSignature = (one: unknown): one is NonNullable<Verdict['signature']> =>
  isObject(one) && typeof one.publicKey === 'string' && typeof one.signature === 'string'
