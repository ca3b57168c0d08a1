import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {responseShapes} from '../contract/response-shapes.gen.ts'
import {requestSchema, schemaAt} from '../contract/schema.ts'
import type {Shape as Known} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import {pointerBelow} from '../contract/violation.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {readExpression} from '../input/expression.ts'
import {checkKey, checkPlaces} from './check-places.ts'
import {
  type DialectFile,
  type Location,
  type MemberRule,
  type Route,
  routeOf,
  type Shape,
  type ValueMap,
  type VariantFile,
} from './dialect-file.ts'
import {decimalsOf} from './forms.ts'
import {stepsOf} from './pointer.ts'

/** One of their requests; every location is a pointer into `{path, query, header, body}`. */
export interface Step {
  readonly route: Route
  readonly input: Shape
  readonly with: Readonly<Record<Location, unknown>>
  readonly envelope: Location
}

export interface Variant extends Step {
  readonly first?: Step
  readonly output: Shape | undefined
  readonly proof: readonly Location[]
  readonly pages: 'whole' | undefined
  readonly idempotent: boolean
  readonly key: Location | undefined
}

export type Compiled = {readonly cannot: string} | {readonly variants: readonly Variant[]}

export interface CompiledDialect {
  readonly file: DialectFile
  readonly operations: ReadonlyMap<string, Compiled>
  readonly searches: ReadonlyMap<string, (document: unknown) => unknown>
}

export type Report = (pointer: string, message: string, what?: 'key') => void

const table: Readonly<Record<string, Operation>> = operations

/** The operations that a dialect can speak of: those of the service, not the controls of the sandbox. */
const spoken = Object.values(table).filter(({group}) => group !== 'sandbox')

/** Checks what the schema can't, and resolves names. Reports everything that is wrong. */
export async function compileDialect(file: DialectFile, report: Report): Promise<CompiledDialect> {
  const compiled = new Map<string, Compiled>()
  checkShapes(file, report)
  checkKey(file.key, '/key', report)
  await checkIds(file, report)
  checkMaps(file, report)
  const searches = await expressionsIn(file, report)
  for (const [name, given] of Object.entries(file.operations)) {
    const pointer = pointerBelow('/operations', name)
    const named = operationsNamed(name)
    if (named.length === 0) {
      const near = nearestName(
        name,
        spoken.map(({id}) => id),
      )
      report(
        pointer,
        `there is no operation ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
        'key',
      )
      continue
    }
    if ('cannot' in given) {
      for (const {id} of named)
        if (id === name || !Object.hasOwn(file.operations, id)) compiled.set(id, {cannot: given.cannot})
      continue
    }
    const [operation] = named
    if (operation === undefined || name.endsWith('.*')) {
      report(pointer, 'several operations can only have the same cannot', 'key')
      continue
    }
    const list = [given].flat() as readonly VariantFile[]
    const variants: Variant[] = []
    for (const [at, variant] of list.entries()) {
      const place = Array.isArray(given) ? `${pointer}/${at}` : pointer
      const one = compileVariant(variant, file)
      await checkVariant(operation, variant, one, file, (inside, message, what) =>
        report(place + inside, message, what),
      )
      variants.push(one)
    }
    compiled.set(operation.id, {variants})
  }
  return {file, operations: compiled, searches}
}

/** Patterns run in linear time, and an id has to match as a whole. */
async function checkIds({ids = {}}: DialectFile, report: Report): Promise<void> {
  const {RE2JS} = await import('re2js')
  for (const [kind, pattern] of Object.entries(ids)) {
    try {
      RE2JS.compile(pattern)
    } catch {
      report(pointerBelow('/ids', kind), 'this is no regular expression that runs in linear time (RE2)')
    }
  }
}

/** The operation with an id, or all of `pricelists.*`; one of their own goes before them. */
function operationsNamed(name: string): readonly Operation[] {
  return name.endsWith('.*')
    ? spoken.filter(({id}) => id.startsWith(name.slice(0, -1)))
    : spoken.filter(({id}) => id === name)
}

/** `path:id` as a pointer into a request. */
export function requestPointer(location: Location): Location {
  const [, place, name] = /^(path|query|header):(.+)$/s.exec(location) ?? []
  return place === undefined || name === undefined ? `/body${location}` : pointerBelow(`/${place}`, name)
}

const inRequest = (shape: Shape = {}): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([ours, rule]) => {
      const {at, ...rest}: MemberRule = typeof rule === 'string' ? {at: rule} : rule
      return [requestPointer(ours), {...rest, ...(at !== undefined && {at: requestPointer(at)})}]
    }),
  )

const inResult = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([ours, rule]) =>
      typeof rule === 'string' || rule.input === undefined
        ? [ours, rule]
        : [ours, {...rule, input: requestPointer(rule.input)}],
    ),
  )

function compileVariant(variant: VariantFile, file: DialectFile): Variant {
  const step = (one: VariantFile | NonNullable<VariantFile['first']>): Step => ({
    route: routeOf(one.request),
    input: inRequest(one.input),
    with: Object.fromEntries(
      Object.entries(one.with ?? {}).map(([at, value]) => [requestPointer(at), value]),
    ),
    envelope: one.envelope ?? file.envelope ?? '',
  })
  const key = variant.key ?? file.key
  return {
    ...step(variant),
    ...(variant.first && {first: step(variant.first)}),
    output: variant.output && inResult(variant.output),
    proof: variant.proof ?? [],
    pages: variant.pages,
    idempotent: variant.idempotent ?? false,
    key: key && requestPointer(key),
  }
}

const READS: readonly string[] = ['GET', 'POST']

async function checkVariant(
  operation: Operation,
  written: VariantFile,
  variant: Variant,
  file: DialectFile,
  report: Report,
): Promise<void> {
  const {method} = variant.route
  if (operation.effect === 'read' && !READS.includes(method))
    report('/request', `${operation.id} only reads, and a ${method} does not`)
  if (operation.effect !== 'read' && method === 'GET')
    report('/request', `${operation.id} is no read, and a GET changes nothing`)
  const key = written.key ?? file.key
  checkPlaces(written, operation.effect === 'read' ? undefined : key, report)
  checkKey(written.key, '/key', report)
  if (written.first)
    checkPlaces(written.first, undefined, (inside, ...rest) => report(`/first${inside}`, ...rest))
  await checkInput(operation, written, file, report)
  checkOutput(operation, written, file, report)
  if (written.idempotent && variant.key === undefined)
    report('/idempotent', 'the key needs a place: key, here or at the top of the file')
}

async function checkInput(
  {id, pathParams, query, effect}: Operation,
  {input = {}, first}: VariantFile,
  file: DialectFile,
  report: Report,
): Promise<void> {
  const schema = await requestSchema(id as OperationId)
  for (const [prefix, shape] of [
    ['/input', input],
    ['/first/input', first?.input ?? {}],
  ] as const)
    for (const [location, rule] of Object.entries(shape)) {
      const pointer = pointerBelow(prefix, location)
      const [, place, name = ''] = /^(path|query):(.+)$/s.exec(location) ?? []
      const known = place === 'path' ? pathParams : query.map(one => one.name)
      if (place !== undefined) {
        if (!known.includes(name))
          report(pointer, unknownName(name, `${id} has no ${place} parameter`, known), 'key')
        continue
      }
      if (schema === undefined) report(pointer, `${id} takes no body`, 'key')
      else if (location !== '' && schemaAt(schema, plain(location)) === undefined)
        report(pointer, `${location} is no field of ${id}`, 'key')
      else if (effect !== 'read')
        checkKeys(schemaAt(schema, plain(location))?.enum, rule, file, pointer, report)
    }
}

/** A choice of an item is any item. */
const plain = (location: Location): string =>
  stepsOf(location)
    .map(step => (typeof step === 'string' ? step : '0'))
    .reduce(pointerBelow, '')

/** What our side of a map may have. */
function checkKeys(
  allowed: readonly unknown[] | undefined,
  rule: string | MemberRule,
  file: DialectFile,
  pointer: string,
  report: Report,
): void {
  if (typeof rule === 'string' || rule.values === undefined || allowed === undefined) return
  const map: ValueMap = typeof rule.values === 'string' ? (file.values?.[rule.values] ?? {}) : rule.values
  const names = allowed.map(String)
  for (const name of Object.keys(map))
    if (!names.includes(name)) report(`${pointer}/values`, unknownName(name, 'the field has no value', names))
}

function checkOutput(
  {id, needs = [], effect}: Operation,
  {output, proof, first}: VariantFile,
  file: DialectFile,
  report: Report,
): void {
  const known = responseShapes[id]
  for (const [location, rule] of Object.entries(output ?? {})) {
    const pointer = pointerBelow('/output', location)
    if (known !== undefined && !isKnown(known, location))
      report(pointer, `${location} is no field of the result of ${id}`, 'key')
    if (typeof rule !== 'string' && rule.first !== undefined && first === undefined)
      report(`${pointer}/first`, 'there is no read before it')
    if (typeof rule !== 'string') checkNames(rule, file, pointer, report)
    if (known !== undefined) checkOurValues(shapeAt(known, location), rule, file, pointer, report)
  }
  for (const need of needs) {
    const rule = output?.[need]
    if (rule === undefined && output?.[''] === undefined)
      report('/output', `a result needs ${need.slice(1).replaceAll('/', '.')}, and nothing is given for it`)
    const isAnswered = typeof rule === 'string' || rule?.at !== undefined || rule?.jmespath !== undefined
    if (rule !== undefined && !isAnswered && effect !== 'read' && proof === undefined)
      report(
        pointerBelow('/output', need),
        'this is not from their response to the request, so proof must name what is',
      )
  }
}

/** Our side of every map in a result, also of the shapes in it. */
function checkOurValues(
  known: Known | undefined,
  rule: string | MemberRule,
  file: DialectFile,
  pointer: string,
  report: Report,
): void {
  if (known === undefined || typeof rule === 'string') return
  const map = typeof rule.values === 'string' ? file.values?.[rule.values] : rule.values
  const fits =
    typeof known === 'object' && 'fits' in known
      ? (name: string) => known.fits.test(name)
      : typeof known === 'object' && 'values' in known
        ? (name: string) => known.values.includes(name)
        : () => true
  for (const name of Object.keys(map ?? {}))
    if (!fits(name)) report(`${pointer}/values`, `the field has no value ${name}`)
  const inner = rule.items ?? rule.shape
  const shape = typeof inner === 'string' ? file.shapes?.[inner] : inner
  const below =
    rule.items !== undefined && typeof known === 'object' && 'items' in known ? known.items : known
  for (const [location, one] of Object.entries(shape ?? {}))
    checkOurValues(
      shapeAt(below, location),
      one,
      file,
      typeof inner === 'object'
        ? `${pointer}/${rule.items ? 'items' : 'shape'}${pointerBelow('', location)}`
        : pointer,
      report,
    )
}

/** Of two values of ours that are one of theirs, only one could come back. */
function checkMaps({values = {}}: DialectFile, report: Report): void {
  for (const [name, map] of Object.entries(values)) {
    const seen = new Map<unknown, string>()
    for (const [ours, theirs] of Object.entries(map))
      for (const one of [theirs].flat()) {
        const before = seen.get(one)
        if (before !== undefined)
          report(
            pointerBelow(pointerBelow('/values', name), ours),
            `${String(one)} is there for ${before} too`,
          )
        seen.set(one, ours)
      }
  }
}

function shapeAt(shape: Known, location: Location): Known | undefined {
  let at: Known | undefined = shape
  for (const step of stepsOf(location)) {
    if (typeof at !== 'object') return undefined
    if ('items' in at) at = at.items
    else if ('members' in at && typeof step === 'string') at = at.members.get(step)
    else return undefined
  }
  return at
}

export function isKnown(shape: Known, location: Location): boolean {
  let at: Known | undefined = shape
  for (const step of stepsOf(location)) {
    if (typeof at !== 'object') return true
    if ('items' in at) at = at.items
    else if ('members' in at && typeof step === 'string') at = at.members.get(step)
    else return true
    if (at === undefined) return false
  }
  return true
}

/** The names of shapes and maps. A shape may not lead to itself. */
function checkShapes(file: DialectFile, report: Report): void {
  for (const [name, shape] of Object.entries(file.shapes ?? {})) {
    const pointer = pointerBelow('/shapes', name)
    if (leadsTo(name, shape, file, new Set())) report(pointer, 'this shape is a part of itself', 'key')
    checkRules(shape, file, pointer, report)
  }
  for (const side of ['call', 'answer'] as const)
    checkRules(file.webhook?.auth[side].members ?? {}, file, `/webhook/auth/${side}/members`, report)
  for (const [id, given] of Object.entries(file.operations)) {
    if ('cannot' in given) continue
    for (const [at, variant] of ([given].flat() as readonly VariantFile[]).entries()) {
      const pointer = pointerBelow('/operations', id) + (Array.isArray(given) ? `/${at}` : '')
      checkRules(variant.input ?? {}, file, `${pointer}/input`, report)
    }
  }
}

function checkRules(shape: Shape, file: DialectFile, pointer: string, report: Report): void {
  for (const [location, rule] of Object.entries(shape))
    if (typeof rule !== 'string') checkNames(rule, file, pointerBelow(pointer, location), report)
}

function checkNames(rule: MemberRule, file: DialectFile, pointer: string, report: Report): void {
  const {values, items, shape, as, currency, exponent} = rule
  if (typeof values === 'string' && file.values?.[values] === undefined)
    report(`${pointer}/values`, unknownName(values, 'there is no map', Object.keys(file.values ?? {})))
  for (const [what, name] of [
    ['items', items],
    ['shape', shape],
  ] as const) {
    if (typeof name === 'string' && file.shapes?.[name] === undefined)
      report(`${pointer}/${what}`, unknownName(name, 'there is no shape', Object.keys(file.shapes ?? {})))
    if (typeof name === 'object') checkRules(name, file, `${pointer}/${what}`, report)
  }
  if (currency !== undefined && /^[A-Z]+$/.test(currency) && decimalsOf(currency) === undefined)
    report(`${pointer}/currency`, `${currency} is no currency of ISO 4217 with a minor unit`)
  if (as === 'minor' && currency === undefined && exponent === undefined)
    report(`${pointer}/as`, 'minor units need a currency or an exponent')
}

const unknownName = (name: string, message: string, known: Iterable<string>): string => {
  const near = nearestName(name, known)
  return `${message} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function leadsTo(name: string, shape: Shape, file: DialectFile, seen: Set<string>): boolean {
  return Object.values(shape).some(rule => {
    if (typeof rule === 'string') return false
    return [rule.items, rule.shape].some(next => {
      if (next === undefined || next === name) return next === name
      if (typeof next === 'object') return leadsTo(name, next, file, seen)
      if (seen.has(next)) return false
      seen.add(next)
      return leadsTo(name, file.shapes?.[next] ?? {}, file, seen)
    })
  })
}

async function expressionsIn(file: DialectFile, report: Report): Promise<CompiledDialect['searches']> {
  const searches = new Map<string, (document: unknown) => unknown>()
  const visit = async (value: unknown, pointer: string): Promise<void> => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inside] of Object.entries(value)) {
      const at = pointerBelow(pointer, name)
      if (name === 'jmespath' && typeof inside === 'string') {
        const expression = await readExpression(inside)
        if (typeof expression === 'string') report(at, `the expression is wrong: ${expression}`)
        else searches.set(inside, document => expression.search(document))
      } else await visit(inside, at)
    }
  }
  await visit(file.shapes, '/shapes')
  await visit(file.operations, '/operations')
  await visit(file.webhook, '/webhook')
  return searches
}
