import type {AuditEntry} from '../audit/index.ts'
import type {Journal, Outcome, RequestEnd, RequestRecord, RequestStart} from '../journal/index.ts'
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
    items,
  }: RequestStart,
  {id: request, outcome, status, durationMs, resources: found = []}: RequestEnd & {readonly id: string},
  journal: Journal,
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
    items: items && trailItems(journal, items),
    isDoubtful: !journal.store.time().isProven,
  }
}

/** Length of the digest of one transfer, in bytes. */
export const ITEM_BYTES = 8

/** Digests as the trail has them, which all services share: the same transfer at another service has another one. */
export function trailItems(journal: Journal, items: Uint8Array): Buffer {
  const own: string[] = []
  for (let at = 0; at < items.length; at += ITEM_BYTES) {
    const item = Buffer.from(items.subarray(at, at + ITEM_BYTES)).toString('hex')
    own.push(journal.store.digest(['trail', journal.service.identity, item]).slice(0, 2 * ITEM_BYTES))
  }
  return Buffer.from(own.join(''), 'hex')
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
