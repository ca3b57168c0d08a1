import {isObject} from '../../errors/is-object.ts'
import {maskWithin} from '../../sensitive/mask-text.ts'
import {
  type DocumentBody,
  type DocumentContent,
  type DocumentMethod,
  type DocumentOperation,
  type DocumentParameter,
  type DocumentResponse,
  type Fault,
  type FieldEncoding,
  METHODS,
  type ParameterPlace,
  type ParameterStyle,
  pointerStep,
  type Schema,
  type Security,
  text,
} from './document.ts'
import {BadReference, type Placed, type References} from './references.ts'
import type {SchemaFault, SchemaForms} from './schema-forms.ts'

type Members = Readonly<Record<string, unknown>>
type Locate = (at: string) => Pick<Fault, 'file' | 'pointer' | 'line'>

/** A fault that leaves the operation out. */
class Unusable extends Error {
  readonly at: string
  constructor(at: string, message: string) {
    super(message)
    this.at = at
  }
}

/** Reads the operations of a document one by one, so that a fault in one doesn't affect the others. */
export class OperationReader {
  readonly faults: Fault[] = []
  readonly #references: References
  readonly #forms: SchemaForms
  readonly #locate: Locate
  #operation = ''
  /** Faults in named schemas that were already reported. */
  readonly #reported = new Set<string>()

  constructor(references: References, forms: SchemaForms, locate: Locate) {
    this.#references = references
    this.#forms = forms
    this.#locate = locate
  }

  readAll(root: Placed): DocumentOperation[] {
    const document = root.value as Members
    const at = `${root.at}/paths`
    if (document.paths === undefined) return []
    if (!isObject(document.paths)) {
      this.#report(at, '"paths" must be an object', 'left out')
      return []
    }
    const security = securityOf(document.security)
    return Object.entries(document.paths).flatMap(([path, item]) =>
      path.startsWith('x-')
        ? []
        : this.#readItem(path, {value: item, at: `${at}/${pointerStep(path)}`}, security),
    )
  }

  #readItem(path: string, given: Placed, security: Security): DocumentOperation[] {
    this.#operation = path
    try {
      const item = this.#follow(given)
      if (!isObject(item.value)) throw new Unusable(given.at, 'a path must be an object')
      if (!path.startsWith('/')) throw new Unusable(given.at, 'a path must begin with /')
      const members = item.value
      return METHODS.flatMap(method => {
        const name = method.toLowerCase()
        if (members[name] === undefined) return []
        return this.#readOperation(
          method,
          path,
          {value: members[name], at: `${item.at}/${name}`},
          item,
          security,
        )
      }).concat(this.#unsupported(path, item))
    } catch (error) {
      this.#leaveOut(error)
      return []
    }
  }

  #unsupported(path: string, {value, at}: Placed): [] {
    const members = value as Members
    const additional = isObject(members.additionalOperations) ? Object.keys(members.additionalOperations) : []
    for (const [name, place] of [
      ...['options', 'trace'].filter(one => members[one] !== undefined).map(one => [one, one] as const),
      ...additional.map(one => [one, `additionalOperations/${pointerStep(one)}`] as const),
    ]) {
      this.#operation = `${name.toUpperCase()} ${path}`
      this.#report(`${at}/${place}`, `the method ${name.toUpperCase()} is not supported`, 'left out')
    }
    return []
  }

  #readOperation(
    method: DocumentMethod,
    path: string,
    given: Placed,
    item: Placed,
    inherited: Security,
  ): DocumentOperation[] {
    this.#operation = `${method} ${path}`
    try {
      const {value, at} = this.#follow(given)
      if (!isObject(value)) throw new Unusable(at, 'an operation must be an object')
      const shared = item.value as Members
      const parameters = this.#parameters([
        {value: shared.parameters, at: `${item.at}/parameters`},
        {value: value.parameters, at: `${at}/parameters`},
      ])
      parameters.push(...this.#undescribed(path, parameters, at))
      const body =
        value.requestBody === undefined
          ? undefined
          : this.#body({value: value.requestBody, at: `${at}/requestBody`})
      const operation: DocumentOperation = {
        pointer: this.#locate(given.at).pointer,
        method,
        path,
        ...ifGiven('operationId', text(value.operationId)),
        tags: Array.isArray(value.tags) ? value.tags.flatMap(tag => text(tag) ?? []) : [],
        ...ifGiven('summary', text(value.summary) ?? text(shared.summary)),
        ...ifGiven('description', text(value.description) ?? text(shared.description)),
        deprecated: value.deprecated === true,
        parameters,
        ...ifGiven('body', body),
        replies: this.#responses({value: value.responses, at: `${at}/responses`}),
        security: value.security === undefined ? inherited : securityOf(value.security),
        extensions: Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('x-'))),
      }
      return [operation]
    } catch (error) {
      this.#leaveOut(error)
      return []
    }
  }

  #parameters(lists: readonly Placed[]): DocumentParameter[] {
    // A parameter of the operation overrides that of its path.
    const found = new Map<string, DocumentParameter>()
    for (const {value: list, at} of lists) {
      if (list === undefined) continue
      if (!Array.isArray(list)) throw new Unusable(at, '"parameters" must be a list')
      for (const [index, value] of list.entries()) {
        const parameter = this.#parameter(this.#follow({value, at: `${at}/${index}`}))
        if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter)
      }
    }
    return [...found.values()]
  }

  /** A path parameter that the document doesn't describe is text. */
  #undescribed(path: string, known: readonly DocumentParameter[], at: string): DocumentParameter[] {
    const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
    return [...new Set(names)].flatMap(name => {
      if (known.some(parameter => parameter.in === 'path' && parameter.name === name)) return []
      this.#report(
        at,
        `no parameter describes {${shown(name)}} of the path; it is taken as text`,
        'unchecked',
      )
      return [{name, in: 'path', required: true, schema: {type: 'string'}, style: 'simple', explode: false}]
    })
  }

  #parameter({value, at}: Placed): DocumentParameter | undefined {
    if (!isObject(value)) throw new Unusable(at, 'a parameter must be an object')
    const name = text(value.name)
    if (name === undefined) throw new Unusable(at, 'a parameter has no name')
    const place = (['path', 'query', 'header', 'cookie'] as const).find(one => one === value.in)
    if (place === undefined) {
      throw new Unusable(
        at,
        `the parameter ${shown(name)} is in "${shown(String(value.in))}", which is not supported`,
      )
    }
    // OpenAPI: such parameters are ignored, because other parts of the document describe them.
    if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) return undefined
    const required = place === 'path' || value.required === true
    const content =
      value.content === undefined
        ? undefined
        : this.#contents({value: value.content, at: `${at}/content`}, 'left out')[0]
    const schema =
      content?.schema ??
      (value.schema === undefined
        ? true
        : this.#schema({value: value.schema, at: `${at}/schema`}, 'left out'))
    const style = styleOf(place, text(value.style), at)
    const example = exampleOf(value)
    return {
      name,
      in: place,
      required,
      ...(value.deprecated === true ? {deprecated: true} : {}),
      ...ifGiven('description', text(value.description)),
      ...(example === undefined ? {} : {example}),
      schema,
      style,
      explode: typeof value.explode === 'boolean' ? value.explode : style === 'form',
      ...(value.allowReserved === true ? {allowReserved: true} : {}),
      ...ifGiven('mediaType', content?.mediaType),
    }
  }

  #body(given: Placed): DocumentBody | undefined {
    const {value, at} = this.#follow(given)
    if (!isObject(value)) throw new Unusable(at, 'a request body must be an object')
    const contents = this.#contents({value: value.content, at: `${at}/content`}, 'left out')
    if (contents.length === 0) return undefined
    return {
      required: value.required === true,
      ...ifGiven('description', text(value.description)),
      contents,
    }
  }

  #responses({value, at}: Placed): DocumentResponse[] {
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([status, given]) => {
      if (status.startsWith('x-')) return []
      try {
        const reply = this.#follow({value: given, at: `${at}/${pointerStep(status)}`})
        if (!isObject(reply.value)) throw new Unusable(reply.at, 'a response must be an object')
        const {headers} = reply.value
        return [
          {
            status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
            ...ifGiven('description', text(reply.value.description)),
            headers: isObject(headers) ? Object.keys(headers).map(name => name.toLowerCase()) : [],
            contents: this.#contents({value: reply.value.content, at: `${reply.at}/content`}, 'unchecked'),
          },
        ]
      } catch (error) {
        if (!(error instanceof Unusable)) throw error
        this.#report(error.at, error.message, 'unchecked')
        return []
      }
    })
  }

  #contents(given: Placed, consequence: Fault['consequence']): DocumentContent[] {
    if (given.value === undefined) return []
    const {value, at} = this.#follow(given)
    if (!isObject(value)) throw new Unusable(at, '"content" must be an object')
    return Object.entries(value).map(([mediaType, held]) => {
      const {value: content, at: here} = this.#follow({value: held, at: `${at}/${pointerStep(mediaType)}`})
      if (!isObject(content)) throw new Unusable(here, 'a media type must be an object')
      const item = content.schema ?? content.itemSchema
      const schema =
        item === undefined ? undefined : this.#schema({value: item, at: `${here}/schema`}, consequence)
      const example = exampleOf(content)
      return {
        mediaType,
        ...(schema === undefined ? {} : {schema}),
        ...(example === undefined ? {} : {example}),
        ...ifGiven('encoding', encodingOf(content.encoding)),
      }
    })
  }

  #schema(given: Placed, consequence: Fault['consequence']): Schema {
    const faults: SchemaFault[] = []
    const schema = this.#forms.form(given, faults)
    for (const {at, message} of faults) {
      if (consequence === 'left out') throw new Unusable(at, message)
      this.#report(at, message, consequence)
    }
    if (this.#forms.faults.size === 0) return schema
    for (const name of this.#forms.reached(schema)) {
      const [fault] = this.#forms.faults.get(name) ?? []
      if (fault === undefined) continue
      if (consequence === 'left out') throw new Unusable(fault.at, fault.message)
      if (this.#reported.has(name)) continue
      this.#reported.add(name)
      this.#report(fault.at, fault.message, consequence)
    }
    return schema
  }

  #follow(placed: Placed): Placed {
    try {
      return this.#references.follow(placed)
    } catch (error) {
      if (error instanceof BadReference) throw new Unusable(placed.at, error.message)
      throw error
    }
  }

  #leaveOut(error: unknown): void {
    if (!(error instanceof Unusable)) throw error
    this.#report(error.at, error.message, 'left out')
  }

  #report(at: string, message: string, consequence: Fault['consequence']): void {
    this.faults.push({...this.#locate(at), message, consequence, operation: this.#operation})
  }
}

const STYLES: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

function styleOf(place: ParameterPlace, style: string | undefined, at: string): ParameterStyle {
  const known = STYLES[place]
  // `cookie` of 3.2 writes single values as `form` does.
  if (style === undefined || (place === 'cookie' && style === 'cookie')) return known[0] ?? 'form'
  const found = known.find(one => one === style)
  if (found === undefined)
    throw new Unusable(`${at}/style`, `${shown(style)} is no style of a ${place} parameter`)
  return found
}

function securityOf(given: unknown): Security {
  if (!Array.isArray(given)) return []
  return given.flatMap(one =>
    isObject(one)
      ? [
          Object.fromEntries(
            Object.entries(one).map(([name, scopes]) => [
              name,
              Array.isArray(scopes) ? scopes.map(String) : [],
            ]),
          ),
        ]
      : [],
  )
}

function exampleOf({example, examples}: Members): unknown {
  if (example !== undefined) return example
  if (!isObject(examples)) return undefined
  const [first] = Object.values(examples)
  return isObject(first) ? (first.value ?? first.dataValue) : undefined
}

function encodingOf(given: unknown): Readonly<Record<string, FieldEncoding>> | undefined {
  if (!isObject(given)) return undefined
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!isObject(value)) return []
      const style = STYLES.query.find(one => one === value.style)
      return [
        [
          name,
          {
            ...ifGiven('contentType', text(value.contentType)),
            ...ifGiven('style', style),
            ...(typeof value.explode === 'boolean' ? {explode: value.explode} : {}),
          },
        ],
      ]
    }),
  )
}

const ifGiven = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): {[Each in Name]?: Value} => (value === undefined ? {} : ({[name]: value} as {[Each in Name]?: Value}))

const shown = (name: string): string => maskWithin(name, 80)
