import type {Operation} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import {jsonOf, successOf} from '../compare/compare-operations.ts'
import type {ImportedDocument} from '../document/document.ts'
import type {MappedName} from '../map/find-service.ts'
import {findService} from '../map/find-service.ts'
import {shapeOf} from '../shapes.ts'
import {conceptsOf} from './concepts.ts'
import type {
  DraftDialect,
  DraftLine,
  DraftOperation,
  DraftRequest,
  DraftSetting,
  Standing,
} from './draft-form.ts'
import {membersOf} from './members.ts'
import {pagingLines} from './paging.ts'
import {pairMembers} from './pair-members.ts'
import {bodyOf, type FoundRequest, requestsFor, type Wanted, wantedOf} from './pair-requests.ts'

/** Documents that are compared: the built-in contract, and one of a service. */
interface Documents {
  readonly own: ImportedDocument
  readonly theirs: ImportedDocument
}

/** How a service may carry out the operations of the built-in contract, as far as its document tells. */
export function draftDialect(own: ImportedDocument, theirs: ImportedDocument): DraftDialect {
  const settings = settingsOf(theirs)
  const envelope = settings.find(({name}) => name === 'envelope')
  const where = envelope?.standing === 'sure' && typeof envelope.value === 'string' ? envelope.value : ''
  const shapes = new Shapes()
  const drafted: DraftOperation[] = []
  const missing: string[] = []
  const ids = new Map<string, Set<string>>()
  for (const one of own.operations) {
    const table: Readonly<Record<string, Operation>> = operations
    const operation = table[one.operationId ?? '']
    if (operation === undefined || operation.deprecated || operation.group === 'sandbox') continue
    const wanted = wantedOf(operation, one, own.schemas)
    const found = requestsFor(wanted, theirs, where)
    const requests = chosen(wanted, found).map(request =>
      requestOf(wanted, request, {own, theirs}, {shapes, envelope: where}),
    )
    if (requests.length === 0) missing.push(operation.id)
    else drafted.push({id: operation.id, requests})
    for (const request of found.filter(({isSure}) => isSure)) noteIds(wanted, request, theirs, ids)
  }
  return {
    settings,
    ids: [...ids].flatMap(([kind, patterns]) => {
      const [pattern, another] = [...patterns]
      return pattern === undefined || another !== undefined
        ? []
        : [{kind, pattern, why: 'the pattern of its parameter'}]
    }),
    shapes: shapes.lines,
    operations: drafted,
    missing,
  }
}

function settingsOf(document: ImportedDocument): readonly DraftSetting[] {
  const {names} = findService(document, {})
  const named = (name: string) => names.find(one => one.name === name)
  const [envelope, code, message] = [named('envelope'), named('error.code'), named('error.message')]
  const writes = document.operations.filter(({method}) => /^(?:POST|PUT|PATCH)$/.test(method))
  const keys = writes.flatMap(({parameters}) =>
    parameters.filter(one => one.in === 'header' && /idempoten/i.test(one.name)).map(({name}) => name),
  )
  const [key] = keys
  const isOne = new Set(keys.map(name => name.toLowerCase())).size === 1
  const best = (one: MappedName | undefined): string => one?.theirs ?? one?.candidates[0] ?? ''
  const standing = (isSure: boolean): Standing => (isSure ? 'sure' : 'unsure')
  const found: DraftSetting[] = []
  if (envelope)
    found.push({
      name: 'envelope',
      value: best(envelope),
      standing: standing(envelope.standing === 'sure'),
      why: envelope.why,
    })
  if (key !== undefined)
    found.push({
      name: 'key',
      value: `header:${key}`,
      standing: standing(isOne && keys.length * 2 >= writes.length),
      why: `a header of ${keys.length} of ${writes.length} writes`,
    })
  // A dialect has no place in a list of errors.
  const isPlain = (one: MappedName | undefined): boolean => one !== undefined && !best(one).includes('*')
  if (code && isPlain(code))
    found.push({
      name: 'errors',
      value: {code: best(code), ...(isPlain(message) && {message: best(message)})},
      standing: standing(code.standing === 'sure'),
      why: code.why,
    })
  return found
}

/** For a change of ours that they do in several requests, all of those; else the surest. */
function chosen({operation, about}: Wanted, found: readonly FoundRequest[]): readonly FoundRequest[] {
  const sure = found.filter(({isSure}) => isSure)
  if (operation.method === 'PATCH' && sure.length > 0) return sure
  const [first, second] = found
  if (first === undefined) return []
  const size = ({theirs}: FoundRequest): number =>
    theirs.path.split('/').filter(step => [...conceptsOf(step)].some(word => !about.has(word))).length
  const isRival = second !== undefined && second.isSure === first.isSure && size(second) === size(first)
  return [
    isRival
      ? {...first, isSure: false, why: `${first.why}; so does ${second.theirs.method} ${second.theirs.path}`}
      : first,
  ]
}

interface Around {
  readonly shapes: Shapes
  readonly envelope: string
}

function requestOf(
  wanted: Wanted,
  found: FoundRequest,
  {own, theirs}: Documents,
  {shapes, envelope}: Around,
): DraftRequest {
  const {operation, about, own: ours, isList} = wanted
  const bodies = {own: own.schemas, theirs: theirs.schemas, about}
  const ids = [...found.places].map(
    ([name, at]): DraftLine => ({
      ours: `path:${name}`,
      at,
      rule: {},
      standing: 'sure',
      why: 'the same id',
      others: [],
    }),
  )
  const theirMembers = membersOf(bodyOf(found.theirs), theirs.schemas, about)
  const used = new Set(found.places.values())
  const fields = pairMembers(
    membersOf(bodyOf(ours), own.schemas, about),
    theirMembers.filter(({pointer}) => !used.has(pointer)),
    bodies,
  )
  const paging = pagingLines(operation, found.theirs, theirs.schemas)
  const input = [...ids, ...paging.lines, ...fields]
  const required = [
    ...theirMembers.filter(({required, kind}) => required && kind !== 'object').map(({pointer}) => pointer),
    ...found.theirs.parameters
      .filter(one => one.required && one.in === 'query')
      .map(({name}) => `query:${name}`),
  ]
  const reply = jsonOf(successOf(ours)?.contents ?? [])?.schema
  const ourResult = shapeOf(reply, own.schemas)
  const theirResult = shapeOf(found.result, theirs.schemas)
  const lines = pairMembers(
    membersOf(isList ? ourResult.items : reply, own.schemas, about),
    membersOf(found.result, theirs.schemas, about),
    bodies,
  )
  const isWhole = isList || operation.effect === 'read'
  const name = isWhole
    ? shapes.add(shapeOf(isList ? ourResult.items : reply, own.schemas).name, theirResult.name, lines)
    : undefined
  const output: readonly DraftLine[] =
    name === undefined
      ? lines
      : [
          {
            ours: '',
            at: '',
            rule: isList ? {items: lines, shape: name} : {shape: name},
            standing: 'sure',
            why: 'its members are in shapes',
            others: [],
          },
        ]
  return {
    request: `${found.theirs.method} ${found.theirs.path}`,
    standing: found.isSure ? 'sure' : 'unsure',
    why: found.why,
    ...(found.envelope === envelope ? {} : {envelope: found.envelope}),
    isPerhapsWhole: paging.isWhole,
    input,
    required,
    output,
    needs: operation.needs ?? [],
    isOpenList: operation.paging !== undefined,
  }
}

/** Shapes by the names of both schemas: each pair is written, and asked about, once. */
class Shapes {
  readonly lines = new Map<string, readonly DraftLine[]>()
  readonly #names = new Map<string, string>()

  add(own: string | undefined, theirs: string | undefined, lines: readonly DraftLine[]): string {
    const key = JSON.stringify([own, theirs ?? lines.map(({at}) => at)])
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const base = own ?? 'result'
    const count = [...this.lines.keys()].filter(name => name === base || name.startsWith(`${base} `)).length
    const name = count === 0 ? base : `${base} ${count + 1}`
    this.#names.set(key, name)
    this.lines.set(name, lines)
    return name
  }
}

const KINDS: Readonly<Record<string, string>> = {
  card: 'card',
  account: 'account',
  customer: 'customer',
  transfer: 'batch',
  plastic: 'plastic',
}

/** The pattern of the ids that a request takes. */
function noteIds(
  {selectors}: Wanted,
  {theirs, places}: FoundRequest,
  {schemas}: ImportedDocument,
  ids: Map<string, Set<string>>,
): void {
  for (const [name, words] of selectors) {
    const [, place, at] = /^(path|query):(.+)$/s.exec(places.get(name) ?? '') ?? []
    const kind = KINDS[[...words].join(' ')]
    const schema = theirs.parameters.find(one => one.in === place && one.name === at)?.schema
    const {pattern, format} = shapeOf(schema, schemas).limits
    const written = format === 'uuid' ? '^[0-9a-fA-F-]{36}$' : pattern
    if (kind !== undefined && typeof written === 'string')
      ids.set(kind, (ids.get(kind) ?? new Set()).add(written))
  }
}
