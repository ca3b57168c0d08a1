import {RE2JS} from 're2js'
import {type Effect, stricterEffect} from '../../contract/operation.ts'
import {isObject} from '../../errors/is-object.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import {nameWords} from '../../sensitive/secret-names.ts'
import type {
  BodyKind,
  ContractFacts,
  FieldKind,
  ImportedBody,
  ImportedOperation,
  ImportedParameter,
  Taken,
} from '../contract-form.ts'
import type {
  DocumentContent,
  DocumentOperation,
  DocumentParameter,
  Fault,
  ImportedDocument,
  Schema,
  SecurityScheme,
} from '../document/document.ts'
import {partsOf} from '../document/schema-forms.ts'
import {effectOf} from './choose-effect.ts'
import {refuseUnused} from './choose-fields.ts'
import {type CarefulFields, FieldKinds, resourceOf} from './field-kinds.ts'
import {findPaging} from './find-paging.ts'
import {
  distinctName,
  kebabName,
  type NamedOperation,
  nameOperations,
  type Renamed,
} from './name-operations.ts'
import {joined, ResourceIds} from './resource-ids.ts'

export interface Compiled {
  readonly operations: readonly ImportedOperation[]
  readonly tags: ReadonlyMap<string, {readonly name: string; readonly description?: string}>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly renamed: readonly Renamed[]
  readonly faults: readonly Fault[]
  /** What fields were taken for, by their names. */
  readonly taken: ReadonlyMap<string, Taken>
}

export interface CompileOptions {
  readonly name: string
  /** The prefix of every path: '' or '/v2'. */
  readonly prefix: string
  readonly effectOf?: ((named: readonly NamedOperation[]) => ReadonlyMap<NamedOperation, Effect>) | undefined
  /** What a person says about fields, by their names in lower case. */
  readonly fieldKinds?: ReadonlyMap<string, FieldKind> | undefined
  /** Names of flags that every command has. */
  readonly takenFlags: readonly string[]
}

/** Compiles a document into commands. */
export function compile(document: ImportedDocument, options: CompileOptions): Compiled {
  const {named, renamed} = nameOperations(document.operations)
  const chosen = options.effectOf?.(named) ?? new Map<NamedOperation, Effect>()
  const patterns = new Patterns()
  const schemas = new Map([...document.schemas].map(([name, schema]) => [name, patterns.without(schema)]))
  const ids = new ResourceIds(document.operations)
  const kinds = new FieldKinds({schemas, ids, choices: options.fieldKinds ?? new Map()})
  const compiler = new OperationCompiler(document.securitySchemes, schemas, options, patterns, kinds)
  const operations = named.map(one => compiler.compile(one, chosen.get(one)))
  refuseUnused(kinds.unused, kinds.taken.keys())
  const tags = new Map(
    named.map(({tag, tagName}) => {
      const description = document.tags.find(({name}) => name === tagName)?.description
      return [tag, {name: tagName, ...(description === undefined ? {} : {description})}]
    }),
  )
  return {
    operations,
    tags,
    schemas,
    renamed,
    faults: [...document.faults, ...patterns.faults],
    taken: kinds.taken,
  }
}

/** Refuses patterns that can't run in linear time: a hostile one can stall an engine that backtracks. */
class Patterns {
  readonly faults: Fault[] = []
  readonly #known = new Map<string, boolean>()

  /** The schema without patterns that can't run in linear time. */
  without(schema: Schema): Schema {
    this.#look(schema)
    return schema
  }

  #look(schema: unknown): void {
    if (!isObject(schema)) return
    if (typeof schema.pattern === 'string' && !this.#runs(schema.pattern)) {
      delete (schema as {pattern?: string}).pattern
    }
    if (isObject(schema.patternProperties)) {
      for (const pattern of Object.keys(schema.patternProperties)) {
        if (!this.#runs(pattern)) delete (schema.patternProperties as Record<string, unknown>)[pattern]
      }
    }
    for (const part of partsOf(schema)) this.#look(part)
  }

  #runs(pattern: string): boolean {
    const known = this.#known.get(pattern)
    if (known !== undefined) return known
    let runs = true
    try {
      RE2JS.compile(RE2JS.translateRegExp(pattern))
    } catch {
      runs = false
      this.faults.push({
        file: '',
        pointer: '',
        message: `the pattern ${pattern.slice(0, 120)} cannot be run in linear time, so it is not checked`,
        consequence: 'unchecked',
      })
    }
    this.#known.set(pattern, runs)
    return runs
  }
}

const KEY_HEADER = /^(?:x-)?idempoten(?:cy|t)-key$/i

class OperationCompiler {
  readonly #schemes: Readonly<Record<string, SecurityScheme>>
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #options: CompileOptions
  readonly #patterns: Patterns
  readonly #kinds: FieldKinds

  constructor(
    schemes: Readonly<Record<string, SecurityScheme>>,
    schemas: ReadonlyMap<string, Schema>,
    options: CompileOptions,
    patterns: Patterns,
    kinds: FieldKinds,
  ) {
    this.#schemes = schemes
    this.#schemas = schemas
    this.#options = options
    this.#patterns = patterns
    this.#kinds = kinds
  }

  compile({operation, tag, name}: NamedOperation, chosen: Effect | undefined): ImportedOperation {
    const {method, operationId, description, deprecated} = operation
    const success = operation.replies.filter(({status}) => status.startsWith('2'))
    const response = success.flatMap(({contents}) => contents.filter(isJson))[0]?.schema
    const body = this.#body(operation)
    const asked = this.#kinds.fieldsOf(operation.path, body?.schema, 'request')
    const got = this.#kinds.fieldsOf(operation.path, response, 'reply')
    const made = madeBy(operation, got.id)
    const keyHeader = operation.parameters.find(one => one.in === 'header' && KEY_HEADER.test(one.name))?.name
    const paging =
      method === 'GET' || method === 'QUERY'
        ? findPaging(operation.parameters, response, this.#schemas)
        : undefined
    const credentials = this.#credentials(operation)
    const documentEffect = effectOf(operation, got)
    const effect = chosen ?? documentEffect
    return {
      id: `x:${this.#options.name}/${tag}/${name}`,
      tag,
      name,
      ...(operationId === undefined ? {} : {operationId}),
      method,
      path: this.#options.prefix + operation.path,
      summary: operation.summary ?? firstSentence(description) ?? `${method} ${operation.path}`,
      ...(description === undefined ? {} : {description}),
      deprecated,
      effect,
      ...(stricterEffect(effect, documentEffect) === effect ? {} : {documentEffect}),
      parameters: this.#parameters(operation, keyHeader, paging === undefined ? [] : PAGING_FLAGS),
      ...(keyHeader === undefined ? {} : {keyHeader}),
      ...(body === undefined ? {} : {body}),
      replies: Object.fromEntries(
        operation.replies.flatMap(({status, contents}) => {
          const schema = contents.find(isJson)?.schema
          return schema === undefined ? [] : [[status, this.#patterns.without(schema)]]
        }),
      ),
      successes: success.map(({status}) => status),
      otherReplies:
        success.length === 0 || success.some(({contents}) => contents.some(content => !isJson(content))),
      accept: acceptOf(success.flatMap(({contents}) => contents.map(({mediaType}) => mediaType))),
      ...(paging === undefined ? {} : {paging}),
      sensitive: {request: asked.secret, reply: got.secret},
      ...(shownIn(asked).length + shownIn(got).length === 0
        ? {}
        : {ids: {request: shownIn(asked), reply: shownIn(got), ...(made === undefined ? {} : {made})}}),
      ...(asked.personal.length + got.personal.length === 0
        ? {}
        : {personal: {request: asked.personal, reply: got.personal}}),
      ...(credentials === undefined ? {} : {credentials}),
    }
  }

  #parameters(
    operation: DocumentOperation,
    keyHeader: string | undefined,
    pagingFlags: readonly string[],
  ): ImportedParameter[] {
    const {parameters} = operation
    const further = this.#furtherCredentials(operation)
    const taken = new Set([...this.#options.takenFlags, ...pagingFlags])
    const args = new Set<string>()
    // A value that the profile's authentication sends isn't a parameter of the command.
    const own = new Set(
      Object.values(this.#schemes).flatMap(({type, in: place, name}) =>
        type === 'apiKey' ? [`${place} ${name?.toLowerCase()}`] : [],
      ),
    )
    return [...parameters, ...further].flatMap((parameter): ImportedParameter[] => {
      const {name, in: place} = parameter
      if (
        (place === 'header' && name === keyHeader) ||
        (own.has(`${place} ${name.toLowerCase()}`) && !further.includes(parameter))
      )
        return []
      const kind = further.includes(parameter)
        ? 'secret'
        : this.#kinds.parameterKind(operation.path, parameter)
      const isSecret = kind === 'secret'
      const isArgument = place === 'path' && !isSecret
      const names = isArgument ? args : taken
      const plain = kebabName(name) || 'value'
      const wanted = !isArgument && names.has(plain) ? `param-${plain}` : plain
      const flag = distinctName(wanted, one => names.has(one) || (!isArgument && names.has(`no-${one}`)))
      names.add(flag)
      const schema = this.#patterns.without(parameter.schema)
      const marks = {
        ...(isSecret && {sensitive: true as const}),
        ...(kind === 'personal' && {personal: true as const}),
      }
      return [{...parameter, schema, flag, ...marks}]
    })
  }

  /** A profile has one credential. If a document needs several keys together, flags pass the others. */
  #furtherCredentials({security}: DocumentOperation): DocumentParameter[] {
    const together = new Set(
      security
        .map(one => Object.keys(one))
        .filter(names => names.length > 1)
        .flat(),
    )
    return [...together].flatMap((one): DocumentParameter[] => {
      const scheme = Object.hasOwn(this.#schemes, one) ? this.#schemes[one] : undefined
      const {type, in: place, name} = scheme ?? {}
      if (type !== 'apiKey' || name === undefined || place === undefined) return []
      return [
        {
          name,
          in: place,
          required: false,
          description: `Needed beside the profile's own credential, unless it is that.`,
          schema: {type: 'string'},
          style: place === 'header' ? 'simple' : 'form',
          explode: true,
        },
      ]
    })
  }

  #body({body}: DocumentOperation): ImportedBody | undefined {
    if (body === undefined) return undefined
    const content = KINDS.map(kind => body.contents.find(one => kindOf(one.mediaType) === kind)).find(
      one => one !== undefined,
    )
    if (content === undefined) return undefined
    const {mediaType, schema, example, encoding} = content
    return {
      required: body.required,
      ...(body.description === undefined ? {} : {description: body.description}),
      mediaType: mediaType === '*/*' ? 'application/json' : mediaType,
      kind: kindOf(mediaType),
      ...(schema === undefined ? {} : {schema: this.#patterns.without(schema)}),
      ...(example === undefined ? {} : {example}),
      ...(encoding === undefined ? {} : {encoding}),
    }
  }

  #credentials({security}: DocumentOperation): ImportedOperation['credentials'] {
    const names = security.flatMap(one => Object.keys(one))
    const entries = names.flatMap(one => {
      const scheme = Object.hasOwn(this.#schemes, one) ? this.#schemes[one] : undefined
      const {type, in: place, name} = scheme ?? {}
      if (type !== 'apiKey' || name === undefined || (place !== 'query' && place !== 'cookie')) return []
      return [[name.toLowerCase(), {in: place, name}] as const]
    })
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
}

/** What is shown although its name sounds like a secret. */
const shownIn = ({id, plain}: CarefulFields): readonly string[] => [...id, ...plain]

/** The id of what a request creates, nearest to the top of its response: `token` or `card_token`, but not `user_token`. */
function madeBy({method, path}: DocumentOperation, ids: readonly string[]): string | undefined {
  if (method !== 'POST') return undefined
  const made = joined(resourceOf(path))
  const isOwn = (pointer: string): boolean => {
    const words = nameWords(pointer.slice(pointer.lastIndexOf('/') + 1))
    return words.length === 1 || joined(words).startsWith(made)
  }
  const depth = (pointer: string): number => pointer.split('/').length
  const own = ids.filter(pointer => !pointer.includes('*') && isOwn(pointer))
  return own.toSorted((a, b) => depth(a) - depth(b))[0]
}

/** Flags of commands whose operation pages. */
const PAGING_FLAGS = ['all', 'limit', 'page-size']

const KINDS: readonly BodyKind[] = ['json', 'form', 'multipart', 'other']

export function kindOf(mediaType: string): BodyKind {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (/[/+]json$/.test(type) || type === '*/*') return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'multipart/form-data' ? 'multipart' : 'other'
}

const isJson = ({mediaType}: DocumentContent): boolean => kindOf(mediaType) === 'json'

function acceptOf(types: readonly string[]): string {
  const plain = [...new Set(types)].filter(type => /^[\w.+*-]+\/[\w.+*-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type))
  const all = plain.length === 0 ? ['application/json'] : plain
  return [...new Set([...all, 'application/problem+json'])].join(', ')
}

function firstSentence(description: string | undefined): string | undefined {
  const line = description?.split(/\r?\n/).find(one => one.trim() !== '')
  return line?.match(/^.{1,120}?[.!?](?=\s|$)/)?.[0] ?? line?.slice(0, 120)
}

/** The description of a contract, for the header of its file. */
export function factsOf(
  document: ImportedDocument,
  compiled: Compiled,
  more: Pick<ContractFacts, 'name' | 'source' | 'importedAt' | 'prefix'>,
): ContractFacts {
  const {title, version, openapi, servers} = document
  return {
    ...more,
    openapi,
    // Masked, because they are shown with the contract's name and a document may contain anything.
    title: maskText(title),
    version: maskText(version),
    servers: servers.map(server => maskText(server)),
    operations: compiled.operations.length,
    leftOut: compiled.faults.filter(({consequence}) => consequence === 'left out').length,
  }
}
