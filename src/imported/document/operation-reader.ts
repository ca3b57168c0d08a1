import {isObject} from '../../errors/is-object.ts'
import {
  type DocumentBody,
  type DocumentMethod,
  type DocumentOperation,
  type DocumentResponse,
  METHODS,
  pointerStep,
  type Security,
  text,
  words,
} from './document.ts'
import {ifGiven, type Members, type PartReader, Unusable} from './part-reader.ts'
import {readParameters, undescribedParameters} from './read-parameters.ts'
import type {Placed} from './references.ts'

/** Reads the operations of a document one by one, so that a fault in one doesn't affect the others. */
export class OperationReader {
  readonly #parts: PartReader

  constructor(parts: PartReader) {
    this.#parts = parts
  }

  readAll(root: Placed): DocumentOperation[] {
    const document = root.value as Members
    const at = `${root.at}/paths`
    if (document.paths === undefined) return []
    if (!isObject(document.paths)) {
      this.#parts.report(at, '"paths" must be an object', 'left out')
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
    this.#parts.operation = path
    try {
      const item = this.#parts.follow(given)
      if (!isObject(item.value)) throw new Unusable(given.at, 'a path must be an object')
      if (!path.startsWith('/')) throw new Unusable(given.at, 'a path must begin with /')
      if (hasDotSegment(path)) throw new Unusable(given.at, 'a path must not have . or .. as a segment')
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
      this.#parts.leaveOut(error)
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
      this.#parts.operation = `${name.toUpperCase()} ${path}`
      this.#parts.report(`${at}/${place}`, `the method ${name.toUpperCase()} is not supported`, 'left out')
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
    this.#parts.operation = `${method} ${path}`
    try {
      const {value, at} = this.#parts.follow(given)
      if (!isObject(value)) throw new Unusable(at, 'an operation must be an object')
      const shared = item.value as Members
      const parameters = readParameters(this.#parts, [
        {value: shared.parameters, at: `${item.at}/parameters`},
        {value: value.parameters, at: `${at}/parameters`},
      ])
      parameters.push(...undescribedParameters(this.#parts, path, parameters, at))
      const body =
        value.requestBody === undefined
          ? undefined
          : this.#body({value: value.requestBody, at: `${at}/requestBody`})
      const operation: DocumentOperation = {
        pointer: this.#parts.pointerOf(given),
        method,
        path,
        ...ifGiven('operationId', text(value.operationId)),
        tags: Array.isArray(value.tags) ? value.tags.flatMap(tag => text(tag) ?? []) : [],
        ...ifGiven('summary', words(value.summary) ?? words(shared.summary)),
        ...ifGiven('description', words(value.description) ?? words(shared.description)),
        deprecated: value.deprecated === true,
        parameters,
        ...ifGiven('body', body),
        replies: this.#responses({value: value.responses, at: `${at}/responses`}),
        security: value.security === undefined ? inherited : securityOf(value.security),
        extensions: Object.fromEntries(Object.entries(value).filter(([name]) => name.startsWith('x-'))),
      }
      return [operation]
    } catch (error) {
      this.#parts.leaveOut(error)
      return []
    }
  }

  #body(given: Placed): DocumentBody | undefined {
    const {value, at} = this.#parts.follow(given)
    if (!isObject(value)) throw new Unusable(at, 'a request body must be an object')
    const contents = this.#parts.contents({value: value.content, at: `${at}/content`}, 'left out')
    if (contents.length === 0) return undefined
    return {
      required: value.required === true,
      ...ifGiven('description', words(value.description)),
      contents,
    }
  }

  #responses({value, at}: Placed): DocumentResponse[] {
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([status, given]) => {
      if (status.startsWith('x-')) return []
      try {
        const reply = this.#parts.follow({value: given, at: `${at}/${pointerStep(status)}`})
        if (!isObject(reply.value)) throw new Unusable(reply.at, 'a response must be an object')
        const {headers} = reply.value
        return [
          {
            status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
            ...ifGiven('description', words(reply.value.description)),
            headers: isObject(headers) ? Object.keys(headers).map(name => name.toLowerCase()) : [],
            contents: this.#parts.contents(
              {value: reply.value.content, at: `${reply.at}/content`},
              'unchecked',
            ),
          },
        ]
      } catch (error) {
        if (!(error instanceof Unusable)) throw error
        this.#parts.report(error.at, error.message, 'unchecked')
        return []
      }
    })
  }
}

/** Also in an encoded form, and between backslashes, which URLs take for slashes: such a path leaves its base URL. */
const hasDotSegment = (path: string): boolean =>
  path
    .replaceAll(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .some(segment => segment === '.' || segment === '..')

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
