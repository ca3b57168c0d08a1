import type {AnyInput, ArrayStyle, WrittenRequest} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {MASK, Secret} from '../../sensitive/secret.ts'
import type {ImportedOperation, ImportedParameter} from '../contract-form.ts'
import {pathValue} from './read-value.ts'
import type {SchemaSource} from './schema-source.ts'
import {writeBody} from './write-body.ts'
import {writeHeader, writeParameter} from './write-parameter.ts'

type Values = Readonly<Record<string, unknown>>

/** Writes a request as the document says. @throws Failure INPUT_INVALID */
export function writeRequest(
  operation: ImportedOperation,
  input: AnyInput,
  source: SchemaSource,
  arrays?: ArrayStyle,
): WrittenRequest {
  const headers: Record<string, string> = {}
  const secretHeaders: string[] = []
  const cookies: string[] = []
  for (const parameter of operation.parameters) {
    const {name, in: place} = parameter
    const value = given(
      parameter,
      place === 'header' ? input.headers : place === 'cookie' ? input.cookies : undefined,
    )
    if (value === undefined) continue
    const open = openSecret(value)
    if (place === 'header') {
      const header = name.toLowerCase()
      headers[header] = writeHeader(parameter, content(parameter, open))
      if (hide(value, parameter) === MASK) secretHeaders.push(header)
    } else {
      cookies.push(writeParameter(name, content(parameter, open), parameter))
      if (hide(value, parameter) === MASK) secretHeaders.push('cookie')
    }
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ').replaceAll('&', '; ')
  const body =
    operation.body === undefined || input.body === undefined
      ? undefined
      : writeBody(operation.body, input.body)
  return {
    target: target(operation, input, openSecret, {source, arrays}),
    shownTarget: target(operation, input, hide, {source, arrays}),
    headers,
    secretHeaders,
    ...(body === undefined ? {} : {body}),
  }
}

type Opened = (value: unknown, parameter?: ImportedParameter) => unknown

const openSecret: Opened = value => (value instanceof Secret ? String(value.open()) : value)
/** Logs of URLs live long, so personal data are hidden as well. */
const hide: Opened = (value, parameter) => (value instanceof Secret || parameter?.personal ? MASK : value)

function target(
  {path, parameters}: ImportedOperation,
  input: AnyInput,
  open: Opened,
  {source, arrays}: {readonly source: SchemaSource; readonly arrays: ArrayStyle | undefined},
): string {
  // A fragment only tells two operations of one path apart; it is never sent (RFC 9110, 4.2.5).
  const filled = path.replace(/#.*$/, '').replaceAll(/\{([^{}]+)\}/g, (braces, name: string) => {
    const parameter = parameters.find(one => one.in === 'path' && one.name === name)
    const value = parameter && given(parameter, input.path)
    if (parameter === undefined || value === undefined) {
      throw invalid(`The path needs a value for ${braces}.`)
    }
    return segment(parameter, pathValue(parameter, open(value, parameter), source))
  })
  const query = parameters.flatMap(parameter => {
    if (parameter.in !== 'query') return []
    const value = given(parameter, input.query)
    if (value === undefined) return []
    const opened = content(parameter, open(value, parameter))
    const isBracketed = arrays === 'brackets' && Array.isArray(opened) && !parameter.isStyled
    const written = isBracketed
      ? writeParameter(`${parameter.name.replace(/\[\]$/, '')}[]`, opened, {...parameter, ...REPEATED})
      : writeParameter(parameter.name, opened, parameter)
    return written === '' ? [] : [written]
  })
  // Added by the profile, such as auditUser, or by the paging of a list.
  const own = new Set(parameters.filter(({in: place}) => place === 'query').map(({name}) => name))
  for (const [name, value] of Object.entries(input.query)) {
    if (!own.has(name) && value !== undefined && value !== null) {
      query.push(writeParameter(name, value, REPEATED))
    }
  }
  return encodedLiterals(filled) + (query.length === 0 ? '' : `?${query.join('&')}`)
}

const REPEATED = {style: 'form', explode: true} as const

function segment(parameter: ImportedParameter, value: unknown): string {
  const texts = (isObject(value) ? Object.entries(value).flat() : [value].flat()).map(String)
  if (texts.some(text => text === '') || texts.length === 0) {
    throw invalid(`The value for ${parameter.name} is empty; it names a part of the path.`)
  }
  // Servers and proxies resolve these even if they are encoded (RFC 3986, 5.2.4 and 6.2.2.3).
  const written = writeParameter(parameter.name, value, parameter)
  const isOfDots = (text: string): boolean => text.split(/[/\\]/).some(part => part === '.' || part === '..')
  if (texts.some(isOfDots) || isOfDots(written)) {
    throw invalid(
      `The value for ${parameter.name} holds a segment of dots, which would lead to another path.`,
    )
  }
  return written
}

/** A value that is sent as JSON in its parameter. */
const content = ({mediaType}: ImportedParameter, value: unknown): unknown =>
  mediaType !== undefined && typeof value === 'object' ? JSON.stringify(value) : value

/** The fixed parts of a path in a document may have characters that a URL doesn't allow. */
const encodedLiterals = (path: string): string =>
  path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, char => encodeURIComponent(char.toWellFormed()))

const given = ({name}: ImportedParameter, values: Values = {}): unknown =>
  Object.hasOwn(values, name) && values[name] !== null ? values[name] : undefined

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})
