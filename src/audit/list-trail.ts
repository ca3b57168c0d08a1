import {isResource} from '../contract/resource.ts'
import {
  type AuditEntry,
  type AuditFilter,
  type AuditOutcome,
  type AuditRecord,
  asInLine,
  entryFields,
  type OwnKind,
} from './audit-entry.ts'
import {fileLines, linesFromEnd} from './trail-file.ts'

/**
 * The lines of an open trail that pass the filter, oldest first. Changed lines are shown as far as they can be read:
 * whether the trail is sound is for `verify` to say.
 */
export function* oldestFirst(
  descriptor: number,
  size: number,
  filter: AuditFilter,
): Generator<AuditRecord, void, undefined> {
  const read = reader(filter)
  for (const {bytes} of fileLines(descriptor, 0, size)) {
    const record = read(bytes)
    if (record !== undefined) yield record
  }
}

export interface NewestFilter extends AuditFilter {
  /** Maximum number of entries. */
  readonly limit?: number | undefined
}

/** The same, newest first. */
export function* newestFirst(
  descriptor: number,
  size: number,
  {limit = Number.POSITIVE_INFINITY, ...filter}: NewestFilter,
): Generator<AuditRecord, void, undefined> {
  const read = reader(filter)
  let given = 0
  if (limit <= 0) return
  for (const bytes of linesFromEnd(descriptor, size)) {
    const record = read(bytes)
    if (record === undefined) continue
    yield record
    if (++given >= limit) return
  }
}

/**
 * Reads a line if it passes the filter. Times can't end the search, since a clock may have been set back; so that a long
 * trail is quickly looked through, a line is parsed only if its bytes have what the filter asks for.
 */
function reader(filter: AuditFilter): (bytes: Buffer) => AuditRecord | undefined {
  const needles = needlesOf(filter)
  return bytes => {
    if (isOutside(bytes, filter)) return undefined
    if (!needles.every(alternatives => alternatives.some(needle => bytes.includes(needle)))) return undefined
    const members = entryFields(bytes)
    const record = members && toRecord(members)
    return record !== undefined && passes(record, filter) ? record : undefined
  }
}

/** Texts of which a line that passes the filter has one of each list. */
function needlesOf({since: _, until: __, operations, ...filter}: AuditFilter): Buffer[][] {
  const {resource, resources = wantedResources(resource), ...wanted} = filter
  const values = Object.values(wanted).filter(value => value !== undefined)
  return [
    ...values.map(value => [Buffer.from(asInLine(value))]),
    ...(operations === undefined ? [] : [operations.map(operation => Buffer.from(asInLine(operation)))]),
    // Its kind may stand before it.
    ...(resources === undefined ? [] : [resources.map(one => Buffer.from(asInLine(one).slice(1)))]),
  ]
}

const wantedResources = (resource: string | undefined): readonly string[] | undefined =>
  resource === undefined ? undefined : [resource]

const AT = Buffer.from('"at":"')
const ISO_LENGTH = 24

/** Whether a line is certainly too old or too young; one without a time in the usual place is not. */
function isOutside(bytes: Buffer, {since, until}: AuditFilter): boolean {
  if (since === undefined && until === undefined) return false
  const place = bytes.indexOf(AT)
  if (place === -1) return false
  const at = Date.parse(bytes.toString('latin1', place + AT.length, place + AT.length + ISO_LENGTH))
  return at < (since ?? Number.NEGATIVE_INFINITY) || at >= (until ?? Number.POSITIVE_INFINITY)
}

/** The kinds of entries that commands write, in the order in which help has them. */
export const ENTRY_KINDS = [
  'read',
  'write',
  'destroy',
  'disclose',
  'reveal',
  'propose',
  'approve',
  'reject',
  'label',
  'change',
  'refuse',
  'export',
  'import',
  'erase',
] as const satisfies readonly AuditEntry['kind'][]

const KINDS: readonly string[] = [
  ...ENTRY_KINDS,
  ...(['repair', 'unsealed', 'gap', 'prune', 'begin'] satisfies readonly OwnKind[]),
]

/** A line as it is shown; undefined if it is none of the trail's entries. */
export function toRecord(line: Readonly<Record<string, unknown>>): AuditRecord | undefined {
  const {seq, at, kind} = line
  if (typeof seq !== 'number' || typeof at !== 'string' || typeof kind !== 'string') return undefined
  if (!KINDS.includes(kind)) return undefined
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
    responsible: text('responsible'),
    profile: text('profile'),
    operation: text('operation'),
    resources: resourcesOf(line),
    members: texts('members'),
    key: text('key'),
    request: text('request'),
    outcome: text('outcome') as AuditOutcome | undefined,
    status: number('status'),
    durationMs: number('durationMs'),
    proposal: text('proposal'),
    proposedBy: text('proposedBy'),
    note: text('note'),
    ticket: text('ticket'),
    caller: text('caller'),
  }
}

/** Older lines have one, by its id alone. */
const resourcesOf = ({resource, resources}: Readonly<Record<string, unknown>>): string[] | undefined =>
  typeof resource === 'string' ? [resource] : textsIn(resources)

const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined

function passes(record: AuditRecord, {since, until, operations, ...filter}: AuditFilter): boolean {
  const {resource, resources = wantedResources(resource), ...wanted} = filter
  const at = Date.parse(record.at)
  if (since !== undefined && !(at >= since)) return false
  if (until !== undefined && !(at < until)) return false
  if (
    resources !== undefined &&
    !record.resources?.some(one => resources.some(each => isResource(one, each)))
  )
    return false
  if (operations !== undefined && !operations.includes(record.operation ?? '')) return false
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || record[name as keyof typeof wanted] === value,
  )
}
