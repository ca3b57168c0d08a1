import {hash} from 'node:crypto'
import type {Effect} from '../contract/operation.ts'
import {parseObject} from '../errors/is-object.ts'
import {isSignedBy, publicKeyOf, signFacts} from '../sensitive/ed25519.ts'

/** What of the records of this machine is not in the trail, and why not: it was pruned, is in another trail, or arrived. */
export interface Explained {
  /** Requests that have one of these in the journal need no entry. */
  readonly marks: readonly string[]
  /** Other keys that the journals know: of earlier trails, or of other machines. */
  readonly formerKeys?: readonly string[] | undefined
  /** When a trail was begun in the place of one that was not intact: the first time. ISO 8601, UTC. */
  readonly brokenBefore?: string | undefined
}

/** `prev` of the first line of a trail. */
export const ORIGIN = '0'.repeat(64)

/** A line's members, `seq`, `at`, `kind`, `prev` and `hash` among them. */
export interface ChainedLine {
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly prev: string
  readonly hash: string
  readonly [name: string]: unknown
}

const SHAPE = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/

/**
 * One line of NDJSON, without its line feed. `hash` stands last and is the SHA-256 of the line's own bytes without it,
 * so that anyone can check a line with a text editor and sha256sum. Everything beyond printable ASCII is escaped: a
 * terminal that shows the file raw has nothing to act on.
 */
export function encodeLine(
  members: Readonly<Record<string, unknown>>,
  prev: string,
): {text: string; hash: string} {
  const open = toAscii(JSON.stringify({...members, prev})).slice(0, -1)
  const hash = digest(`${open}}`)
  return {text: `${open},"hash":"${hash}"}`, hash}
}

/** What a line of the file is: sound; complete but not as it was written; or a fragment, as a kill leaves one. */
type Decoded =
  | {readonly state: 'sound'; readonly line: ChainedLine}
  | {readonly state: 'changed'; readonly line: Readonly<Record<string, unknown>> | undefined}
  | {readonly state: 'fragment'}

export function decodeLine(bytes: Uint8Array): Decoded {
  const text = Buffer.from(bytes).toString('latin1')
  const parsed = parseObject(text)
  // The beginning of an object is never an object: what parses was written to its end.
  if (parsed === undefined)
    return {state: text.startsWith('{') || !isText(text) ? 'fragment' : 'changed', line: undefined}
  const [, open, hash] = SHAPE.exec(text) ?? []
  if (open === undefined || hash !== digest(`${open}}`) || !isChained(parsed))
    return {state: 'changed', line: parsed}
  return {state: 'sound', line: parsed}
}

export function digest(content: string | Uint8Array): string {
  return hash('sha256', content)
}

/** A file system that lost its last block may leave zeros where the end of a line should be. */
function isText(text: string): boolean {
  return text !== '' && !text.includes('\0')
}

/** A value as it is in a line, where everything beyond printable ASCII is escaped. */
export const asInLine = (value: unknown): string => toAscii(JSON.stringify(value))

/** The members of a line, sound or not; undefined for a fragment. */
export const entryFields = (bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined =>
  parseObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))

function toAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function isChained(value: Record<string, unknown>): value is ChainedLine & Record<string, unknown> {
  const {seq, at, kind, prev, hash} = value
  return (
    Number.isSafeInteger(seq) &&
    typeof at === 'string' &&
    typeof kind === 'string' &&
    typeof prev === 'string' &&
    typeof hash === 'string'
  )
}

/** As in the journal: `none` certainly had no effect and was not judged by the service. */
export type AuditOutcome = 'done' | 'refused' | 'none' | 'unknown' | 'failed'

/** What a command hands over for the trail: that something was done, never what was seen. */
export interface AuditEntry {
  /**
   * What a request does, as the contract marks it; that its secret was then shown to a person; what was decided about a
   * request that needs a second person; that a person let an operation of an imported contract count as harmless; that
   * a profile, a secret or a key was changed; what the gate refused; or what happened to the records of this machine.
   */
  readonly kind:
    | Effect
    | 'reveal'
    | 'propose'
    | 'approve'
    | 'reject'
    | 'label'
    | 'change'
    | 'refuse'
    | 'export'
    | 'import'
    | 'erase'
  /** Who is logged in on this machine. */
  readonly osUser: string
  /** Who is named to the service. */
  readonly auditUser: string
  /** Who is responsible for the audit user, if that is the machine that the profile declares. */
  readonly responsible?: string | undefined
  /** Who runs the command: `person`, `job`, or `agent` with its name. The trail knows it, unless the entry says another. */
  readonly caller?: string | undefined
  readonly profile: string
  readonly operation: string
  /** What it touched, as `card:3004`. */
  readonly resources?: readonly string[] | undefined
  /** Names of the members that were sent. */
  readonly members?: readonly string[] | undefined
  /** Idempotency key. */
  readonly key?: string | undefined
  /** The journal's id. */
  readonly request?: string | undefined
  /** Id of the proposal that was made or decided. */
  readonly proposal?: string | undefined
  /** Who made the proposal that was decided: OS user and audit user. */
  readonly proposedBy?: string | undefined
  /** Why, in the user's words. */
  readonly note?: string | undefined
  /** Id of a ticket in the user's own system. */
  readonly ticket?: string | undefined
  /** Keyed digests of its transfers, 8 bytes each, by which they are recognised if they are sent again. */
  readonly items?: Uint8Array | undefined
  /** The clock of this machine could not be believed. */
  readonly isDoubtful?: boolean | undefined
  /** Why requests of this machine may have no entry. */
  readonly explained?: Explained | undefined
  readonly outcome: AuditOutcome
  readonly status?: number | undefined
  readonly durationMs?: number | undefined
}

/** Lines that the trail writes about itself. */
export type OwnKind = 'repair' | 'unsealed' | 'gap' | 'prune' | 'begin'

/** The members of an entry; lines of the trail about itself have few of them. */
type Recorded = {
  readonly [Name in Exclude<keyof AuditEntry, 'kind' | 'items' | 'isDoubtful' | 'explained'>]?:
    | AuditEntry[Name]
    | undefined
}

/** A line of the trail, as `audit list` shows it. */
export interface AuditRecord extends Recorded {
  readonly kind: AuditEntry['kind'] | OwnKind
  /** Counts from 1 and never starts anew. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly at: string
  /** Why it was done, in the user's words; or what a line of the trail about itself says. */
  readonly note?: string | undefined
}

export interface AuditFilter {
  /** At or after, ms since 1970. */
  readonly since?: number | undefined
  /** Before, ms since 1970. */
  readonly until?: number | undefined
  readonly kind?: AuditRecord['kind'] | undefined
  /** One of these. */
  readonly operations?: readonly string[] | undefined
  /** What was touched: `card:3004`, or `3004` of any kind. */
  readonly resource?: string | undefined
  /** Of these, one is enough. */
  readonly resources?: readonly string[] | undefined
  readonly profile?: string | undefined
  readonly auditUser?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly ticket?: string | undefined
  /** Idempotency key. */
  readonly key?: string | undefined
  /** Id of the proposal that was made or decided. */
  readonly proposal?: string | undefined
}

/** What was removed by a prune. */
interface PruneFacts extends Explained {
  /** Number of the last line that was removed. */
  readonly seq: number
  /** Its hash, which the first line that stays follows. */
  readonly prev: string
  readonly at: string
}

/**
 * The line that stands for pruned ones: the rest of the chain hangs on it. It is sealed, for anybody can cut a chain
 * and recompute what follows, but not seal that the tool did.
 */
export function pruneMark({prev, ...facts}: PruneFacts, key: Buffer): string {
  const line = {
    ...facts,
    kind: 'anchor',
    note: 'Lines before this one were pruned.',
    publicKey: publicKeyOf(key),
  }
  return `${encodeLine(withSeal(line, prev, key), prev).text}\n`
}

/** A line that explains something has a seal of its own: anybody can add a line at the end of the file. */
export const withSeal = (
  line: Readonly<Record<string, unknown>>,
  prev: string,
  key: Buffer,
): Readonly<Record<string, unknown>> =>
  line.marks === undefined ? line : {...line, seal: signFacts(markFacts({...line, prev}), key)}

/** What a line explains, if the trail's own key sealed it. */
export function explainedBy(line: ChainedLine, key: Buffer): Explained | undefined {
  const {marks, formerKeys, brokenBefore} = line
  if (!Array.isArray(marks) || !isSealedMark(line, key)) return undefined
  return {
    marks: marks.map(String),
    formerKeys: Array.isArray(formerKeys) ? formerKeys.map(String) : [],
    brokenBefore: typeof brokenBefore === 'string' ? brokenBefore : undefined,
  }
}

const isSealedMark = (line: ChainedLine, key: Buffer): boolean =>
  isSignedBy(publicKeyOf(key), markFacts(line), line.seal)

const markFacts = ({
  seq,
  at,
  kind,
  prev,
  marks,
  formerKeys = [],
  brokenBefore,
}: Readonly<Record<string, unknown>>) => ['mark', seq, at, kind, prev, marks, formerKeys, brokenBefore]

/** What the key of an earlier trail signs: that another one follows. */
export const succession = (publicKey: unknown): readonly unknown[] => ['succession', publicKey]
