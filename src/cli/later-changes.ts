import type {Journal, RequestRecord} from '../journal/index.ts'
import {isOfSameTopic, isSameChange, operationOf, ownerOf, sentFieldsOf, setsFields} from './former-values.ts'

/** A request that changed the same resource later, or may have. */
export interface LaterChange {
  readonly record: RequestRecord
  /** The resource of both, for example `account:2001`. */
  readonly owner: string
  /** The fields that it sent; undefined if it may have set any. */
  readonly fields: readonly string[] | undefined
}

/** Writes that began after this one and changed the same resource, or may have. Newest first. */
export function* laterChanges(
  journal: Journal,
  record: RequestRecord,
): Generator<LaterChange, void, undefined> {
  const operation = operationOf(record)
  const owner = operation && ownerOf(operation, record)
  if (operation === undefined || owner === undefined) return
  for (const one of journal.requests.iterate({resources: [owner], since: record.begunAt})) {
    if (one.id === record.id) return
    if (one.effectMark !== 'write' && one.effectMark !== 'destroy') continue
    if (hadNoEffect(one) || isSameChange(one, record)) continue
    if (isOfSameTopic(one, operation)) yield {record: one, owner, fields: namedFields(journal, one)}
  }
}

/** A stored response of an earlier request had no effect of its own. */
export const hadNoEffect = ({effect, replayed}: Pick<RequestRecord, 'effect' | 'replayed'>): boolean =>
  effect === 'none' || replayed === true

/** The newest later request that set a field which this one sets too, or may have. */
export function changedSince(journal: Journal, record: RequestRecord): LaterChange | undefined {
  const own = namedFields(journal, record)
  for (const later of laterChanges(journal, record)) {
    if (own === undefined || later.fields === undefined) return {...later, fields: undefined}
    const common = later.fields.filter(name => own.includes(name))
    if (common.length > 0) return {...later, fields: common}
  }
  return undefined
}

function namedFields(journal: Journal, record: RequestRecord): readonly string[] | undefined {
  const operation = operationOf(record)
  if (operation === undefined || !setsFields(operation)) return undefined
  const names = Object.keys(sentFieldsOf(journal, record))
  return names.length === 0 ? undefined : names
}
