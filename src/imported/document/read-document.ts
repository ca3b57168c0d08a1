import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {type Fault, type ImportedDocument, type SecurityScheme, text, words} from './document.ts'
import {linesOf} from './line-of.ts'
import {type DocumentSource, type LoadedFiles, loadFiles, withoutHash} from './load-files.ts'
import {OperationReader} from './operation-reader.ts'
import {PartReader} from './part-reader.ts'
import {BadReference, References} from './references.ts'
import {SchemaForms} from './schema-forms.ts'
import {givenPointer} from './swagger.ts'

export type {DocumentSource} from './load-files.ts'

/**
 * Reads an OpenAPI document of version 3.0, 3.1 or 3.2, or Swagger 2.0, with the files that it refers to. An operation that can't be used
 * is left out and listed in `faults`.
 *
 * @throws Failure INPUT_INVALID if the document can't be read at all.
 */
export async function readDocument(source: DocumentSource): Promise<ImportedDocument> {
  const files = await loadFiles(source)
  const {root} = files
  const name = files.nameOf(files.rootUrl)
  const openapi = versionOf(root, name)
  const references = new References(files)
  const forms = new SchemaForms(references, openapi.slice(0, 3))
  const parts = new PartReader(references, forms, locator(files))
  const operations = new OperationReader(parts).readAll({value: root, at: `${files.rootUrl}#`})
  const info = isObject(root.info) ? root.info : {}
  const description = words(info.description)
  return {
    openapi: files.isConverted ? '2.0' : openapi,
    title: text(info.title) ?? name,
    version: String(info.version ?? ''),
    ...(description === undefined ? {} : {description}),
    tags: tagsOf(root.tags),
    servers: Array.isArray(root.servers)
      ? root.servers.flatMap(server => (isObject(server) ? serverUrls(server) : []))
      : [],
    securitySchemes: schemesOf(root, references, `${files.rootUrl}#`),
    operations,
    schemas: forms.schemas,
    faults: parts.faults,
    webhooks: isObject(root.webhooks) ? Object.keys(root.webhooks).length : 0,
  }
}

/** More addresses than these say nothing more. */
const MOST_URLS = 12

/** The addresses of a server with the values that its variables can have, the default one first. */
function serverUrls({url, variables}: Readonly<Record<string, unknown>>): readonly string[] {
  const given = text(url)
  if (given === undefined || !isObject(variables)) return given === undefined ? [] : [given]
  return Object.entries(variables).reduce<readonly string[]>(
    (urls, [name, variable]) => {
      if (!isObject(variable)) return urls
      const others = Array.isArray(variable.enum) ? variable.enum : []
      const values = new Set([variable.default, ...others].flatMap(value => text(value) ?? []))
      if (values.size === 0) return urls
      return [...values]
        .flatMap(value => urls.map(one => one.replaceAll(`{${name}}`, value)))
        .slice(0, MOST_URLS)
    },
    [given],
  )
}

function versionOf(root: Readonly<Record<string, unknown>>, name: string): string {
  const found = root.openapi
  const version = typeof found === 'number' ? found.toFixed(1) : found
  if (typeof version === 'string' && /^3\.[012](\.|-|$)/.test(version)) return version
  const {swagger} = root
  const isOlder = swagger !== undefined
  throw new Failure('INPUT_INVALID', {
    message: isOlder
      ? `${name} is a Swagger ${String(swagger).slice(0, 10)} document, not Swagger 2.0 or OpenAPI 3.`
      : typeof version === 'string'
        ? `${name} is an OpenAPI ${version.slice(0, 10)} document; 3.0, 3.1 and 3.2 are supported.`
        : `${name} is not an OpenAPI document: it has no field "openapi".`,
    hint: isOlder ? 'Convert it first.' : 'Name an OpenAPI document of version 3.0, 3.1 or 3.2.',
    effect: 'none',
  })
}

function tagsOf(tags: unknown): ImportedDocument['tags'] {
  if (!Array.isArray(tags)) return []
  return tags.flatMap(tag => {
    const name = isObject(tag) ? text(tag.name) : undefined
    if (name === undefined) return []
    const description = words(tag.description) ?? words(tag.summary)
    return [{name, ...(description === undefined ? {} : {description})}]
  })
}

const SCHEME_TYPES = ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'] as const

function schemesOf(
  root: Readonly<Record<string, unknown>>,
  references: References,
  at: string,
): Readonly<Record<string, SecurityScheme>> {
  const components = isObject(root.components) ? root.components : {}
  if (!isObject(components.securitySchemes)) return {}
  return Object.fromEntries(
    Object.entries(components.securitySchemes).flatMap(([name, scheme]) => {
      const read = schemeOf(scheme, references, at)
      return read === undefined ? [] : [[name, read]]
    }),
  )
}

function schemeOf(given: unknown, references: References, at: string): SecurityScheme | undefined {
  try {
    const {value} = references.follow({value: given, at})
    if (!isObject(value)) return undefined
    const type = SCHEME_TYPES.find(one => one === value.type)
    if (type === undefined) return undefined
    const place = (['query', 'header', 'cookie'] as const).find(one => one === value.in)
    const name = text(value.name)
    const scheme = text(value.scheme)?.toLowerCase()
    const tokenUrl = isObject(value.flows)
      ? Object.values(value.flows)
          .map(flow => (isObject(flow) ? text(flow.tokenUrl) : undefined))
          .find(url => url !== undefined)
      : undefined
    return {
      type,
      ...(scheme === undefined ? {} : {scheme}),
      ...(place === undefined ? {} : {in: place}),
      ...(name === undefined ? {} : {name}),
      ...(tokenUrl === undefined ? {} : {tokenUrl}),
    }
  } catch (error) {
    if (error instanceof BadReference) return undefined
    throw error
  }
}

/** Turns the URL of a place into its file, pointer and line. */
function locator(files: LoadedFiles): (at: string) => Pick<Fault, 'file' | 'pointer' | 'line'> {
  const finders = new Map<string, ReturnType<typeof linesOf>>()
  return at => {
    const file = withoutHash(at)
    const found = readable(at.slice(file.length)) || '#'
    const isConverted = files.isConverted && file === files.rootUrl
    const pointer = isConverted ? givenPointer(found) : found
    const content = files.texts.get(file)
    if (content === undefined) return {file: files.nameOf(file), pointer}
    const find = finders.get(file) ?? linesOf(content)
    finders.set(file, find)
    let steps = pointer
      .split('/')
      .slice(1)
      .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    let line = find(steps)
    // What the conversion made has no line of its own.
    while (isConverted && line === undefined && steps.length > 0) {
      steps = steps.slice(0, -1)
      line = find(steps)
    }
    return {file: files.nameOf(file), pointer, ...(line === undefined ? {} : {line})}
  }
}

function readable(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
