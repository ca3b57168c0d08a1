import {promisify} from 'node:util'
import {gunzip, gunzipSync, gzip} from 'node:zlib'
import manifest from '../../../package.json' with {type: 'json'}
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {exceededLimit, inBytes, LIMITS} from '../../limits/limits.ts'
import {instant} from '../clock.ts'
import {nodeCrypto} from '../ids.ts'
import {indexedFields, type TableName, tableNames} from '../store/tables.ts'
import {turns} from './turns.ts'

/**
 * The whole state of a sandbox at one moment, as plain JSON: rows, clock, faults, idempotency keys, and the keys that
 * encrypt. Who has it can read the test card numbers in it.
 */
export interface Snapshot {
  readonly format: typeof FORMAT
  readonly version: number
  /** The version of cardctl that made it. */
  readonly madeBy: string
  /** RFC 3339, by the clock of the machine. */
  readonly savedAt: string
  /** RFC 3339, by the clock of the sandbox. It goes on from here after a load. */
  readonly now: string
  /** Number of rows. */
  readonly rows: number
  /** SHA-256 of all the rest, in hex. */
  readonly digest: string
  /** The rows: NDJSON, gzip, base64, in pieces. */
  readonly state: readonly string[]
}

/** A row with its table. */
export type StateRow = readonly [table: TableName, row: {readonly id: string}]

const FORMAT = 'cardctl-sandbox-snapshot'

/**
 * Raise it when rows get another form, and bring older ones to it in `rowsOf`. `test/sandbox/snapshots/` has a snapshot of
 * each version, and all of them must load.
 */
export const SNAPSHOT_VERSION = 1

/** Number of members: they are the same in every version, and the digest is over all of them. */
const MEMBERS = 8

/** Length of a piece. Readers limit the length of a text. */
const PIECE = 64 * 1024
/** The largest state in a snapshot, as base64: with it, a load is a request that the sandbox takes. */
const MOST_TEXT = LIMITS.request.bytes - 256 * 1024
/** The largest state when it is decompressed: a few bytes must not fill the memory, nor take minutes. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_ROWS = 250_000

/** @throws Failure INPUT_INVALID if there are too many rows. */
export async function snapshotOf(
  rows: AsyncIterable<StateRow> | Iterable<StateRow>,
  {savedAt, now}: {readonly savedAt: number; readonly now: number},
): Promise<Snapshot> {
  const lines: Buffer[] = []
  let bytes = 0
  const turn = turns()
  for await (const row of rows) {
    const line = Buffer.from(`${JSON.stringify(row)}\n`)
    bytes += line.length
    lines.push(line)
    if (bytes > MOST_BYTES || lines.length > MOST_ROWS) throw tooLarge()
    await turn()
  }
  const count = lines.length
  const state = (await promisify(gzip)(Buffer.concat(lines))).toString('base64')
  if (state.length > MOST_TEXT) throw tooLarge()
  const head = {
    format: FORMAT,
    version: SNAPSHOT_VERSION,
    madeBy: manifest.version,
    savedAt: instant(savedAt),
    now: instant(now),
    rows: count,
  } as const
  return {...head, digest: digestOf(head, state), state: pieces(state)}
}

/**
 * Checks that a value is a whole snapshot that this version can read.
 *
 * @param what begins the message: `The snapshot`, or the name of its file.
 * @throws Failure INPUT_INVALID
 */
export function checkSnapshot(value: unknown, what = 'The snapshot'): Snapshot {
  if (!isObject(value) || value.format !== FORMAT || !Number.isInteger(value.version)) {
    throw invalid(`${what} is no snapshot of a sandbox.`, 'Pass what sandbox snapshot save wrote.')
  }
  if (Number(value.version) > SNAPSHOT_VERSION) {
    throw invalid(
      `${what} has version ${value.version} of the format. This cardctl (${manifest.version}) reads versions up to ${SNAPSHOT_VERSION}.`,
      'Use the cardctl that made it or a newer one, or save the state again with this one.',
    )
  }
  if (!isForm(value) || value.digest !== digestOf(value, value.state.join(''))) {
    throw invalid(
      `${what} is damaged: its content does not match its digest.`,
      'Copy it again from where it was saved, or save another one.',
    )
  }
  return value
}

/** The rows of a snapshot that was checked, in their order. @throws Failure INPUT_INVALID */
export async function rowsOf(
  {state, rows: count}: Snapshot,
  what = 'The snapshot',
): Promise<readonly StateRow[]> {
  const unreadable = () =>
    invalid(`${what} holds rows that a sandbox can't have.`, 'Save another one: this one was made by hand.')
  if (count > MOST_ROWS) throw tooMuch(what)
  const bytes = await unpacked(state.join('')).catch((error: unknown) => {
    throw isTooLong(error) ? tooMuch(what) : unreadable()
  })
  const rows: StateRow[] = []
  const turn = turns()
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from)
    const row = end < 0 || rows.length === count ? undefined : parsed(bytes.toString('utf8', from, end))
    if (!isRow(row)) throw unreadable()
    rows.push(row)
    from = end + 1
    await turn()
  }
  if (rows.length !== count) throw unreadable()
  return rows
}

const NEWLINE = 0x0a

/** Up to this length, the way to another thread and back takes longer than the work. */
const AT_ONCE = 256 * 1024

async function unpacked(base64: string): Promise<Buffer> {
  const bytes = Buffer.from(base64, 'base64')
  const limits = {maxOutputLength: MOST_BYTES}
  return base64.length <= AT_ONCE && isSmall(bytes)
    ? gunzipSync(bytes, limits)
    : promisify(gunzip)(bytes, limits)
}

/** The last four bytes of a gzip file are the length of its content (RFC 1952). */
const isSmall = (bytes: Buffer): boolean =>
  bytes.length >= 4 && bytes.readUInt32LE(bytes.length - 4) <= 4 * AT_ONCE

const isTooLong = (error: unknown): boolean => isObject(error) && error.code === 'ERR_BUFFER_TOO_LARGE'

function parsed(line: string): unknown {
  if (line.length > LIMITS.request.bytes || exceededLimit(line, LIMITS.request)) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isRow(value: unknown): value is StateRow {
  const [table, row, ...more]: unknown[] = Array.isArray(value) ? value : []
  if (more.length > 0 || !isObject(row) || typeof row.id !== 'string') return false
  const name = tableNames.find(each => each === table)
  // A database refuses other types in these columns.
  return (
    name !== undefined &&
    Object.entries(indexedFields[name]).every(([field, type]) => {
      const member = row[field] ?? null
      return member === null || (type === 'TEXT' ? typeof member === 'string' : Number.isInteger(member))
    })
  )
}

type Head = Omit<Snapshot, 'digest' | 'state'>

const digestOf = ({format, version, madeBy, savedAt, now, rows}: Head, state: string): string =>
  nodeCrypto().hash('sha256', `${JSON.stringify([format, version, madeBy, savedAt, now, rows])}\n${state}`)

function isForm(value: Record<string, unknown>): value is Record<string, unknown> & Snapshot {
  const {madeBy, savedAt, now, rows, state} = value
  return (
    Object.keys(value).length === MEMBERS &&
    typeof madeBy === 'string' &&
    [savedAt, now].every(time => typeof time === 'string' && !Number.isNaN(Date.parse(time))) &&
    Number.isInteger(rows) &&
    Array.isArray(state) &&
    state.every(piece => typeof piece === 'string')
  )
}

const pieces = (text: string): readonly string[] =>
  Array.from({length: Math.ceil(text.length / PIECE)}, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE))

const tooLarge = (): Failure =>
  invalid(
    `The state is more than fits into a snapshot: ${MOST_ROWS} rows, ${inBytes(MOST_BYTES)}, or ${inBytes(LIMITS.request.bytes)} compressed.`,
    'Copy the database instead, or save the snapshot before so much is in it.',
  )

const tooMuch = (what: string): Failure =>
  invalid(
    `${what} unpacks to more than a sandbox loads: ${MOST_ROWS} rows or ${inBytes(MOST_BYTES)}.`,
    'Save another one: this one was made by hand.',
  )

const invalid = (message: string, hint: string): Failure =>
  new Failure('INPUT_INVALID', {message, hint, effect: 'none'})
