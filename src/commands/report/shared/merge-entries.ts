import type {ShiftEntry} from './shift-types.ts'
import {batchEnd, isOpen} from './shift-types.ts'

/** What one machine says, in the order of its report. */
export interface Source {
  /** Its name in the report. */
  readonly machine: string
  /** Somebody vouched for its key here, or it is this machine. */
  readonly isVouched: boolean
  /** ms since 1970. */
  readonly madeAt: number
  readonly entries: readonly ShiftEntry[]
}

/** An entry, and which machines report it. */
export type MergedEntry = ShiftEntry & {readonly machines: readonly string[]}

export interface MergedEntries {
  /** Oldest first, each request once. */
  readonly entries: readonly MergedEntry[]
  /** Of machines whose key nobody vouched for, where no other machine reports the same. */
  readonly unvouched: readonly MergedEntry[]
  /** Of machines with a known key, where another one with a known key reports something else about the request. */
  readonly conflicting: readonly MergedEntry[]
}

/**
 * One list of what several machines report. A request is the same by its id; a reveal by everything that is known about
 * it. What an unvouched machine says never changes what others say, and is never counted.
 */
export function mergeEntries(sources: readonly Source[]): MergedEntries {
  const entries = new Map<string, MergedEntry>()
  const conflicting: MergedEntry[] = []
  const unvouched = new Map<string, MergedEntry>()
  const newestFirst = sources.toSorted((a, b) => b.madeAt - a.madeAt)
  for (const source of newestFirst.filter(({isVouched}) => isVouched)) {
    for (const [id, entry] of named(source)) {
      const known = entries.get(id)
      if (known === undefined) entries.set(id, entry)
      else if (isSame(known, entry)) entries.set(id, joined(known, entry))
      else conflicting.push(entry)
    }
  }
  for (const source of newestFirst.filter(({isVouched}) => !isVouched)) {
    for (const [id, entry] of named(source)) {
      const known = entries.get(id)
      if (known !== undefined && isSame(known, entry)) continue
      const own = `${source.machine} ${id}`
      if (!unvouched.has(own)) unvouched.set(own, entry)
    }
  }
  return {
    entries: oldestFirst([...entries.values()]),
    unvouched: oldestFirst([...unvouched.values()]),
    conflicting: oldestFirst(conflicting),
  }
}

/** Each entry with what it is the same by. Entries without an id that are alike in one report are several. */
function* named({machine, entries}: Source): Generator<readonly [string, MergedEntry]> {
  const seen = new Map<string, number>()
  for (const entry of entries) {
    const {request, at, kind, operation, resources, auditUser, osUser, profile} = entry
    const like = JSON.stringify([at, kind, operation, resources, auditUser, osUser, profile])
    const times = (seen.get(like) ?? 0) + 1
    if (request === undefined) seen.set(like, times)
    yield [request === undefined ? `${like} ${times}` : request, {...entry, machines: [machine]}]
  }
}

/** Whether two entries can both be true of one request: what was open may have ended later. */
function isSame(one: ShiftEntry, other: ShiftEntry): boolean {
  const isEnd = one.state === other.state || isOpen(one) || isOpen(other)
  return (
    isEnd &&
    one.kind === other.kind &&
    one.operation === other.operation &&
    one.auditUser === other.auditUser &&
    isAlike(one.sent, other.sent) &&
    isAlike(one.amounts, other.amounts) &&
    isAlike(one.replyId, other.replyId)
  )
}

/** What a journal no longer has may be anything. */
const isAlike = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other)

/** The one that knows more, with the machines of both. */
function joined(known: MergedEntry, entry: MergedEntry): MergedEntry {
  const machines = [...new Set([...known.machines, ...entry.machines])]
  return {...(knowledge(entry) > knowledge(known) ? entry : known), machines}
}

const knowledge = (entry: ShiftEntry): number =>
  (isOpen(entry) ? 0 : 8) +
  (batchEnd(entry) === undefined ? 0 : 4) +
  (entry.undoneBy === undefined ? 0 : 2) +
  (entry.sent === undefined ? 0 : 1)

const oldestFirst = (entries: readonly MergedEntry[]): readonly MergedEntry[] =>
  entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
