import {isResource} from '../contract/resource.ts'
import {type AuditFilter, type AuditOutcome, type AuditRecord, decodeLine} from './audit-entry.ts'
import {fileLines} from './trail-file.ts'

/**
 * The lines of an open trail that pass the filter, oldest first. Changed lines are shown as far as they can be read:
 * whether the trail is sound is for `verify` to say.
 */
export function* listTrail(
  descriptor: number,
  size: number,
  filter: AuditFilter,
): Generator<AuditRecord, void, undefined> {
  for (const {bytes} of fileLines(descriptor, 0, size)) {
    const decoded = decodeLine(bytes)
    if (decoded.state === 'fragment' || decoded.line === undefined) continue
    const record = toRecord(decoded.line)
    if (record !== undefined && passes(record, filter)) yield record
  }
}

const kinds: readonly string[] = [
  'read',
  'disclose',
  'write',
  'destroy',
  'reveal',
  'repair',
  'unsealed',
  'gap',
  'prune',
]

function toRecord(line: Readonly<Record<string, unknown>>): AuditRecord | undefined {
  const {seq, at, kind} = line
  if (typeof seq !== 'number' || typeof at !== 'string' || typeof kind !== 'string') return undefined
  if (!kinds.includes(kind)) return undefined
  const text = (name: string): string | undefined => (typeof line[name] === 'string' ? line[name] : undefined)
  const number = (name: string): number | undefined =>
    typeof line[name] === 'number' ? line[name] : undefined
  const texts = (name: string): string[] | undefined => textsIn(line[name])
  return {
    seq,
    at,
    kind: kind as AuditRecord['kind'],
    osUser: text('osUser'),
    auditUser: text('auditUser'),
    profile: text('profile'),
    operation: text('operation'),
    resources: resourcesOf(line),
    members: texts('members'),
    key: text('key'),
    request: text('request'),
    outcome: text('outcome') as AuditOutcome | undefined,
    status: number('status'),
    durationMs: number('durationMs'),
    note: text('note'),
  }
}

/** Older lines have one, by its id alone. */
const resourcesOf = ({resource, resources}: Readonly<Record<string, unknown>>): string[] | undefined =>
  typeof resource === 'string' ? [resource] : textsIn(resources)

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined

function passes(record: AuditRecord, {since, until, resource, operations, ...wanted}: AuditFilter): boolean {
  const at = Date.parse(record.at)
  if (since !== undefined && !(at >= since)) return false
  if (until !== undefined && !(at < until)) return false
  if (resource !== undefined && !record.resources?.some(one => isResource(one, resource))) return false
  if (operations !== undefined && !operations.includes(record.operation ?? '')) return false
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || record[name as keyof typeof wanted] === value,
  )
}
