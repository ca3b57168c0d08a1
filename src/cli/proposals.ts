import {createHash} from 'node:crypto'
import {lstatSync, readdirSync, type Stats} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import type {AnyInput} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import type {OperationId} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {reasonOf} from '../errors/system-reason.ts'
import {type FileWithOwner, fileFailure, readWithOwner} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'
import type {Target} from '../profiles/target.ts'

/** A request that waits for a second person, as the folder of proposals keeps it. */
export interface Proposal {
  readonly version: 1
  readonly id: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly expiresAt: string
  readonly by: Person
  /** The identity of the service, and its name for people. */
  readonly service: string
  readonly serviceWords: string
  readonly note?: string | undefined
  readonly ticket?: string | undefined
  readonly requests: readonly ProposedRequest[]
  /** Of transfers, which may need several batches. */
  readonly transfers?: ProposedTransfers | undefined
}

export interface ProposedRequest {
  readonly operation: OperationId
  /** Without the audit user, who is the one that sends it. */
  readonly input: AnyInput
  /** The idempotency key. It lives for 24 hours, as long as the proposal. */
  readonly key: string
}

export interface ProposedTransfers {
  /** As the flags of `a2a create`. */
  readonly again: boolean
  readonly rest: boolean
  /** Of the batches, in the order of the requests. */
  readonly batches: readonly {readonly key: string; readonly reference?: string | undefined}[]
}

export interface Person {
  readonly osUser: string
  readonly uid: number
  readonly auditUser: string
}

export interface Decision {
  readonly decision: 'approved' | 'rejected'
  readonly at: string
  readonly by: Person
  /** SHA-256 of the proposal's file, in hex. */
  readonly digest: string
  readonly reason?: string | undefined
}

export interface FoundProposal {
  readonly proposal: Proposal
  readonly digest: string
  readonly decision: Decision | undefined
}

/** The service keeps keys for 24 hours, so that a proposal sent twice by any mistake has one effect. */
export const PROPOSAL_MS = 86_400_000

const ID = /^p_[0-9a-f]{16}$/
/** The group may read it, and only its owner write. */
const MODE = 0o640

/**
 * The folder that colleagues share. The system vouches for the owner of a file, so whoever owns a proposal made it, and
 * nobody else can change it.
 */
export class Proposals {
  readonly #folder: string

  /** @throws Failure PROFILE_INVALID if the folder is missing or lets others replace files. */
  constructor({name, proposals}: Pick<Target, 'name' | 'proposals'>) {
    if (process.getuid === undefined)
      throw invalid('Proposals need a system whose files have owners.', 'Use Linux or macOS.')
    if (proposals === undefined)
      throw invalid(
        `The profile ${name} names no folder for proposals.`,
        `Name one that both persons can reach: profiles edit ${name} --proposals FOLDER`,
      )
    checkFolder(proposals)
    this.#folder = proposals
  }

  add(proposal: Proposal): void {
    this.#place(`${proposal.id}.json`, proposal)
  }

  /** @throws Failure NOT_FOUND; CONFIG_DAMAGED if somebody else could have changed it. */
  get(id: string): FoundProposal {
    const read = ID.test(id) ? readOwned(join(this.#folder, `${id}.json`)) : undefined
    if (read === undefined)
      throw new Failure('NOT_FOUND', {
        message: `There is no proposal ${id} in ${this.#folder}.`,
        hint: 'See requests proposals.',
        effect: 'none',
      })
    const proposal = parsed(read)
    if (!isProposal(proposal) || proposal.id !== id || proposal.by.uid !== read.uid) throw damaged(read.path)
    const digest = createHash('sha256').update(read.content).digest('hex')
    return {proposal, digest, decision: this.#decision(id)}
  }

  /** Newest first. */
  all(): readonly FoundProposal[] {
    const ids = namesIn(this.#folder).flatMap(name => /^(p_[0-9a-f]{16})\.json$/.exec(name)?.[1] ?? [])
    return ids
      .map(id => this.get(id))
      .toSorted((a, b) => (a.proposal.at < b.proposal.at ? 1 : a.proposal.at > b.proposal.at ? -1 : 0))
  }

  /** Decides once and in time: whoever comes second, or answers too late, is refused. @throws Failure USAGE */
  decide(found: FoundProposal, decision: Decision): void {
    refuseDecided(found, Date.parse(decision.at))
    const {id} = found.proposal
    if (this.#place(`${id}.decision.json`, decision)) return
    throw decided(id, this.#decision(id))
  }

  #decision(id: string): Decision | undefined {
    const read = readOwned(join(this.#folder, `${id}.decision.json`))
    if (read === undefined) return undefined
    const decision = parsed(read)
    if (!isDecision(decision) || decision.by.uid !== read.uid) throw damaged(read.path)
    return decision
  }

  #place(name: string, content: unknown): boolean {
    const file = join(this.#folder, name)
    try {
      return placeFile(file, `${JSON.stringify(content, null, 2)}\n`, {mode: MODE})
    } catch (error) {
      throw fileFailure(file, 'written', error)
    }
  }
}

/** Two machines may differ by this much. */
const CLOCKS_DIFFER_MS = 3_600_000

/** Whether it was made before this time, and not too long before. */
export const isOpenAt = ({at, expiresAt}: Pick<Proposal, 'at' | 'expiresAt'>, now: number): boolean =>
  Date.parse(expiresAt) > now && Date.parse(at) <= now + CLOCKS_DIFFER_MS

/** The proposal if it can still be decided by this person. @throws Failure */
export function refuseDecided({proposal, decision}: FoundProposal, now: number): void {
  if (decision !== undefined) throw decided(proposal.id, decision)
  if (isOpenAt(proposal, now)) return
  throw new Failure('USAGE', {
    message:
      Date.parse(proposal.expiresAt) > now
        ? `Proposal ${proposal.id} was made at ${proposal.at}, which is still to come by the clock of this machine. Nothing was sent.`
        : `Proposal ${proposal.id} expired at ${proposal.expiresAt}. Nothing was sent.`,
    hint: 'Propose it again.',
    effect: 'none',
  })
}

/** @throws Failure GATE_REFUSED if both are the same person, to the system or to the service. */
export function refuseSamePerson(proposer: Person, approver: Person): void {
  const same =
    proposer.uid === approver.uid || proposer.osUser === approver.osUser
      ? `the same user of this system, ${approver.osUser}`
      : proposer.auditUser.trim().toLowerCase() === approver.auditUser.trim().toLowerCase()
        ? `the same audit user, ${approver.auditUser}`
        : undefined
  if (same === undefined) return
  throw new Failure('GATE_REFUSED', {
    message: `A second person must approve this: you and who proposed it are ${same}.`,
    hint: 'Ask a colleague to run the command as themselves.',
    effect: 'none',
  })
}

function decided(id: string, decision: Decision | undefined): Failure {
  const by = decision === undefined ? '' : ` by ${decision.by.osUser} at ${decision.at}`
  return new Failure('USAGE', {
    message: `Proposal ${id} was ${decision?.decision ?? 'decided'}${by}. Nothing was sent now.`,
    hint: 'What was sent is in the journal of the person who approved it: requests list.',
    effect: 'none',
  })
}

/** Where others may write but not only to their own files, they could put another file in place of a proposal. */
function checkFolder(folder: string): void {
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
  if ((found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0)
    throw invalid(
      `In ${folder} colleagues can replace each other's files.`,
      `Set its sticky bit: chmod +t ${folder}`,
    )
}

interface OwnedFile extends FileWithOwner {
  readonly path: string
}

/** A file that only its owner can change; undefined if it isn't there. @throws Failure CONFIG_DAMAGED */
function readOwned(path: string): OwnedFile | undefined {
  const read = readWithOwner(path)
  if (read === undefined) return undefined
  if ((read.mode & 0o022) !== 0) throw damaged(path)
  return {path, ...read}
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw fileFailure(folder, 'read', error)
  }
}

function parsed({content}: OwnedFile): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return undefined
  }
}

const isPerson = (one: unknown): one is Person =>
  isObject(one) &&
  typeof one.osUser === 'string' &&
  typeof one.uid === 'number' &&
  typeof one.auditUser === 'string'

const isRequest = (one: unknown): one is ProposedRequest =>
  isObject(one) &&
  typeof one.operation === 'string' &&
  Object.hasOwn(operations, one.operation) &&
  typeof one.key === 'string' &&
  isObject(one.input) &&
  isObject(one.input.path) &&
  isObject(one.input.query)

const isProposal = (one: unknown): one is Proposal =>
  isObject(one) &&
  one.version === 1 &&
  typeof one.id === 'string' &&
  isTime(one.at) &&
  isTime(one.expiresAt) &&
  isPerson(one.by) &&
  typeof one.service === 'string' &&
  typeof one.serviceWords === 'string' &&
  Array.isArray(one.requests) &&
  one.requests.length > 0 &&
  one.requests.every(isRequest)

const isDecision = (one: unknown): one is Decision =>
  isObject(one) && typeof one.decision === 'string' && isTime(one.at) && isPerson(one.by)

const isTime = (one: unknown): one is string => typeof one === 'string' && !Number.isNaN(Date.parse(one))

const damaged = (path: string): Failure =>
  new Failure('CONFIG_DAMAGED', {
    message: `${path} is no proposal that only its owner could write; nothing was sent.`,
    hint: 'Ask who made it, remove it, and propose again.',
    effect: 'none',
  })

const invalid = (message: string, hint: string): Failure =>
  new Failure('PROFILE_INVALID', {message, hint, effect: 'none'})
