import {neutralWords} from '../../profiles/index.ts'
import {jsonOf, successOf} from '../compare/compare-operations.ts'
import type {DocumentOperation, ImportedDocument, Schema} from '../document/document.ts'
import {type Schemas, shapeOf} from '../shapes.ts'
import {nameKey, wordsIn} from './words.ts'

/** An operation of the built-in contract, and its counterpart in a document. */
export interface PairedOperation {
  readonly own: DocumentOperation
  readonly theirs: DocumentOperation
  /** Whether no other operation on either side fits as well. */
  readonly isSure: boolean
  /** Continues a sentence after "they have": `the same path`. */
  readonly why: string
  /** The document's segment for each neutral segment: a word, or a parameter. */
  readonly segments: ReadonlyMap<string, string>
  /** The segments of other operations that fit nearly as well. */
  readonly otherSegments: readonly ReadonlyMap<string, string>[]
  /** The prefix of the path in the document: `` or `/card`. */
  readonly prefix: string
  /** Whether renamed segments and a prefix turn one path into the other. */
  readonly isReachable: boolean
}

export interface PairedOperations {
  readonly pairs: readonly PairedOperation[]
  /** Built-in operations without a counterpart in the document. */
  readonly missing: readonly DocumentOperation[]
}

interface Candidate extends Pick<PairedOperation, 'theirs' | 'segments' | 'prefix'> {
  /** Whether every segment is the neutral one, or the profile's word for it. */
  readonly isExact: boolean
}

export interface Known {
  readonly words: Readonly<Record<string, string>>
  /** By group. */
  readonly prefixes: Readonly<Record<string, string>>
}

/** Minimum similarity of two operations, and minimum lead over the next best, from 0 to 1. */
const ALIKE = 0.8
const CLEARLY = 0.15
const RESEMBLES = 0.5

const isNeutral = (segment: string): boolean => (neutralWords as readonly string[]).includes(segment)
const isParameter = (segment: string): boolean => /^\{.*\}$/.test(segment)

export const groupOf = ({extensions, tags}: DocumentOperation): string =>
  String(extensions['x-group'] ?? tags[0] ?? '')

/**
 * Finds the counterparts of built-in operations in a document. First at the same path, where renameable segments may
 * differ and a prefix may come first; then by operationId, and by fields of requests and responses.
 */
export function pairOperations(
  own: ImportedDocument,
  theirs: ImportedDocument,
  known: Known,
): PairedOperations {
  const likeness = new Likeness(own.schemas, theirs.schemas)
  const places = new Map(own.operations.map(one => [one, placesFor(one, theirs.operations, known)] as const))
  keepUsualPrefix(places, known)
  const taken = new Set<DocumentOperation>()
  const pairs = new Map<DocumentOperation, PairedOperation>()
  const take = (
    one: DocumentOperation,
    candidate: Candidate,
    isSure: boolean,
    why: string,
    others: readonly Candidate[] = [],
  ): void => {
    taken.add(candidate.theirs)
    const otherSegments = others.filter(other => other !== candidate).map(({segments}) => segments)
    pairs.set(one, {...candidate, own: one, isSure, why, otherSegments, isReachable: true})
  }
  const open = () => [...places].filter(([one]) => !pairs.has(one))
  const left = (candidates: readonly Candidate[]) => candidates.filter(one => !taken.has(one.theirs))

  for (const [one, candidates] of open()) {
    const exact = candidates.filter(candidate => candidate.isExact)
    const [only] = exact
    if (only === undefined || exact.length > 1) continue
    // Two services may use one neutral word differently. In that case, another path of this form is much more similar.
    const most = Math.max(...candidates.map(({theirs: it}) => likeness.of(one, it)))
    if (candidates.length === 1 || most - likeness.of(one, only.theirs) < CLEARLY)
      take(one, only, true, 'the same path')
  }
  for (const [one, candidates] of open()) {
    const [same, another] = left(candidates).filter(
      ({theirs: {operationId}}) => operationId !== undefined && operationId === one.operationId,
    )
    if (same !== undefined && another === undefined) take(one, same, true, 'the same id and form of path')
  }
  for (const [one, candidates] of open()) {
    const named = left(candidates).filter(({segments}) =>
      [...segments].every(([word, found]) => nameKey(word) === nameKey(found)),
    )
    const [only] = named
    if (only !== undefined && named.length === 1) take(one, only, true, 'the same path, written otherwise')
  }
  // Take the only operation with this form of path on both sides, otherwise the most similar one by far.
  const rivals = open().map(([one, candidates]) => ({one, candidates: left(candidates)}))
  for (const {one, candidates} of rivals) {
    const scored = candidates
      .map(candidate => ({candidate, score: likeness.of(one, candidate.theirs)}))
      .sort((a, b) => b.score - a.score)
    const [best, next] = scored
    if (best === undefined || taken.has(best.candidate.theirs)) continue
    const others = rivals
      .filter(
        rival => rival.one !== one && rival.candidates.some(({theirs: it}) => it === best.candidate.theirs),
      )
      .map(rival => likeness.of(rival.one, best.candidate.theirs))
    const second = Math.max(next?.score ?? 0, ...others)
    const isAlone = next === undefined && others.length === 0
    const isSure = isAlone ? best.score >= RESEMBLES : best.score >= ALIKE && best.score - second >= CLEARLY
    if (isSure) {
      take(
        one,
        best.candidate,
        true,
        isAlone ? 'the only path of this form' : 'a path of this form, and the same fields',
      )
    } else if (best.score >= RESEMBLES && best.score > Math.max(0, ...others)) {
      take(one, best.candidate, false, 'a path of this form, and similar fields', candidates)
    }
  }
  for (const [one] of open()) {
    const found = elsewhere(
      one,
      theirs.operations.filter(operation => !taken.has(operation)),
      likeness,
    )
    if (found === undefined) continue
    taken.add(found.theirs)
    pairs.set(one, {
      ...found,
      own: one,
      isSure: false,
      segments: new Map(),
      otherSegments: [],
      prefix: '',
      isReachable: false,
    })
  }
  return {
    pairs: own.operations.flatMap(one => pairs.get(one) ?? []),
    missing: own.operations.filter(one => !pairs.has(one)),
  }
}

/** Operations whose paths have the same form as one of ours, except for neutral segments. */
function placesFor(
  one: DocumentOperation,
  theirs: readonly DocumentOperation[],
  {words}: Known,
): Candidate[] {
  const steps = one.path.split('/')
  return theirs.flatMap(operation => {
    if (operation.method !== one.method) return []
    const found = operation.path.replace(/\/+$/, '').split('/')
    const extra = found.length - steps.length
    const prefix = found.slice(0, extra + 1)
    if (extra < 0 || prefix.some(isParameter)) return []
    const segments = new Map<string, string>()
    let isExact = true
    for (const [at, step] of steps.entries()) {
      const theirStep = found[at + extra] ?? ''
      if (at === 0) continue
      if (isNeutral(step)) {
        if (segments.has(step) && segments.get(step) !== theirStep) return []
        segments.set(step, theirStep)
        isExact &&= theirStep === step || (Object.hasOwn(words, step) && words[step] === theirStep)
      } else if (isParameter(step) ? !isParameter(theirStep) : step !== theirStep) return []
    }
    return [{theirs: operation, segments, prefix: prefix.join('/'), isExact}]
  })
}

/** The prefix for all paths of a group: the one that most of its operations have. */
function keepUsualPrefix(places: Map<DocumentOperation, Candidate[]>, {prefixes}: Known): void {
  const groups = new Set([...places.keys()].map(groupOf))
  for (const group of groups) {
    const members = [...places].filter(([one]) => groupOf(one) === group)
    const counts = new Map<string, number>()
    for (const [, candidates] of members) {
      for (const prefix of new Set(candidates.map(one => one.prefix)))
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
    }
    const preferred = [prefixes[group] ?? '', '', String(members[0]?.[0].extensions['x-prefix'] ?? '')]
    const most = Math.max(0, ...counts.values())
    const best = [...counts].filter(([, count]) => count === most).map(([prefix]) => prefix)
    const kept = preferred.find(prefix => best.includes(prefix)) ?? (best.length === 1 ? best[0] : undefined)
    for (const [one, candidates] of members) {
      places.set(
        one,
        candidates.filter(({prefix}) => prefix === kept),
      )
    }
  }
}

/** The operation that is similar to one of ours, but at a path that no word of a profile leads to. */
function elsewhere(
  one: DocumentOperation,
  theirs: readonly DocumentOperation[],
  likeness: Likeness,
): Pick<PairedOperation, 'theirs' | 'why'> | undefined {
  const byId = theirs.filter(
    ({method, operationId}) =>
      method === one.method && operationId !== undefined && operationId === one.operationId,
  )
  if (byId.length === 1 && byId[0] !== undefined) return {theirs: byId[0], why: 'the same id'}
  // Comparing fields is slow, so compare only operations with similar words.
  const scored = theirs
    .filter(({method}) => method === one.method)
    .map(operation => ({operation, words: wordLikeness(one, operation)}))
    .filter(({words}) => (1 + 2 * words) / 3 >= RESEMBLES)
    .map(({operation, words}) => ({operation, score: (likeness.of(one, operation) + 2 * words) / 3}))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scored
  if (best === undefined || best.score < RESEMBLES || best.score - (next?.score ?? 0) < CLEARLY)
    return undefined
  return {theirs: best.operation, why: 'similar words and fields'}
}

const known = new WeakMap<DocumentOperation, ReadonlySet<string>>()

/** The share of words in path, id and summary that both have, from 0 to 1. */
function wordLikeness(one: DocumentOperation, other: DocumentOperation): number {
  return dice(operationWords(one), operationWords(other))
}

function operationWords(operation: DocumentOperation): ReadonlySet<string> {
  const {path, operationId = '', summary = ''} = operation
  const words =
    known.get(operation) ?? new Set(wordsIn(`${path.replace(/\{[^}]*\}/g, '')} ${operationId} ${summary}`))
  known.set(operation, words)
  return words
}

/** The similarity of requests and responses: names and types of fields, and the rules for their values. */
class Likeness {
  readonly #own: Schemas
  readonly #theirs: Schemas
  readonly #known = new WeakMap<DocumentOperation, ReadonlySet<string>>()

  constructor(own: Schemas, theirs: Schemas) {
    this.#own = own
    this.#theirs = theirs
  }

  of(own: DocumentOperation, theirs: DocumentOperation): number {
    return dice(this.#signs(own, this.#own), this.#signs(theirs, this.#theirs))
  }

  #signs(operation: DocumentOperation, schemas: Schemas): ReadonlySet<string> {
    const known = this.#known.get(operation)
    if (known !== undefined) return known
    const signs = new Set<string>()
    const add = (side: string, schema: Schema | undefined, depth: number): void => {
      const shape = shapeOf(schema, schemas)
      if (depth === 0) signs.add(`${side} ${[...(shape.types ?? [])].sort().join()}`)
      if (shape.items !== undefined && depth < DEPTH) add(`${side}[]`, shape.items, depth + 1)
      let count = 0
      for (const [name, {schema: below}] of shape.members) {
        const {types, limits} = shapeOf(below, schemas)
        const facts = `${side} ${[...(types ?? [])].sort().join()} ${limits.pattern ?? ''} ${limits.format ?? ''} ${limits.maxLength ?? ''}`
        if (!isNeutral(name)) signs.add(`${side} ${nameKey(name)}`)
        for (let same = 0; ; same++) {
          if (signs.has(`${facts} ${same}`)) continue
          signs.add(`${facts} ${same}`)
          break
        }
        if (depth < DEPTH && ++count < WIDEST) add(`${side}/${nameKey(name)}`, below, depth + 1)
      }
    }
    add('takes', jsonOf(operation.body?.contents ?? [])?.schema, 0)
    add('answers', jsonOf(successOf(operation)?.contents ?? [])?.schema, 0)
    this.#known.set(operation, signs)
    return signs
  }
}

const DEPTH = 2
const WIDEST = 40

function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0
  const shared = [...one].filter(item => other.has(item)).length
  return (2 * shared) / (one.size + other.size)
}
