import type {Audit, AuditRecord} from '../../../audit/index.ts'
import {type RequestWords, wordsFor} from '../../../cli/request-words.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {BatchEnd, Journal, RequestRecord, RequestState} from '../../../journal/index.ts'
import {withFinishedSet} from '../../a2a/shared/open-split.ts'
import {type SentAgain, sentAgainOf} from '../../a2a/shared/sent-again.ts'
import {type Proposer, proposers} from './proposers.ts'
import {routeWords} from './route-words.ts'

/**
 * What was done: a request of the journal with its audit entry, or an audit entry alone. What a request has under the
 * same name in `requests show` has its name here.
 */
export interface HistoryEntry {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly kind: 'write' | 'destroy' | 'disclose' | 'reveal'
  /** What was done, in words: former and new values, and whether it was undone. */
  readonly did: string
  readonly operation?: string | undefined
  readonly resources: readonly string[]
  readonly auditUser?: string | undefined
  /** Who was logged in on this machine; unknown if the audit trail has no entry. */
  readonly osUser?: string | undefined
  /** Who ran the command: `person`, `job`, or `agent` with its name; unknown in older records. */
  readonly caller?: string | undefined
  readonly profile?: string | undefined
  /** How it ended. */
  readonly state?: RequestState | undefined
  /** The HTTP status. */
  readonly status?: number | undefined
  /** Its id in the journal. */
  readonly request?: string | undefined
  /** Id of what it created, such as a batch. */
  readonly replyId?: string | undefined
  /** The fields that were sent, masked and shortened. */
  readonly sent?: unknown
  /** What cardctl last sent for the same fields before. Others may have changed them since. */
  readonly before?: unknown
  /** Names of the fields that were sent, if the journal no longer has them. */
  readonly fields?: readonly string[] | undefined
  /** A stored response: the request changed nothing. */
  readonly replayed?: true | undefined
  /** What the service said when it refused. */
  readonly said?: string | undefined
  /** What `requests resolve` found out about it later. */
  readonly evidence?: string | undefined
  /** How the transfers of a batch ended; undefined until a command has read that. */
  readonly batchEnd?: BatchEnd | undefined
  /** Where this machine has sent its failed transfers again. */
  readonly sentAgain?: readonly SentAgain[] | undefined
  readonly undoOf?: string | undefined
  /** The newest request that undid this one, or may have. */
  readonly undoneBy?: string | undefined
  readonly retryOf?: string | undefined
  readonly job?: string | undefined
  /** The requests of one PIN exchange have the same one. */
  readonly exchange?: string | undefined
  /** The approved proposal that it belongs to, and who proposed it. */
  readonly proposal?: string | undefined
  readonly proposedBy?: string | undefined
  /** Why they proposed it. */
  readonly proposedNote?: string | undefined
  readonly note?: string | undefined
  readonly ticket?: string | undefined
}

interface HistoryOptions {
  /** What was touched; by default anything. */
  readonly resources?: readonly string[] | undefined
  /** ms since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** A profile of the service, also if the journal has no request of it. */
  readonly alsoOf?: string | undefined
  readonly ticket?: string | undefined
}

/**
 * Everything that was done with a service, or to some of its resources, newest first, one by one. The audit trail is of all services of this machine,
 * the journal of one; an entry of the trail counts if the journal has its request, or was used with its profile.
 */
export function* historyEntries(
  journal: Journal,
  audit: Audit,
  words: RequestWords,
  options: HistoryOptions,
): Generator<HistoryEntry, void, undefined> {
  const profiles = new Set(journal.requests.profiles())
  if (options.alsoOf !== undefined) profiles.add(options.alsoOf)
  const trail = new TrailReader(audit.newest(options))
  const given = new Set<string>()
  const proposerOf = proposers(audit)
  for (const record of journal.requests.iterate(options)) {
    // The trail has the end of a request, the journal its beginning: what is older in the trail can't be of it.
    for (const line of trail.until(record.begunAt)) {
      const entry = entryOfLine(journal, line, profiles, given)
      if (entry !== undefined) yield entry
    }
    given.add(record.id)
    const one = entryOfRequest(words, record, trail.take(record.id), proposerOf(record.proposal))
    const entry = {...one, did: withFinishedSet(journal, record, one.did)}
    const again = sentAgainOf(journal, record)
    yield again.length === 0 ? entry : {...entry, sentAgain: again}
  }
  for (const line of trail.until(Number.NEGATIVE_INFINITY)) {
    const entry = entryOfLine(journal, line, profiles, given)
    if (entry !== undefined) yield entry
  }
}

/** Reads the trail as far as needed, and keeps the entries of requests until their turn. */
class TrailReader {
  readonly #lines: Iterator<AuditRecord>
  readonly #ofRequests = new Map<string, AuditRecord>()
  #next: IteratorResult<AuditRecord>

  constructor(lines: Iterator<AuditRecord>) {
    this.#lines = lines
    this.#next = lines.next()
  }

  /** The entries down to this time. */
  *until(millis: number): Generator<AuditRecord, void, undefined> {
    while (this.#next.done !== true && Date.parse(this.#next.value.at) >= millis) {
      const line = this.#next.value
      this.#next = this.#lines.next()
      const {request} = line
      // The newest entry of a request has its final outcome.
      if (request !== undefined && !this.#ofRequests.has(request)) this.#ofRequests.set(request, line)
      yield line
    }
  }

  take(request: string): AuditRecord | undefined {
    const line = this.#ofRequests.get(request)
    this.#ofRequests.delete(request)
    return line
  }
}

const KINDS = ['write', 'destroy', 'disclose', 'reveal'] as const

/** An entry that stands alone: a reveal, or a request that the journal no longer has. */
function entryOfLine(
  journal: Journal,
  line: AuditRecord,
  profiles: ReadonlySet<string>,
  given: Set<string>,
): HistoryEntry | undefined {
  const {request, profile, members, operation} = line
  const kind = KINDS.find(each => each === line.kind)
  if (kind === undefined || profile === undefined || !profiles.has(profile)) return undefined
  if (request !== undefined) {
    if (given.has(request) || journal.requests.get(request) !== undefined) return undefined
    given.add(request)
  }
  const {at, resources = [], auditUser, osUser, caller, outcome, status, note, ticket} = line
  return {
    at,
    kind,
    did: wordsFor(operation, kind, resources),
    operation,
    resources,
    auditUser,
    osUser,
    caller,
    profile,
    state: outcome,
    status,
    request,
    ...(members === undefined ? {} : {fields: members}),
    note,
    ticket,
  }
}

function entryOfRequest(
  words: RequestWords,
  record: RequestRecord,
  line: AuditRecord | undefined,
  proposer: Proposer | undefined,
): HistoryEntry {
  const {id, operation, resources, auditUser, profile, state, status, replyId, said, evidence, batchEnd} =
    record
  const {undoOf, retryOf, job, exchange, proposal, note, ticket} = record
  // A request that the contract doesn't describe.
  const kind = record.effectMark === 'read' ? 'write' : record.effectMark
  const {did: told, sent, before, undoneBy} = words.tell(record)
  const route = operation === 'a2a.create.v1' && isObject(sent) ? routeWords(sent.transfers) : ''
  const did = route === '' ? told : told.replace(/^send transfers/, `$& ${route}`)
  return {
    at: new Date(record.begunAt).toISOString(),
    kind,
    did,
    operation,
    resources,
    auditUser,
    osUser: line?.osUser,
    caller: record.caller ?? line?.caller,
    profile,
    state,
    status,
    request: id,
    replyId,
    sent,
    before,
    ...(record.replayed === true ? {replayed: true} : {}),
    said,
    evidence,
    batchEnd,
    undoOf,
    undoneBy,
    retryOf,
    job,
    exchange,
    proposal,
    proposedBy: proposer?.by,
    // What was erased with the request is not told from the trail.
    proposedNote: note === undefined ? undefined : proposer?.note,
    note,
    ticket,
  }
}
