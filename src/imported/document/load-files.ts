import {realpath} from 'node:fs/promises'
import {basename, dirname, relative, sep} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {$RefParser, type $Refs, JSONParserErrorGroup} from '@apidevtools/json-schema-ref-parser'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {readDocumentFile} from '../../input/read-document-file.ts'
import {unreadableInput} from '../../input/read-input.ts'
import {LIMITS} from '../../limits/limits.ts'
import {parseText} from './parse-text.ts'
import {convertSwagger, isSwagger} from './swagger.ts'

/** A document with all files that it refers to. */
export interface LoadedFiles {
  readonly root: Readonly<Record<string, unknown>>
  /** The URL of the document itself. */
  readonly rootUrl: string
  /** The document itself was Swagger 2.0; its text still is. */
  readonly isConverted: boolean
  readonly refs: $Refs
  /** The text of each file that was read, by its URL. */
  readonly texts: ReadonlyMap<string, string>
  /** Why a file was not read, by its URL. */
  readonly refused: ReadonlyMap<string, string>
  /** A URL as a readable path: the document as the user named it, other files relative to its folder. */
  nameOf(url: string): string
}

export type DocumentSource =
  | {readonly file: string}
  /** The document comes from stdin, so it may not refer to files. */
  | {readonly text: string; readonly name: string}

/**
 * Reads a document and the files that it refers to, at or below its own folder. Never fetches a URL. Files that a
 * reference can't reach are in `refused`.
 *
 * @throws Failure INPUT_INVALID if the document itself can't be read or is neither JSON nor YAML.
 */
export async function loadFiles(source: DocumentSource): Promise<LoadedFiles> {
  const texts = new Map<string, string>()
  const refused = new Map<string, string>()
  const {path, folder, name, text} = await rootOf(source)
  const rootUrl = pathToFileURL(path).href
  texts.set(rootUrl, text)
  const parsed = parseText(text, name)
  if (!isObject(parsed)) {
    throw new Failure('INPUT_INVALID', {
      message: `${name} is no OpenAPI document: it holds no object.`,
      effect: 'none',
    })
  }
  const isConverted = isSwagger(parsed)
  const root = isConverted ? await convertSwagger(parsed, name) : parsed
  const nameOf = (url: string): string => {
    const file = withoutHash(url)
    if (file === rootUrl) return name
    return isLocal(file) ? relative(dirname(path), fileURLToPath(file)) : file
  }
  const read = async ({url, reference = ''}: {url: string; reference?: string}): Promise<string> => {
    try {
      const found = await readBelow(folder, url, reference)
      texts.set(url, found)
      return found
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.set(url, error.message)
      throw error
    }
  }
  const parse = ({url, data}: {url: string; data: string | Buffer}): unknown => {
    try {
      return parseText(String(data), nameOf(url))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refused.set(url, error.message)
      throw error
    }
  }
  const parser = new $RefParser()
  const options = {
    continueOnError: true,
    resolve: {http: false, file: false, below: {order: 1, canRead: true, read}},
    parse: {json: false, yaml: false, text: false, binary: false, any: {order: 1, canParse: true, parse}},
  }
  try {
    await parser.resolve(rootUrl, root, options as never)
  } catch (error) {
    // A broken reference is reported when it is followed.
    if (!(error instanceof JSONParserErrorGroup)) throw error
  }
  return {root, rootUrl, isConverted, refs: parser.$refs, texts, refused, nameOf}
}

export const withoutHash = (url: string): string => url.split('#', 1)[0] ?? ''

interface Root {
  readonly path: string
  /** Absent if the document may not refer to files. */
  readonly folder: string | undefined
  readonly name: string
  readonly text: string
}

async function rootOf(source: DocumentSource): Promise<Root> {
  if ('text' in source) return {path: '/stdin', folder: undefined, name: source.name, text: source.text}
  const {file} = source
  try {
    const path = await realpath(file)
    // If the document is a symbolic link, its files are next to the target.
    return {
      path,
      folder: dirname(path),
      name: file,
      text: await readDocumentFile(path, LIMITS.document.bytes, {name: basename(file), orStdin: true}),
    }
  } catch (error) {
    throw unreadableInput(file, error)
  }
}

/** @throws Failure that says why a file is not read. */
async function readBelow(folder: string | undefined, url: string, reference: string): Promise<string> {
  if (!isLocal(url) || /^[a-z][a-z\d+.-]+:/i.test(reference)) {
    throw refusal('nothing is fetched from an address; save it beside the document')
  }
  if (folder === undefined)
    throw refusal('a document from stdin cannot refer to files; name its file instead')
  if (/^[/\\]/.test(reference)) throw refusal('an absolute path; only files below the document are read')
  const path = fileURLToPath(url)
  const real = await realpath(path).catch(() => undefined)
  if (!isBelow(path, folder) || (real !== undefined && !isBelow(real, folder))) {
    throw refusal("it leads out of the document's folder")
  }
  if (real === undefined) throw refusal('there is no such file')
  return readDocumentFile(real, LIMITS.document.bytes, {name: relative(folder, path)})
}

/** A file URL with a host is another machine's. */
const isLocal = (url: string): boolean => url.startsWith('file:///')

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const refusal = (why: string): Failure => new Failure('INPUT_INVALID', {message: why, effect: 'none'})
