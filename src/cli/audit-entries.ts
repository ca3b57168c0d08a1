import type {AuditEntry} from '../audit/index.ts'
import type {Outcome, RequestEnd, RequestRecord, RequestStart} from '../journal/index.ts'
import type {Context} from './context.ts'

/** The audit entry of a request that ended. */
export function auditEntry(
  context: Context,
  profile: string,
  {
    effect: kind,
    operation,
    resources: named = [],
    sent,
    key,
    auditUser,
    responsible,
    note,
    ticket,
  }: RequestStart,
  {id: request, outcome, status, durationMs, resources: found = []}: RequestEnd & {readonly id: string},
): AuditEntry {
  const {osUser} = context.surroundings
  const resources = [...new Set([...named, ...found])].filter(one => !one.startsWith('control:'))
  const members = Object.keys(sent ?? {})
  return {
    kind,
    osUser,
    auditUser,
    responsible,
    profile,
    operation,
    resources,
    members,
    key,
    request,
    outcome,
    status,
    durationMs,
    note,
    ticket,
  }
}

/** The audit entry of a request in the journal, with the way its outcome was found. */
export function auditEntryOf(
  {surroundings}: Context,
  {
    effectMark,
    auditUser,
    responsible,
    profile,
    operation,
    resources,
    key,
    id,
    status,
    note,
    ticket,
  }: RequestRecord,
  {outcome, by = auditUser}: {outcome: Outcome; by?: string},
): AuditEntry {
  const {osUser} = surroundings
  return {
    kind: effectMark,
    osUser,
    auditUser: by,
    responsible: by === auditUser ? responsible : undefined,
    profile,
    operation,
    resources: resources.filter(one => !one.startsWith('control:')),
    key,
    request: id,
    outcome,
    status,
    note,
    ticket,
  }
}
