import {isObject} from '../../errors/is-object.ts'
import {headerProblem} from '../../profiles/index.ts'
import {jsonOf, successOf} from '../compare/compare-operations.ts'
import type {DocumentParameter, ImportedDocument, Schema} from '../document/document.ts'
import {type Schemas, shapeOf} from '../shapes.ts'

/**
 * `same`: the profile already has the document's name. `sure`: the document certainly has another name. `unsure`: the
 * user must choose. `impossible`: the document has another name, which a profile can't express. `absent`: the document
 * doesn't describe it.
 */
export type NameStanding = 'same' | 'sure' | 'unsure' | 'impossible' | 'absent'

/** The document's name for something that a profile may rename. */
export interface MappedName {
  readonly kind: 'word' | 'prefix' | 'service'
  /** The word of the built-in contract, the group that the prefix is for, or the setting: `envelope`, `error.code` … */
  readonly name: string
  /** The current value in the profile. Default: the word itself, or no prefix. */
  readonly current: string
  readonly standing: NameStanding
  /** The document's name, if known. */
  readonly theirs: string | null
  /** Possible names if the user must choose, the best first. */
  readonly candidates: readonly string[]
  readonly why: string
}

/** How a service talks, by the names of the settings below `service`: `envelope`, `error.code`, `headers.X-Version`. */
export type ServiceValues = Readonly<Record<string, string>>

interface FoundService {
  readonly names: readonly MappedName[]
  /** What the document shows and only the user knows, one line each. */
  readonly open: readonly string[]
}

/** A share of the operations that is the manner of the whole service, and one that may be. */
const MOST = 0.8
const MANY = 0.4
/** Fewer operations show no manner. */
const FEWEST = 3

/** What a document shows of the manner in which the service talks. */
export function findService(document: ImportedDocument, current: ServiceValues): FoundService {
  const headers = headersOf(document)
  const found = [
    ...envelopeOf(document),
    ...errorPartsOf(document),
    ...headers.flatMap(({name}) => name ?? []),
  ]
  return {
    names: found.map(one => standingOf(one, current)),
    open: [...headers.flatMap(({open}) => open ?? []), ...acceptedLines(document)],
  }
}

interface Found {
  readonly name: string
  readonly values: readonly string[]
  readonly isSure: boolean
  readonly why: string
}

function standingOf({name, values, isSure, why}: Found, settings: ServiceValues): MappedName {
  const current = settings[name] ?? ''
  const [best = ''] = values
  const mapped = {kind: 'service', name, current, candidates: [], why} as const
  if (values.includes(current))
    return {...mapped, theirs: current, standing: 'same', why: 'the profile has it'}
  if (isSure && current === '') return {...mapped, theirs: best, standing: 'sure'}
  return {...mapped, theirs: null, candidates: values, standing: 'unsure'}
}

/** Values by how often they occur, the most frequent first, with the share of the whole. */
function shares(
  found: readonly string[],
  whole: number,
): readonly {readonly value: string; readonly share: number}[] {
  const counts = new Map<string, number>()
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({value, share: count / whole}))
    .sort((a, b) => b.share - a.share)
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

const ENVELOPE = /^(?:data|results?|response|payload|content)$/i

function envelopeOf({operations, schemas}: ImportedDocument): Found[] {
  const answers = operations.flatMap(operation => {
    const schema = jsonOf(successOf(operation)?.contents ?? [])?.schema
    return schema === undefined ? [] : [shapeOf(schema, schemas)]
  })
  const wrapped = answers.flatMap(({members}) =>
    [...members].flatMap(([name, {schema}]) => {
      const {types, members: inner, items} = shapeOf(schema, schemas)
      const holds = inner.size > 0 || items !== undefined || types?.has('object') || types?.has('array')
      return holds && ENVELOPE.test(name) ? [`/${name}`] : []
    }),
  )
  const [first] = shares(wrapped, answers.length)
  if (first === undefined || answers.length < FEWEST || first.share < MANY) return []
  const why = `${percent(first.share)} of the responses have their content there`
  return [{name: 'envelope', values: [first.value], isSure: first.share >= MOST, why}]
}

/** Names for the parts of an error, the best first. */
const PARTS = {
  code: /^(?:error_?)?code$/i,
  message: /^(?:error_?)?(?:message|description|detail|title)$/i,
  field: /^(?:field|param|parameter|pointer|path|property)$/i,
}
const HOLDERS = /^(?:errors?|fault|problem)$/i

function errorPartsOf({operations, schemas}: ImportedDocument): Found[] {
  const errors = operations.flatMap(({replies}) =>
    replies
      .filter(({status}) => /^[45]|^default$/.test(status))
      .flatMap(({contents}) => {
        const schema = jsonOf(contents)?.schema
        return schema === undefined ? [] : [schema]
      }),
  )
  if (errors.length < FEWEST) return []
  const places = errors.map(schema => partsIn(schema, schemas))
  return (['code', 'message', 'field'] as const).flatMap(part => {
    const [first] = shares(
      places.flatMap(one => one[part] ?? []),
      errors.length,
    )
    if (first === undefined || first.share < MANY) return []
    const why = `${percent(first.share)} of the errors have it there`
    return [{name: `error.${part}`, values: [first.value], isSure: first.share >= MOST, why}]
  })
}

function partsIn(schema: Schema, schemas: Schemas): Partial<Record<keyof typeof PARTS, string>> {
  const found: Partial<Record<keyof typeof PARTS, string>> = {}
  const look = (at: Schema | undefined, before: string, depth: number): void => {
    const {members} = shapeOf(at, schemas)
    // RFC 9457 is what errors have anyway.
    if (members.has('title') && (members.has('detail') || members.has('status'))) return
    for (const part of ['code', 'message', 'field'] as const) {
      const name = [...members.keys()].find(one => PARTS[part].test(one))
      if (name !== undefined) found[part] ??= `${before}/${name}`
    }
    if (depth > 1) return
    for (const [name, {schema: inner}] of members) {
      if (!HOLDERS.test(name)) continue
      const {items} = shapeOf(inner, schemas)
      look(items ?? inner, `${before}/${name}${items === undefined ? '' : '/*'}`, depth + 1)
    }
  }
  look(schema, '', 0)
  return found
}

interface HeaderFinding {
  readonly name?: Found
  readonly open?: string
}

/** Headers that most operations require, and whose value the document may know. */
function headersOf({operations, schemas}: ImportedDocument): readonly HeaderFinding[] {
  const required = operations.flatMap(({parameters}) =>
    parameters.filter(
      one =>
        one.in === 'header' &&
        one.required &&
        headerProblem(one.name, {}) === undefined &&
        !KEY.test(one.name),
    ),
  )
  const byName = Map.groupBy(required, ({name}) => name.toLowerCase())
  return [...byName.values()].flatMap((same): readonly HeaderFinding[] => {
    const [{name} = {name: ''}] = same
    const share = same.length / operations.length
    if (operations.length < FEWEST || share < MANY) return []
    const values = [...new Set(same.flatMap(one => valuesOf(one, schemas)))]
    const why = `${percent(share)} of the operations require this header`
    if (values.length === 0)
      return [
        {
          open: `${name}: ${why}. Give its value with profiles edit NAME --header ${name}=VALUE, or env:NAME if it is secret`,
        },
      ]
    return [{name: {name: `headers.${name}`, values, isSure: share >= MOST && values.length === 1, why}}]
  })
}

const KEY = /idempoten/i

function valuesOf({schema}: DocumentParameter, schemas: Schemas): readonly string[] {
  const {values, limits} = shapeOf(schema, schemas)
  const usual = isObject(limits) ? limits.default : undefined
  return (values ?? (usual === undefined ? [] : [usual])).flatMap(value =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  )
}

function acceptedLines({operations}: ImportedDocument): readonly string[] {
  const count = operations.filter(({replies}) =>
    replies.some(({status, headers}) => status === '202' && headers.includes('location')),
  ).length
  if (count === 0) return []
  return [
    `${count} ${count === 1 ? 'operation answers' : 'operations answer'} 202 with an address in Location. Say how to read it with profiles edit NAME --accepted-state, --accepted-done and --accepted-failed`,
  ]
}
