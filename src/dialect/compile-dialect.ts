import type {Operation} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {nearestName} from '../errors/nearest-name.ts'
import {readExpression} from '../input/expression.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {checkKey} from './check-places.ts'
import {checkIds, checkMaps, checkShapes} from './check-shapes.ts'
import {checkVariant} from './check-variant.ts'
import type {Report, Step, Variant} from './dialect-file.ts'
import {
  type DialectFile,
  type Location,
  type MemberRule,
  routeOf,
  type Shape,
  type VariantFile,
} from './dialect-file.ts'

export type Compiled = {readonly cannot: string} | {readonly variants: readonly Variant[]}

export interface CompiledDialect {
  readonly file: DialectFile
  readonly operations: ReadonlyMap<string, Compiled>
  readonly searches: ReadonlyMap<string, (document: unknown) => unknown>
}

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
