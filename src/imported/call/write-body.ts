import {randomBytes} from 'node:crypto'
import {Failure} from '../../errors/failure.ts'
import {isObject} from '../../errors/is-object.ts'
import {Secret} from '../../sensitive/secret.ts'
import type {ImportedBody} from '../contract-form.ts'
import {writeParameter} from './write-parameter.ts'

/** A file in a form. Never stored in the journal or printed. */
export class FilePart extends Secret<Buffer> {
  readonly name: string
  constructor(name: string, bytes: Buffer) {
    super(bytes)
    this.name = name
  }
}

export interface WrittenBody {
  readonly bytes: Buffer
  readonly type: string
}

/** A body as bytes of its media type. @throws Failure INPUT_INVALID for a value that the media type can't hold. */
export function writeBody({kind, mediaType, encoding = {}}: ImportedBody, body: unknown): WrittenBody {
  switch (kind) {
    case 'json':
      return {bytes: Buffer.from(json(opened(body))), type: mediaType}
    case 'form':
      return {bytes: Buffer.from(form(opened(body), encoding)), type: mediaType}
    case 'multipart':
      return multipart(body, encoding)
    case 'other': {
      const open = opened(body)
      if (Buffer.isBuffer(open)) return {bytes: open, type: mediaType}
      return {bytes: Buffer.from(typeof open === 'string' ? open : json(open)), type: mediaType}
    }
  }
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw invalid(
      'The body cannot be written as JSON: it is nested too deep, or holds something that is no JSON value.',
    )
  }
}

type Encoding = NonNullable<ImportedBody['encoding']>

/** Nested fields of a form are written as most services read them: `address[city]=Oslo`. */
function form(body: unknown, encoding: Encoding): string {
  return fieldsOf(body)
    .flatMap(([name, value]) => {
      const {style, explode, contentType} = Object.hasOwn(encoding, name) ? (encoding[name] ?? {}) : {}
      if (contentType !== undefined && /json/.test(contentType)) {
        return [writeParameter(name, json(value), {style: 'form', explode: true})]
      }
      if (style !== undefined)
        return [writeParameter(name, value, {style, explode: explode ?? style === 'form'})]
      if (isObject(value)) return [writeParameter(name, value, {style: 'deepObject', explode: true})]
      if (Array.isArray(value) && value.some(item => typeof item === 'object')) {
        return [writeParameter(name, {...value}, {style: 'deepObject', explode: true})]
      }
      return [writeParameter(name, value, {style: 'form', explode: explode ?? true})]
    })
    .filter(pair => pair !== '')
    .join('&')
}

/** RFC 7578. */
function multipart(body: unknown, encoding: Encoding): WrittenBody {
  const boundary = `cardctl-${randomBytes(16).toString('hex')}`
  const pieces: Buffer[] = []
  const part = (name: string, value: unknown): void => {
    const wanted = Object.hasOwn(encoding, name) ? encoding[name]?.contentType : undefined
    const file = value instanceof FilePart ? value : undefined
    const open = opened(value)
    const isText = typeof open !== 'object' || open === null
    const type = file ? typeOf(file, wanted) : (wanted ?? (isText ? undefined : 'application/json'))
    const head = [
      `--${boundary}`,
      `content-disposition: form-data; name="${quoted(name)}"${file ? `; filename="${quoted(file.name)}"` : ''}`,
      ...(type === undefined || /[^\x20-\x7e]/.test(type) ? [] : [`content-type: ${type.split(',', 1)[0]}`]),
    ]
    const content = Buffer.isBuffer(open) ? open : Buffer.from(isText ? String(open ?? '') : json(open))
    pieces.push(Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n'))
  }
  for (const [name, value] of fieldsOf(body)) {
    if (Array.isArray(value)) for (const item of value) part(name, item)
    else part(name, value)
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return {bytes: Buffer.concat(pieces), type: `multipart/form-data; boundary=${boundary}`}
}

/** Media types of files by the ends of their names, as far as services ask for them. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
}

/** The type of a file by its name, if it is among those that the document allows, such as `image/png, image/*`. */
function typeOf({name}: FilePart, wanted: string | undefined): string {
  const end = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const own = (Object.hasOwn(TYPES, end) ? TYPES[end] : undefined) ?? 'application/octet-stream'
  const allowed = wanted?.split(',').map(one => one.trim()) ?? []
  const isOwn = allowed.some(one => one === own || one === '*/*' || one === own.replace(/\/.*/, '/*'))
  return isOwn ? own : (allowed.find(one => !one.includes('*')) ?? own)
}

function fieldsOf(body: unknown): [string, unknown][] {
  if (isObject(body)) return Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  throw invalid('A form needs an object as its body.')
}

/** HTML, "multipart/form-data": characters that would end the name are percent-encoded. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, char => encodeURIComponent(char)).toWellFormed()

/** The bytes to send, including secrets. */
function opened(value: unknown): unknown {
  if (value instanceof Secret) {
    const open: unknown = value.open()
    return Buffer.isBuffer(open) && !(value instanceof FilePart) ? open.toString('utf8') : open
  }
  if (Array.isArray(value)) return value.map(opened)
  if (!isObject(value) || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, opened(item)]))
}

const invalid = (message: string): Failure => new Failure('INPUT_INVALID', {message, effect: 'none'})
