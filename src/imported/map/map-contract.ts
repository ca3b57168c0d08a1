import {neutralWords} from '../../profiles/index.ts'
import {holdsCardNumber} from '../../sensitive/card-number.ts'
import type {DocumentOperation, ImportedDocument, Schema} from '../document/document.ts'
import {shapeOf} from '../shapes.ts'
import {commandOfPointer} from '../stored-document.ts'
import type {MappedName} from './find-service.ts'
import {findService, type ServiceValues} from './find-service.ts'
import {type Evidence, type FixedField, gatherEvidence} from './gather-evidence.ts'
import {groupOf, type Known, type PairedOperation, pairOperations} from './pair-operations.ts'

export interface ContractMap {
  readonly names: readonly MappedName[]
  /** What a profile can't express, one line each. */
  readonly unsupported: readonly string[]
  /** What the document shows and only the user knows, one line each. */
  readonly open: readonly string[]
  readonly operations: {
    /** Number of built-in operations that the document has, if necessary under other names. */
    readonly reachable: number
    /** Number of built-in operations that the document has at a path that a profile can't express. */
    readonly elsewhere: number
    readonly missing: readonly string[]
  }
}

/** Finds a document's names for those words and paths of the built-in contract that a profile may rename. */
export function mapContract(
  own: ImportedDocument,
  theirs: ImportedDocument,
  known: Known & {readonly service?: ServiceValues},
): ContractMap {
  const {pairs, missing} = pairOperations(own, theirs, known)
  const {evidence, fixed} = gatherEvidence(pairs, {own: own.schemas, theirs: theirs.schemas})
  const taken = fieldNames(own)
  const words = withoutClashes(
    neutralWords.map(word =>
      wordOf(
        word,
        evidence.filter(one => one.word === word),
        known.words[word] ?? word,
        taken,
      ),
    ),
  )
  const elsewhere = pairs.filter(({isReachable}) => !isReachable)
  const service = findService(theirs, known.service ?? {})
  return {
    names: [...prefixesOf(pairs, known), ...words, ...service.names],
    open: service.open,
    unsupported: [...elsewhere.map(elsewhereLine), ...fixedLines(fixed)],
    operations: {
      reachable: pairs.length - elsewhere.length,
      elsewhere: elsewhere.length,
      missing: missing.map(operation => operation.operationId ?? requestOf(operation)),
    },
  }
}

const requestOf = ({method, path}: DocumentOperation): string => `${method} ${path}`

/** Whether a profile accepts the name as a word. A possible card number isn't accepted, and is never shown. */
const isWord = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/.test(name) && !holdsCardNumber(name)

function wordOf(
  word: string,
  evidence: readonly Evidence[],
  current: string,
  taken: ReadonlySet<string>,
): MappedName {
  const name = {kind: 'word', name: word, current, candidates: [], theirs: null} as const
  if (evidence.length === 0) return {...name, standing: 'absent', why: 'the document does not describe it'}
  const certain = [...new Set(evidence.filter(one => one.isSure).flatMap(({names}) => names[0] ?? []))]
  const all = [...new Set([...certain, ...evidence.flatMap(({names}) => names)])]
  const fits = (one: string): boolean => one === word || (isWord(one) && !taken.has(one))
  const candidates = all.filter(fits)
  const [only] = certain
  const unfit = all.find(one => !fits(one))
  if (only !== undefined && certain.length > 1) {
    const why = `several names: ${certain.filter(isWord).join(', ')}; a profile has one word for all places`
    return candidates.length === 0
      ? {...name, standing: 'impossible', why}
      : {...name, candidates, standing: 'unsure', why}
  }
  if (candidates.length === 0) {
    const why =
      unfit !== undefined && isWord(unfit)
        ? `called ${unfit}, which is another field of the contract: responses would be ambiguous`
        : 'its name is not allowed in a profile'
    return {...name, standing: 'impossible', why}
  }
  if (only === undefined) {
    // The user has already decided.
    if (current !== word && candidates.includes(current)) {
      return {...name, theirs: current, standing: 'same', why: 'the profile has it'}
    }
    const [first] = evidence
    return {...name, candidates, standing: 'unsure', why: first?.why ?? ''}
  }
  if (!fits(only)) {
    return {
      ...name,
      standing: 'impossible',
      why: `its name is not allowed in a profile`,
    }
  }
  // A place where this name is not possible makes it uncertain.
  const against = evidence.find(one => !one.names.includes(only))
  if (against !== undefined)
    return {...name, candidates, standing: 'unsure', why: `${against.place} has another name`}
  const why = evidence.find(one => one.isSure)?.why ?? ''
  if (only === current) return {...name, theirs: only, standing: 'same', why}
  if (current !== word) {
    return {
      ...name,
      candidates: [only, current],
      standing: 'unsure',
      why: `the profile has ${current} for it`,
    }
  }
  return {...name, theirs: only, standing: 'sure', why}
}

/** Two words must not get the same name. If they would, the user chooses. */
function withoutClashes(words: readonly MappedName[]): readonly MappedName[] {
  const meaning = ({theirs, current}: MappedName): string => theirs ?? current
  return words.map(word => {
    if (word.standing !== 'sure') return word
    const other = words.find(one => one.name !== word.name && meaning(one) === word.theirs)
    if (other === undefined) return word
    return {
      ...word,
      standing: 'unsure',
      theirs: null,
      candidates: [word.theirs ?? ''],
      why: `${other.name} would be called ${word.theirs} too: each needs a word of its own`,
    }
  })
}

function prefixesOf(pairs: readonly PairedOperation[], {prefixes}: Known): readonly MappedName[] {
  const groups = new Map<string, PairedOperation[]>()
  for (const pair of pairs.filter(({isReachable}) => isReachable)) {
    groups.set(groupOf(pair.own), [...(groups.get(groupOf(pair.own)) ?? []), pair])
  }
  return [...groups].map(([group, members]): MappedName => {
    const [{prefix} = {prefix: ''}] = members
    const current = prefixes[group] ?? ''
    const name = {kind: 'prefix', name: group, current, theirs: prefix, candidates: []} as const
    const count = `${members.length} ${members.length === 1 ? 'path begins' : 'paths begin'}`
    const why = prefix === '' ? 'the same paths' : `${count} with it`
    if (prefix === current) return {...name, standing: 'same', why}
    if (current !== '') {
      return {
        ...name,
        theirs: null,
        candidates: [prefix, current],
        standing: 'unsure',
        why: `the profile has ${current} for it`,
      }
    }
    const isSure = members.some(member => member.isSure)
    return isSure
      ? {...name, standing: 'sure', why}
      : {...name, theirs: null, candidates: [prefix], standing: 'unsure', why}
  })
}

function elsewhereLine({own, theirs, why}: PairedOperation): string {
  const command = commandOfPointer(theirs.pointer)
  const use = command === undefined ? 'import the document and use cardctl x' : `use cardctl ${command}`
  return `${requestOf(own)} is ${requestOf(theirs)} in the document (${why}): no word leads there; ${use}`
}

function fixedLines(fixed: readonly FixedField[]): readonly string[] {
  const byName = new Map<string, FixedField[]>()
  for (const member of fixed) {
    const line = `${member.name} ${member.theirs}`
    byName.set(line, [...(byName.get(line) ?? []), member])
  }
  return [...byName.values()].flatMap(members => {
    const [first] = members
    if (first === undefined || !isWord(first.theirs)) return []
    const more = members.length > 1 ? ` and ${members.length - 1} more` : ''
    return [`${first.name} is called ${first.theirs} at ${first.place}${more}: a profile can't rename it`]
  })
}

/** Names of all fields that the contract describes, except the neutral ones. */
export function fieldNames({operations, schemas}: ImportedDocument): ReadonlySet<string> {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const walk = (schema: Schema | undefined): void => {
    const shape = shapeOf(schema, schemas)
    const key = shape.name ?? schema
    if (key === undefined || seen.has(key)) return
    seen.add(key)
    walk(shape.items ?? true)
    for (const [name, {schema: below}] of shape.members) {
      if (!(neutralWords as readonly string[]).includes(name)) found.add(name)
      walk(below)
    }
  }
  for (const {body, replies} of operations) {
    for (const {schema} of [...(body?.contents ?? []), ...replies.flatMap(({contents}) => contents)])
      walk(schema)
  }
  return found
}
