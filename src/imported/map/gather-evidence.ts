import {neutralWords} from '../../profiles/index.ts'
import {jsonOf, successOf} from '../compare/compare-operations.ts'
import type {Schema} from '../document/document.ts'
import {type SchemaShape, type Schemas, shapeOf} from '../shapes.ts'
import type {PairedOperation} from './pair-operations.ts'
import {nameKey, wordsIn} from './words.ts'

/** What one place of a document says about a word of the built-in contract. */
export interface Evidence {
  readonly word: string
  /** `GET /v4/{id} answers /pinBlock`. */
  readonly place: string
  /** Possible names in the document, the best first. The word itself if the document uses it unchanged. */
  readonly names: readonly string[]
  /** Whether the first name is certain. */
  readonly isSure: boolean
  /** Continues a sentence after the name: `written otherwise`. */
  readonly why: string
}

/** A field that has another name in the document. No setting of a profile can rename it. */
export interface FixedField {
  readonly place: string
  readonly name: string
  readonly theirs: string
}

interface Gathered {
  readonly evidence: readonly Evidence[]
  readonly fixed: readonly FixedField[]
}

interface Documents {
  readonly own: Schemas
  readonly theirs: Schemas
}

const DEEPEST = 12
const MOST_NAMES = 6

const isNeutral = (name: string): boolean => (neutralWords as readonly string[]).includes(name)

/** What the pairs of operations say about each word, from path segments and from fields of bodies. */
export function gatherEvidence(pairs: readonly PairedOperation[], documents: Documents): Gathered {
  const evidence: Evidence[] = []
  const fixed: FixedField[] = []
  const seen = new Set<string>()
  for (const pair of pairs) {
    evidence.push(...segmentEvidence(pair, documents.theirs))
    const {own, theirs} = pair
    const title = `${own.method} ${own.path}`
    const walk = (side: string, before: Schema | undefined, after: Schema | undefined): void => {
      if (before === undefined || after === undefined) return
      for (const found of objectsOf(before, after, documents)) {
        // A pair of named schemas gives the same evidence everywhere, so it is compared only once.
        const name = found.key === undefined ? undefined : `${found.key} ${pair.isSure && pair.isReachable}`
        if (name !== undefined && seen.has(name)) continue
        if (name !== undefined) seen.add(name)
        const place = `${title} ${side} ${found.pointer}`.trimEnd()
        const compared = compareObject(found, documents)
        fixed.push(...compared.fixed.map(member => ({...member, place})))
        evidence.push(
          ...compared.evidence.map(one => ({
            ...one,
            place,
            isSure: one.isSure && pair.isSure && pair.isReachable,
          })),
        )
      }
    }
    walk('takes', jsonOf(own.body?.contents ?? [])?.schema, jsonOf(theirs.body?.contents ?? [])?.schema)
    walk(
      'answers',
      jsonOf(successOf(own)?.contents ?? [])?.schema,
      jsonOf(successOf(theirs)?.contents ?? [])?.schema,
    )
  }
  return {evidence, fixed}
}

function segmentEvidence(
  {own, theirs, isSure, why, segments, otherSegments}: PairedOperation,
  schemas: Schemas,
): Evidence[] {
  return [...segments].map(([word, found]) => {
    const place = `${own.method} ${own.path}`
    const [, parameter] = /^\{(.*)\}$/.exec(found) ?? []
    if (parameter === undefined) {
      const others = otherSegments.flatMap(other => other.get(word) ?? [])
      return {word, place, names: [found, ...new Set(others)], isSure, why}
    }
    const schema = theirs.parameters.find(one => one.in === 'path' && one.name === parameter)?.schema
    const values = shapeOf(schema, schemas).values ?? []
    return {
      word,
      place,
      names: values.map(String),
      isSure: false,
      why: `a value of the parameter ${parameter}`,
    }
  })
}

interface FoundObject {
  readonly pointer: string
  readonly own: SchemaShape
  readonly theirs: SchemaShape
  /** Identifies the pair of schemas, if both have names. */
  readonly key: string | undefined
}

/** Objects at the same place in both schemas. */
function* objectsOf(before: Schema, after: Schema, documents: Documents): Generator<FoundObject> {
  const waiting: [pointer: string, before: Schema, after: Schema, depth: number][] = [['', before, after, 0]]
  const seen = new Set<string>()
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [pointer, one, other, depth] = next
    const own = shapeOf(one, documents.own)
    const theirs = shapeOf(other, documents.theirs)
    const key = own.name === undefined || theirs.name === undefined ? undefined : `${own.name} ${theirs.name}`
    if (depth > DEEPEST || (key !== undefined && seen.has(key))) continue
    if (key !== undefined) seen.add(key)
    if (own.items !== undefined && theirs.items !== undefined) {
      waiting.push([`${pointer}/*`, own.items, theirs.items, depth + 1])
    }
    if (own.members.size === 0 || theirs.members.size === 0) continue
    yield {pointer, own, theirs, key}
    const byKey = new Map([...theirs.members].map(([name, {schema}]) => [nameKey(name), schema]))
    for (const [name, {schema}] of own.members) {
      const found = theirs.members.get(name)?.schema ?? byKey.get(nameKey(name))
      if (found !== undefined) waiting.push([`${pointer}/${name}`, schema, found, depth + 1])
    }
  }
}

interface Member {
  readonly name: string
  readonly shape: SchemaShape
  readonly required: boolean
}

function compareObject(
  {own, theirs}: FoundObject,
  documents: Documents,
): {evidence: Omit<Evidence, 'place'>[]; fixed: Omit<FixedField, 'place'>[]} {
  const evidence: Omit<Evidence, 'place'>[] = []
  const fixed: Omit<FixedField, 'place'>[] = []
  let ours = fieldsOf(own, documents.own)
  let others = fieldsOf(theirs, documents.theirs)
  const settle = (one: Member, other: Member, why: string): void => {
    ours = ours.filter(member => member !== one)
    others = others.filter(member => member !== other)
    if (isNeutral(one.name)) evidence.push({word: one.name, names: [other.name], isSure: true, why})
    else if (one.name !== other.name) fixed.push({name: one.name, theirs: other.name})
  }
  // The name may now belong to another field: equal rules count more than equal names.
  const isElsewhere = (one: Member, named: Member): boolean =>
    isNeutral(one.name) && !areTwins(one, named) && others.some(other => areTwins(one, other))
  for (const one of ours) {
    const same = others.find(({name}) => name === one.name)
    if (same !== undefined && takesAlike(one, same) && !isElsewhere(one, same))
      settle(one, same, 'the same name')
  }
  for (const one of ours) {
    const named = others.filter(({name}) => nameKey(name) === nameKey(one.name))
    const [only] = named
    if (only === undefined || named.length > 1 || !takesAlike(one, only) || isElsewhere(one, only)) continue
    settle(one, only, 'the same name, written otherwise')
  }
  for (const one of ours) {
    const twins = others.filter(other => areTwins(one, other))
    const [only] = twins
    if (only === undefined || twins.length > 1 || ours.some(it => it !== one && areTwins(it, only))) continue
    settle(one, only, 'the same place, and the same rules for its value')
  }
  for (const one of ours) {
    if (!isNeutral(one.name)) continue
    const names = others
      .filter(other => takesAlike(one, other))
      .map(other => ({name: other.name, likeness: likenessOf(one, other)}))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MOST_NAMES)
      .map(({name}) => name)
    if (names.length > 0)
      evidence.push({word: one.name, names, isSure: false, why: 'the same place, and the same type'})
  }
  return {evidence, fixed}
}

const fieldsOf = (shape: SchemaShape, schemas: Schemas): readonly Member[] =>
  [...shape.members].map(([name, {schema, required}]) => ({name, required, shape: shapeOf(schema, schemas)}))

/** Whether a value could be valid for both. Ignores null, because absent values may be null. */
function takesAlike({shape: one}: Member, {shape: other}: Member): boolean {
  const types = (shape: SchemaShape) => [...(shape.types ?? [])].filter(type => type !== 'null')
  const [mine, yours] = [types(one), types(other)]
  if (mine.length > 0 && yours.length > 0 && !mine.some(type => yours.includes(type))) return false
  const {format: own} = one.limits
  const {format: theirs} = other.limits
  return own === undefined || theirs === undefined || own === theirs
}

/** Keywords that describe a value, and how unlikely it is that two fields share them by chance. */
const TELLING: Readonly<Record<string, number>> = {
  pattern: 2,
  description: 2,
  example: 2,
  format: 1,
  minLength: 0.5,
  maxLength: 1.5,
  minimum: 0.5,
  maximum: 1.5,
  minItems: 0.5,
  maxItems: 1,
  default: 1,
}
const ENOUGH = 2

/** Whether both describe their values in the same way, with enough details to rule out chance. */
function areTwins(one: Member, other: Member): boolean {
  if (!takesAlike(one, other) || JSON.stringify(one.shape.values) !== JSON.stringify(other.shape.values))
    return false
  let weight = (one.shape.values?.length ?? 0) > 1 ? 2 : 0
  for (const [keyword, worth] of Object.entries(TELLING)) {
    const [mine, yours] = [one.shape.limits[keyword], other.shape.limits[keyword]]
    if (mine === undefined && yours === undefined) continue
    if (JSON.stringify(mine) === JSON.stringify(yours)) weight += worth
    // A description may change, a rule for the value may not.
    else if (keyword !== 'description' && keyword !== 'example') return false
  }
  return weight >= ENOUGH
}

/** Ranks candidates by shared words, shared rules, and whether both are required. */
function likenessOf(one: Member, other: Member): number {
  const [mine, yours] = [new Set(wordsIn(one.name)), wordsIn(other.name)]
  const words = yours.filter(word => mine.has(word)).length / Math.max(mine.size, yours.length, 1)
  const rules = Object.keys(TELLING).filter(
    keyword =>
      one.shape.limits[keyword] !== undefined &&
      JSON.stringify(one.shape.limits[keyword]) === JSON.stringify(other.shape.limits[keyword]),
  ).length
  return 2 * words + rules + (one.required === other.required ? 0.5 : 0)
}
