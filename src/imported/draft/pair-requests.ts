import type {Operation} from '../../contract/operation.ts'
import {jsonOf, successOf} from '../compare/compare-operations.ts'
import type {DocumentOperation, ImportedDocument, Schema} from '../document/document.ts'
import {type Schemas, shapeOf} from '../shapes.ts'
import {conceptsOf, NOISE, strongIn} from './concepts.ts'
import {doubtsOfWords} from './own-words.ts'

/** What an operation of ours is about: the words that one of theirs must have, and those that it may have. */
export interface Wanted {
  readonly operation: Operation
  readonly own: DocumentOperation
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
  /** What the members of our request speak of: a path may speak of one of them. */
  readonly fields: readonly ReadonlySet<string>[]
  /** What each path parameter of ours is an id of. */
  readonly selectors: ReadonlyMap<string, ReadonlySet<string>>
  readonly about: ReadonlySet<string>
  readonly isList: boolean
}

/** A request of theirs that may carry out an operation of ours. */
export interface FoundRequest {
  readonly theirs: DocumentOperation
  /** Their place of each path parameter of ours: `path:card_id`. */
  readonly places: ReadonlyMap<string, string>
  readonly isSure: boolean
  readonly why: string
  /** Where its result is. */
  readonly envelope: string
  readonly result: Schema | undefined
}

const TOPICS: Readonly<Record<string, readonly string[]>> = {
  cards: ['card'],
  accounts: ['account'],
  a2a: ['transfer'],
  pricelists: ['price', 'list'],
  pin: ['pin'],
  pincontrol: ['pin'],
  wallets: ['wallet'],
  remotecheckout: ['remote', 'checkout'],
}
/** Words of our paths that say nothing there: versions, and the types of accounts that most services have. */
const OURS_ALONE = /^(?:v\d+|a2a|CREDIT|DEBIT|PREPAID|NETWORK_A|remotecheckout|pricelist)$/

const wordsOf = (segments: readonly string[]): ReadonlySet<string> =>
  new Set(segments.flatMap(one => [...conceptsOf(one)]))
const isParameter = (segment: string): boolean => /^\{.*\}$/.test(segment)
const segmentsOf = (path: string): readonly string[] => path.split('/').filter(one => one !== '')
export const bodyOf = (operation: DocumentOperation): Schema | undefined =>
  jsonOf(operation.body?.contents ?? [])?.schema
const without = (words: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...words].filter(word => !others.has(word)))

export function wantedOf(operation: Operation, own: DocumentOperation, schemas: Schemas): Wanted {
  const topic = new Set(TOPICS[operation.topic] ?? [operation.topic])
  const id = new Set(['id'])
  const selectors = new Map(
    operation.pathParams.map(name => {
      const said = without(conceptsOf(name), id)
      return [name, said.size === 0 ? topic : said] as const
    }),
  )
  const ids = new Set([...selectors.values()].flatMap(words => [...words]))
  const path = wordsOf(segmentsOf(operation.path).filter(one => !isParameter(one) && !OURS_ALONE.test(one)))
  const optional = new Set([...ids, ...topic, 'state', 'number'])
  const extra = without(path, optional)
  return {
    operation,
    own,
    must: new Set([...topic, ...extra]),
    may: new Set([...path, ...optional]),
    fields: [...shapeOf(bodyOf(own), schemas).members.keys()].map(name => strongIn(conceptsOf(name))),
    selectors,
    about: extra.size > 0 ? extra : topic,
    isList: shapeOf(jsonOf(successOf(own)?.contents ?? [])?.schema, schemas).items !== undefined,
  }
}

const METHODS: Readonly<Record<Operation['effect'], readonly string[]>> = {
  read: ['GET'],
  disclose: ['GET', 'POST'],
  write: ['POST', 'PUT', 'PATCH'],
  destroy: ['DELETE'],
}

/** The requests of theirs that may carry out an operation of ours, the surest first. */
export function requestsFor(
  wanted: Wanted,
  document: ImportedDocument,
  envelope: string,
): readonly FoundRequest[] {
  const {operation, own, must, may, fields} = wanted
  const methods =
    operation.effect === 'read' && operation.method === 'POST' ? ['POST'] : METHODS[operation.effect]
  const found = document.operations.flatMap((theirs): FoundRequest[] => {
    if (!methods.includes(theirs.method) || theirs.deprecated) return []
    const steps = segmentsOf(theirs.path)
    if (steps.some(one => !isParameter(one) && /[{}]/.test(one))) return []
    const words = wordsOf(steps.filter(one => !isParameter(one) && !/^v\d+$/.test(one)))
    if ([...must].some(word => !words.has(word))) return []
    const places = placesOf(wanted, theirs, document.schemas)
    if (places === undefined) return []
    const content = contentOf(wanted, theirs, document.schemas, envelope)
    if (content === undefined) return []
    const said = new Set(
      fields
        .filter(field => field.size > 0 && [...field].every(word => words.has(word)))
        .flatMap(field => [...field]),
    )
    const strange = [...words].filter(
      word => !must.has(word) && !may.has(word) && !said.has(word) && !NOISE.has(word),
    )
    if (strange.length > 1) return []
    // What a PUT of the whole resource leaves out may be lost.
    const isChange = operation.method === 'PATCH'
    const doubts = [
      ...(strange.length === 0 ? [] : [`also of ${strange.join(', ')}`]),
      ...(isChange && theirs.method === 'PUT' && isParameter(steps.at(-1) ?? '')
        ? ['a PUT may delete what it is not given']
        : []),
      ...(isChange && !steps.some(isParameter) ? ['without an id in the path it may create'] : []),
      ...doubtsOfWords(operation, own, theirs, word =>
        [...conceptsOf(word)].every(one => words.has(one) || must.has(one) || may.has(one)),
      ),
      ...gravity(operation),
    ]
    const why = ['the path speaks of the same', ...doubts].join('; ')
    return [{theirs, places, isSure: doubts.length === 0, why, ...content}]
  })
  return found.sort(
    (a, b) =>
      Number(b.isSure) - Number(a.isSure) ||
      Number(b.theirs.operationId === own.operationId) - Number(a.theirs.operationId === own.operationId) ||
      a.theirs.path.length - b.theirs.path.length,
  )
}

/** What no document alone may decide. */
function gravity({effect, topic, sensitive}: Operation): readonly string[] {
  if (effect === 'write' && topic === 'a2a') return ['it moves money, so a person must look at it']
  const isSecret = effect === 'disclose' || sensitive.request.length + sensitive.reply.length > 0
  return isSecret ? ['secrets go there or come back, so a person must look at it'] : []
}

/** Where each path parameter of ours goes; undefined if one has no place, or one of theirs no value. */
function placesOf(
  {selectors}: Wanted,
  theirs: DocumentOperation,
  schemas: Schemas,
): ReadonlyMap<string, string> | undefined {
  const steps = segmentsOf(theirs.path)
  const open = steps.flatMap((step, at) => {
    if (!isParameter(step)) return []
    const name = step.slice(1, -1)
    const said = without(conceptsOf(name), new Set(['id']))
    return [
      {
        place: `path:${name}`,
        words: without(said.size === 0 ? conceptsOf(steps[at - 1] ?? '') : said, NOISE),
      },
    ]
  })
  const isId = ({name}: {readonly name: string}): boolean =>
    conceptsOf(name).has('id') || conceptsOf(name).has('reference')
  const queries = theirs.parameters
    .filter(one => one.in === 'query' && isId(one))
    .map(({name}) => ({place: `query:${name}`, words: without(conceptsOf(name), new Set(['id']))}))
  const members = [...shapeOf(bodyOf(theirs), schemas).members.keys()]
    .filter(name => isId({name}))
    .map(name => ({
      place: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      words: without(conceptsOf(name), new Set(['id'])),
    }))
  const places = new Map<string, string>()
  for (const [name, words] of selectors) {
    const isSame = (one: {readonly words: ReadonlySet<string>}): boolean =>
      [...words].every(word => one.words.has(word)) && one.words.size === words.size
    const at = open.findIndex(isSame)
    const [inPath] = at < 0 ? [] : open.splice(at, 1)
    const place = inPath ?? queries.find(isSame) ?? members.find(isSame)
    if (place === undefined) return undefined
    places.set(name, place.place)
  }
  return open.length > 0 ? undefined : places
}

/** Where the result is, in the form of ours: a list or an object. */
function contentOf(
  {isList}: Wanted,
  theirs: DocumentOperation,
  schemas: Schemas,
  envelope: string,
): Pick<FoundRequest, 'envelope' | 'result'> | undefined {
  const schema = jsonOf(successOf(theirs)?.contents ?? [])?.schema
  if (schema === undefined) return isList ? undefined : {envelope: '', result: undefined}
  const whole = shapeOf(schema, schemas)
  const name = envelope.slice(1)
  const inside = name === '' ? undefined : whole.members.get(name)?.schema
  const content = shapeOf(inside ?? schema, schemas)
  const at = inside === undefined ? '' : envelope
  if (isList) {
    if (content.items !== undefined) return {envelope: at, result: content.items}
    const lists = [...content.members].filter(
      ([key, {schema: one}]) =>
        /^[\w-]+$/.test(key) && shapeOf(shapeOf(one, schemas).items ?? true, schemas).members.size > 0,
    )
    const [only, another] = lists
    if (only === undefined || another !== undefined) return undefined
    return {envelope: `${at}/${only[0]}`, result: shapeOf(only[1].schema, schemas).items}
  }
  if (whole.items !== undefined) return undefined
  // A list in the envelope, with what belongs to it beside: the whole response is the result.
  if (content.items !== undefined) return {envelope: '', result: schema}
  return {envelope: at, result: inside ?? schema}
}
