import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {maskWithin} from '../../sensitive/mask-text.ts'

type Members = Readonly<Record<string, unknown>>

export const isSwagger = ({swagger}: Members): boolean => String(swagger) === '2' || String(swagger) === '2.0'

/**
 * A Swagger 2.0 document as OpenAPI 3.0.
 *
 * @throws Failure INPUT_INVALID for one that can't be converted, or whose paths are in other files.
 */
export async function convertSwagger(document: Members, name: string): Promise<Members> {
  const paths = withoutSharedBodies(document, name)
  // Loaded on first use: most documents are OpenAPI.
  const {upgradeFromTwoToThree} = await import('@scalar/openapi-upgrader/2.0-to-3.0')
  try {
    return upgradeFromTwoToThree({...document, swagger: '2.0', paths}) as Members
  } catch {
    // Its message may quote the document.
    throw unusable(name, 'it cannot be converted to OpenAPI 3')
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/**
 * Paths whose operations have their bodies themselves. The library knows no bodies that operations share, by a
 * reference or because the path has them.
 */
function withoutSharedBodies({paths, parameters: shared}: Members, name: string): Members {
  if (!isObject(paths)) return {}
  const resolved = (parameter: unknown): unknown => {
    const reference = isObject(parameter) ? parameter.$ref : undefined
    if (typeof reference !== 'string') return parameter
    if (!reference.startsWith('#'))
      throw unusable(name, `it refers to ${maskWithin(reference, 120)} for a parameter`)
    const [, own] = /^#\/parameters\/([^/]+)$/.exec(reference) ?? []
    const found = own === undefined || !isObject(shared) ? undefined : shared[own]
    return isBody(found) ? found : parameter
  }
  const listOf = (parameters: unknown): readonly unknown[] =>
    Array.isArray(parameters) ? parameters.map(resolved) : []
  const withOwn = (item: unknown): unknown => {
    if (!isObject(item)) return item
    if (typeof item.$ref === 'string')
      throw unusable(name, `it refers to ${maskWithin(item.$ref, 120)} for a path`)
    const common = listOf(item.parameters)
    const bodies = common.filter(isBody)
    const operations = METHODS.flatMap(method => {
      const operation = item[method]
      if (!isObject(operation)) return []
      const own = listOf(operation.parameters)
      const isOwn = (parameter: unknown): boolean =>
        own.some(one => isBody(one) && nameOf(one) === nameOf(parameter))
      const inherited = method === 'get' || method === 'head' ? [] : bodies.filter(one => !isOwn(one))
      return [[method, {...operation, parameters: [...own, ...inherited]}] as const]
    })
    return {
      ...item,
      parameters: common.filter(parameter => !isBody(parameter)),
      ...Object.fromEntries(operations),
    }
  }
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, withOwn(item)]))
}

const isBody = (parameter: unknown): boolean =>
  isObject(parameter) && (parameter.in === 'body' || parameter.in === 'formData')

/** There is one body, and many fields of a form. */
const nameOf = (parameter: unknown): unknown =>
  isObject(parameter) ? (parameter.in === 'body' ? 'body' : parameter.name) : undefined

/** Where the parts of the converted document stand in the given one. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  [/^#\/components\/schemas\b/, '#/definitions'],
  [/^#\/components\/securitySchemes\b/, '#/securityDefinitions'],
  [/^#\/components\/(?:parameters|requestBodies)\b/, '#/parameters'],
  [/^#\/components\/responses\b/, '#/responses'],
  [/^(#\/.*?\/responses\/[^/]+)\/content\/[^/]+/, '$1'],
  [/^(#\/paths\/[^/]+\/[^/]+)\/requestBody\b.*$/, '$1/parameters'],
  [/^(#\/(?:paths\/[^/]+\/[^/]+|paths\/[^/]+)\/parameters)\/.*$/, '$1'],
]

/** The pointer in a Swagger document of a place in the converted one, as near as it can be told. */
export const givenPointer = (pointer: string): string =>
  MOVED.reduce((at, [from, to]) => at.replace(from, to), pointer)

const unusable = (name: string, why: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${name} is a Swagger 2.0 document, and ${why}.`,
    hint: 'Put it in one file, or convert it to OpenAPI 3, and import it again.',
    effect: 'none',
  })
