import {RE2JS} from 're2js'
import {couldFit} from '../contract/match.ts'
import type {AnyInput, Operation, ResourceKind} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {type BodyDifference, jsonType} from '../contract/violation.ts'
import {Failure} from '../errors/failure.ts'
import {isObject} from '../errors/is-object.ts'
import {misfit} from '../input/expression.ts'
import type {CompiledDialect} from './compile-dialect.ts'
import type {Step, Variant} from './dialect-file.ts'
import {type Mapping, type Misfit, ruleOf, type Sources, toOurs, toTheirs} from './map-members.ts'
import {everyItem, type MemberPlace, placesOf, writtenPlace} from './places.ts'
import {found, valueAt} from './pointer.ts'
import {hiddenNames, isSameMethod, type Possible, paramsOf, respelled} from './possible.ts'
import {dotted, fromFirst, isScalar, type TheirRequest, theirRequest} from './their-request.ts'
import {unseenIn} from './unseen.ts'

/** How an operation of ours goes out, and how its response is read. */
export interface Translation {
  /** What is known of the request before `first` was sent. */
  readonly request: TheirRequest
  /** A read that is sent before. */
  readonly first: TheirRequest | undefined
  /** The request once the response to the read is there. @throws Failure ANSWER_INVALID if it lacks what is needed. */
  complete(first: unknown): TheirRequest
  /** The content of a success as ours, or why it proves nothing: "it has no data". */
  read(body: unknown, first: unknown): Read
  /** The names of their members that are read, outermost and in their content. */
  readonly known: ReadonlySet<string>
  /** Their content, to be looked at for errors. */
  content(body: unknown): unknown
  /** Whether a member of ours comes from theirs: its absence is a difference. */
  maps(pointer: string): boolean
  /** Whether the dialect itself writes a member in another form than the contract's, for want of the whole value. */
  abridges(pointer: string): boolean
}

export type Read =
  | {readonly value: unknown; readonly differences: readonly BodyDifference[]}
  | {readonly wrong: string}

/** One request of theirs for an operation of ours, and where the members are. */
export interface DescribedRequest {
  /** `GET /cards/{card_id}`. */
  readonly request: string
  readonly input: readonly MemberPlace[]
  readonly output: readonly MemberPlace[]
}

/** How a service that was not made for cardctl carries out its operations. */
export class Dialect {
  readonly name: string
  /** SHA-256 of the file, in hex. */
  readonly digest: string
  readonly #compiled: CompiledDialect
  readonly #mapping: Mapping
  readonly #isThorough: boolean
  readonly #ids: ReadonlyMap<string, RE2JS>

  constructor(compiled: CompiledDialect, digest: string, isThorough = false) {
    const {file} = compiled
    this.digest = digest
    this.name = file.name
    this.#compiled = compiled
    this.#mapping = {values: file.values ?? {}, shapes: file.shapes ?? {}}
    this.#isThorough = isThorough
    this.#ids = new Map(
      Object.entries(file.ids ?? {}).map(([kind, pattern]) => [kind, RE2JS.compile(pattern)]),
    )
  }

  /** Its name and the start of its digest: by which dialect something was sent. */
  get label(): string {
    return `${this.name} ${this.digest.slice(0, 12)}`
  }

  /** Why the service can't carry out an operation, as a sentence; undefined if it can. */
  refusal({id, summary}: Pick<Operation, 'id' | 'summary'>): string | undefined {
    const found = this.#compiled.operations.get(id)
    if (found === undefined) return `The dialect ${this.name} says nothing of "${summary}" (${id}).`
    return 'cannot' in found ? `This service can't do "${summary}": ${found.cannot}` : undefined
  }

  /** Whether only the dialect says that an operation reads: it goes out as a POST, and ours does not. */
  isOnlySaidToRead({id, effect, method}: Pick<Operation, 'id' | 'effect' | 'method'>): boolean {
    return (
      effect === 'read' && method !== 'POST' && this.#variants(id).some(({route}) => route.method !== 'GET')
    )
  }

  /** The same, to be checked: a member that is not where it says is listed with the differences. */
  thorough(): Dialect {
    return new Dialect(this.#compiled, this.digest, true)
  }

  /** Why an operation can't be done, as the file says. */
  cannot(id: string): string | undefined {
    const found = this.#compiled.operations.get(id)
    return found !== undefined && 'cannot' in found ? found.cannot : undefined
  }

  /** The requests that carry out an operation; none if the file doesn't map it. */
  requests(id: string): readonly DescribedRequest[] {
    const written = ({ours, theirs, as}: MemberPlace): MemberPlace => ({
      ours: writtenPlace(ours),
      theirs: theirs === null ? null : writtenPlace(theirs),
      as,
    })
    return this.#variants(id).map(({route, input, output = {}}) => ({
      request: `${route.method} ${route.path}`,
      input: placesOf(input, this.#mapping).map(written),
      output: placesOf(output, this.#mapping),
    }))
  }

  /** Whether the service documents that the key of an operation is honoured, however it is carried out. */
  honours(id: string, profileHeader?: string): boolean {
    const variants = this.#variants(id)
    return variants.length > 0 && variants.every(one => one.idempotent && isSentThere(one.key, profileHeader))
  }

  /** Whether the key of an operation reaches the service. */
  carriesKey(id: string): boolean {
    const variants = this.#variants(id)
    return variants.length > 0 && variants.every(({key}) => key !== undefined)
  }

  /** Whether a text is an id of a kind at this service; undefined if the dialect doesn't say. */
  isId(kind: ResourceKind, text: string): boolean | undefined {
    return this.#ids.get(kind)?.matches(text)
  }

  /** How ids of a kind look, as the file has it. */
  idForm(kind: ResourceKind): string | undefined {
    return this.#ids.get(kind)?.pattern()
  }

  /** Whether an error has the form that the dialect describes, so that the service itself has sent it. */
  isOwnError(body: unknown): boolean {
    const {errors} = this.#compiled.file
    if (errors === undefined) return false
    const isText = (at: string): boolean => /\S/.test(String(valueAt(body, at) ?? ''))
    return isText(errors.code) && (errors.message === undefined || isText(errors.message))
  }

  /**
   * How a request of ours goes out.
   *
   * @throws Failure NOT_OFFERED, CONTRACT_VIOLATION for what the service has no place or no value for.
   */
  translate(operation: Operation, input: AnyInput, key: string | undefined): Translation {
    const {pageSize} = operation
    const mapping = {...this.#mapping, size: Number(input.query.size ?? pageSize?.usual)}
    const why = this.refusal(operation)
    if (why !== undefined) throw new Failure('NOT_OFFERED', {message: why, effect: 'none'})
    const tries = this.#variants(operation.id).map(variant => ({
      variant,
      ...toTheirs(variant.input, oursFor(variant, input), mapping),
    }))
    const fitting = tries.find(({misfits}) => misfits.length === 0)
    if (fitting === undefined) throw this.#unfit(tries.map(({misfits}) => misfits))
    const {variant, theirs} = fitting
    const ours = {path: input.path, query: input.query, body: input.body}
    const places = placesOf(variant.output ?? {}, this.#mapping)
    return {
      request: theirRequest(variant, theirs, {key, location: variant.key}),
      first:
        variant.first && theirRequest(variant.first, toTheirs(variant.first.input, ours, mapping).theirs, {}),
      complete: first => {
        const content = contentOf(variant.first, first)
        const missing = fromFirst(variant.with).filter(at => !isScalar(valueAt(content?.value, at)))
        if (missing.length > 0)
          throw new Failure('ANSWER_INVALID', {
            message: `The read before ${operation.method} ${operation.path} gave no ${missing.map(dotted).join(' and no ')}.`,
            effect: 'none',
          })
        return theirRequest(variant, theirs, {key, location: variant.key}, content?.value)
      },
      read: (body, first) =>
        this.#read({variant, isRead: operation.effect === 'read'}, body, {request: ours, first}, mapping),
      known: knownIn(variant, places),
      content: body => contentOf(variant, body)?.value,
      abridges: pointer => places.some(({ours, as}) => as === 'last4' && ours === everyItem(pointer)),
      maps: pointer => {
        const every = everyItem(pointer)
        return places.some(({ours: one}) => one === every || one.startsWith(`${every}/`))
      },
    }
  }

  #read(
    {variant, isRead}: {readonly variant: Variant; readonly isRead: boolean},
    body: unknown,
    {request, first}: Sources,
    mapping: Mapping,
  ): Read {
    const missing = variant.proof.find(at => valueAt(body, at) === undefined || valueAt(body, at) === null)
    if (missing !== undefined) return {wrong: `it has no ${dotted(missing)}`}
    const content = body === undefined ? undefined : contentOf(variant, body)
    if (body !== undefined && content === undefined) return {wrong: `it has no ${dotted(variant.envelope)}`}
    if (variant.output === undefined) return {value: body === undefined ? undefined : {}, differences: []}
    const own = ownPlaces(variant)
    if (!isRead && own.length > 0 && !own.some(at => found(content?.value, at)?.value != null))
      return {wrong: `it has no ${own.map(dotted).join(' and no ')}`}
    const sources: Sources = {
      request,
      first: contentOf(variant.first, first)?.value,
      search: (document, expression) => this.#compiled.searches.get(expression)?.(document),
    }
    try {
      const {ours, misfits} = toOurs(variant.output, content?.value, mapping, sources)
      const differences = misfits.map(one => differenceOf(one, content?.value))
      const value = pageOf(variant, ours, request, mapping)
      if (!this.#isThorough) return {value, differences}
      const unseen = unseenIn(placesOf(variant.output, this.#mapping), content?.value)
      return {value, differences: [...differences, ...unseen]}
    } catch (error) {
      return {wrong: `it doesn't fit an expression of the dialect: ${misfit(error)}`}
    }
  }

  /** The operations of ours that a request to the service may carry out, with what it then has. */
  possible(method: string, path: string, input: Pick<AnyInput, 'query' | 'body'>): readonly Possible[] {
    const table: Readonly<Record<string, Operation>> = operations
    return [...this.#compiled.operations].flatMap(([id, one]) => {
      const operation = table[id]
      if (operation === undefined || 'cannot' in one) return []
      return one.variants.flatMap(variant => {
        const {route} = variant
        if (!isSameMethod(route.method, method) || !couldFit(route.path, path)) return []
        const theirs = {path: paramsOf(route.path, path), query: input.query, body: input.body}
        const {ours, misfits} = toOurs(variant.input, theirs, {
          ...this.#mapping,
          size: operation.pageSize?.usual,
        })
        const {path: params, query, body} = isObject(ours) ? ours : {}
        const read: AnyInput = {
          path: Object.fromEntries(
            Object.entries(isObject(params) ? params : {}).map(([name, id]) => [name, String(id)]),
          ),
          query: isObject(query) ? query : {},
          ...(body !== undefined && {body}),
        }
        const names = hiddenNames(placesOf(variant.input, this.#mapping), operation)
        return [
          {
            operation,
            input: read,
            unread: misfits[0]?.pointer ?? respelled(variant.input, input),
            hidden: {template: route.path, names},
          },
        ]
      })
    })
  }

  #variants(id: string): readonly Variant[] {
    const found = this.#compiled.operations.get(id)
    return found === undefined || 'cannot' in found ? [] : found.variants
  }

  #unfit(tries: readonly (readonly Misfit[])[]): Failure {
    const [best = []] = tries.toSorted((a, b) => a.length - b.length)
    const isSplit =
      tries.length > 1 &&
      best.every(({pointer}) => tries.some(one => one.every(each => each.pointer !== pointer)))
    const lines = best.map(
      ({pointer, problem}) => `${dotted(pointer.replace(/^\/(body|path|query)/, ''))} ${problem}`,
    )
    return new Failure('CONTRACT_VIOLATION', {
      message:
        lines.length === 1
          ? `The dialect ${this.name}: ${lines[0]}.`
          : `The dialect ${this.name} doesn't fit ${lines.length} values of the request.`,
      hint: isSplit
        ? 'This service changes them by different requests: send them one by one.'
        : `Leave ${lines.length === 1 ? 'it' : 'them'} out, or give ${lines.length === 1 ? 'it a place' : 'them places'} in the dialect.`,
      effect: 'none',
      data: {
        violations: best.map(({pointer, problem}, at) => ({pointer, message: lines[at] ?? problem})),
        lines,
      },
    })
  }
}

const differenceOf = ({pointer, problem}: Misfit, content: unknown): BodyDifference => ({
  pointer,
  message: `${dotted(pointer)} ${problem}`,
  problem,
  found: jsonType(valueAt(content, pointer)),
})

/** What of a request must go out. The audit user goes where the profile says, and page 0 is where a list begins. */
function oursFor({input: shape, pages}: Variant, {path, query, body}: AnyInput): unknown {
  const left = Object.fromEntries(
    Object.entries(query).filter(([name, value]) => {
      const isMapped = Object.hasOwn(shape, `/query/${name}`)
      if (isMapped) return true
      // One response has it all: there is nothing to divide.
      if (name === 'size' && !PAGE.some(one => Object.hasOwn(shape, `/query/${one}`))) return false
      return (
        name !== 'auditUser' && !(name === 'page' && Number(value) === 0) && !(pages && PAGE.includes(name))
      )
    }),
  )
  return {
    ...(Object.keys(path).length > 0 && {path}),
    ...(Object.keys(left).length > 0 && {query: left}),
    ...(body !== undefined && {body}),
  }
}

const PAGE: readonly string[] = ['page', 'size', 'exclusiveStartKey']

/** Where a result is in their content. */
const ownPlaces = ({output = {}}: Variant): readonly string[] =>
  Object.values(output).flatMap(rule => ruleOf(rule).at ?? [])

/** The names of their members that a result is read from, outermost and in their content. */
function knownIn({envelope, proof}: Variant, places: readonly MemberPlace[]): ReadonlySet<string> {
  const all = [...places.flatMap(({theirs}) => theirs ?? []), envelope, ...proof]
  return new Set(all.flatMap(place => place.split('/')[1] ?? []))
}

/** The page that was asked for, of a list that came whole. */
function pageOf({pages}: Variant, ours: unknown, request: unknown, {size}: Mapping): unknown {
  if (pages === undefined || !Array.isArray(ours) || size === undefined || Number.isNaN(size)) return ours
  const page = Number(valueAt(request, '/query/page') ?? 0)
  return ours.slice(page * size, (page + 1) * size)
}

/** The content of a response; undefined if it isn't where it should be. */
const contentOf = (step: Step | undefined, body: unknown): {readonly value: unknown} | undefined =>
  step === undefined ? undefined : found(body, step.envelope)

/** Whether the key goes where the dialect says that it is honoured, whatever header the profile names. */
const isSentThere = (key: string | undefined, profileHeader: string | undefined): boolean =>
  key !== undefined &&
  (profileHeader === undefined ||
    !key.startsWith('/header/') ||
    key.toLowerCase() === `/header/${profileHeader.toLowerCase()}`)
