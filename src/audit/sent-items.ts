import {type AuditOutcome, asInLine, entryFields} from './audit-entry.ts'
import {toRecord} from './list-trail.ts'
import {linesFromEnd} from './trail-file.ts'

/** A line about a request whose items were recorded, or about what became of such a request. */
export interface SentItems {
  readonly request: string
  /** The latest time at which it can have been written, ms since 1970. */
  readonly at: number
  readonly outcome: AuditOutcome | undefined
  /** Keyed digests, as they were handed over; empty in a line about what became of it. */
  readonly items: Buffer
  readonly resources: readonly string[]
}

const AT = Buffer.from('"at":"')
const ISO_LENGTH = 24
const DOUBTFUL = Buffer.from('"clock":"doubtful"')

/**
 * The requests of an operation, newest first, since a time. Lines are in the order in which they were written, so a line
 * whose time wasn't believed is no younger than the next one whose time was.
 *
 * @param since ms since 1970; undefined reads the whole trail.
 */
export function* sentItems(
  descriptor: number,
  size: number,
  operation: string,
  {since, now}: {readonly since: number | undefined; readonly now: number},
): Generator<SentItems, void, undefined> {
  const needle = Buffer.from(asInLine(operation))
  let latest = now
  for (const bytes of linesFromEnd(descriptor, size)) {
    const place = bytes.indexOf(AT)
    const written = Date.parse(bytes.toString('latin1', place + AT.length, place + AT.length + ISO_LENGTH))
    const isTimed = place !== -1 && !Number.isNaN(written) && !bytes.includes(DOUBTFUL)
    if (isTimed) {
      if (since !== undefined && written < since) return
      latest = written
    }
    if (!bytes.includes(needle)) continue
    const line = entryFields(bytes)
    const record = line && toRecord(line)
    if (record?.operation !== operation || record.request === undefined) continue
    const {request, outcome, resources = []} = record
    const items = Buffer.from(typeof line?.items === 'string' ? line.items : '', 'base64')
    yield {request, at: latest, outcome, items, resources}
  }
}
