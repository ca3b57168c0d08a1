import type {AuditRecord} from '../../../audit/index.ts'
import {jsonLine} from '../../../output/styled.ts'

/** Facility 13 of RFC 5424: log audit. */
const FACILITY = 13
const WARNING = 4
const NOTICE = 5

/** Entries that somebody should look at: what didn't end well, and what the trail says about itself. */
const severityOf = ({kind, outcome}: AuditRecord): number => {
  if (kind === 'repair' || kind === 'unsealed' || kind === 'gap') return WARNING
  return outcome === undefined || outcome === 'done' ? NOTICE : WARNING
}

/**
 * An entry as a message of RFC 5424, without the line feed: the kind is its MSGID, the number its `sequenceId`, and the
 * message is the entry as JSON, in ASCII.
 *
 * @param host the name of this machine; what the format does not allow is left out.
 */
export function syslogLine(entry: AuditRecord, host: string): string {
  const priority = FACILITY * 8 + severityOf(entry)
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-'
  const json = jsonLine(entry).replaceAll(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const data = `[meta sequenceId="${entry.seq}"]`
  return `<${priority}>1 ${entry.at} ${name} cardctl - ${entry.kind} ${data} ${json}`
}
