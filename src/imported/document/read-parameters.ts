import {isObject} from '../../errors/is-object.ts'
import {
  type DocumentParameter,
  type ParameterPlace,
  type ParameterStyle,
  STYLES,
  text,
  words,
} from './document.ts'
import {exampleOf, ifGiven, type PartReader, shown, Unusable} from './part-reader.ts'
import type {Placed} from './references.ts'

/** Parameters of a path and of its operation. */
export function readParameters(parts: PartReader, lists: readonly Placed[]): DocumentParameter[] {
  // A parameter of the operation overrides that of its path.
  const found = new Map<string, DocumentParameter>()
  for (const {value: list, at} of lists) {
    if (list === undefined) continue
    if (!Array.isArray(list)) throw new Unusable(at, '"parameters" must be a list')
    for (const [index, value] of list.entries()) {
      const parameter = readParameter(parts, parts.follow({value, at: `${at}/${index}`}))
      if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  return [...found.values()]
}

/** A path parameter that the document doesn't describe is text. */
export function undescribedParameters(
  parts: PartReader,
  path: string,
  known: readonly DocumentParameter[],
  at: string,
): DocumentParameter[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  return [...new Set(names)].flatMap(name => {
    if (known.some(parameter => parameter.in === 'path' && parameter.name === name)) return []
    parts.report(at, `no parameter describes {${shown(name)}} of the path; it is taken as text`, 'unchecked')
    return [{name, in: 'path', required: true, schema: {type: 'string'}, style: 'simple', explode: false}]
  })
}

function readParameter(parts: PartReader, {value, at}: Placed): DocumentParameter | undefined {
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
      : parts.contents({value: value.content, at: `${at}/content`}, 'left out')[0]
  const schema =
    content?.schema ??
    (value.schema === undefined ? true : parts.schema({value: value.schema, at: `${at}/schema`}, 'left out'))
  const style = styleOf(place, text(value.style), at)
  const example = exampleOf(value)
  return {
    name,
    in: place,
    required,
    ...(value.deprecated === true ? {deprecated: true} : {}),
    ...ifGiven('description', words(value.description)),
    ...(example === undefined ? {} : {example}),
    schema,
    style,
    explode: typeof value.explode === 'boolean' ? value.explode : style === 'form',
    // OpenAPI leaves open how a deepObject writes a list.
    ...((value.style === undefined && value.explode === undefined) || style === 'deepObject'
      ? {}
      : {isStyled: true}),
    ...(value.allowReserved === true ? {allowReserved: true} : {}),
    ...ifGiven('mediaType', content?.mediaType),
  }
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
