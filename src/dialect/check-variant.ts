import type {Operation} from '../contract/operation.ts'
import {responseShapes} from '../contract/response-shapes.gen.ts'
import {requestSchema, schemaAt} from '../contract/schema.ts'
import type {Shape as Known} from '../contract/shape.ts'
import type {OperationId} from '../contract/types.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {checkKey, checkPlaces} from './check-places.ts'
import {checkNames, unknownName} from './check-shapes.ts'
import type {
  DialectFile,
  Location,
  MemberRule,
  Report,
  ValueMap,
  Variant,
  VariantFile,
} from './dialect-file.ts'
import {shapeAt} from './known-shape.ts'
import {stepsOf} from './pointer.ts'

const READS: readonly string[] = ['GET', 'POST']

export async function checkVariant(
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
    if (known !== undefined && shapeAt(known, location) === undefined)
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
