import {promisify} from 'node:util'
import {exceededLimit, inBytes, LIMITS} from '../limits/limits.ts'
import {hideIn} from '../sensitive/hide-known.ts'
import type {WireResponse} from './attempt.ts'

/** The bytes of a response that is no text, and its media type. */
export interface ReceivedFile {
  readonly bytes: Buffer
  readonly type: string
}

/** The body of a response. `why` completes "the body cannot be read: …". */
export type ReceivedBody =
  | {readonly kind: 'empty'}
  | {readonly kind: 'json'; readonly value: unknown}
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'html'; readonly text: string}
  /** What is no text, such as a PDF. */
  | {readonly kind: 'file'; readonly file: ReceivedFile}
  | {readonly kind: 'unreadable'; readonly why: string}

class Unreadable extends Error {}

/** Reading smaller bodies takes no noticeable time. */
const LONG = 256 * 1024

/** The title of a page that came instead of a response is within this many characters; the rest isn't read. */
const PAGE_HEAD = 100_000

/** The beginning of a page, whatever type it has: comments and an XML declaration may come first. */
const PAGE =
  /^\s*(?:<\?xml\b[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|(?:html|head|title|body|center|h1)\b)/i

/** Types that are never text, even where the bytes of one happen to be. */
const NO_TEXT =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|x-gzip|x-tar|msword|vnd\.(?:ms-excel|openxmlformats)))/

/** Types of text. What can't be read as such is damaged, or in another character set. */
const TEXT = /^(?:text\/|[^;]*[/+](?:json|xml|yaml|csv)\b)/

/** Proxies may add one encoding to the service's. More would only exhaust memory. */
const MAX_ENCODINGS = 2
const limits = {maxOutputLength: LIMITS.response.bytes}
const TEXT_TOO_LARGE = `its text is larger than ${inBytes(LIMITS.response.text)}`
const TOO_LARGE = `it is larger than ${inBytes(LIMITS.response.bytes)}`

async function decodeOnce(encoding: string, bytes: Buffer): Promise<Buffer> {
  const {brotliDecompress, gunzip, inflate, inflateRaw} = await import('node:zlib')
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return promisify(gunzip)(bytes, limits)
    case 'br':
      return promisify(brotliDecompress)(bytes, limits)
    case 'deflate':
      // RFC 9110 means zlib (RFC 1950), but some servers send bare deflate. The first byte tells them apart.
      return ((bytes[0] ?? 0) & 0x0f) === 8
        ? promisify(inflate)(bytes, limits)
        : promisify(inflateRaw)(bytes, limits)
    default:
      throw new Unreadable('it has an encoding that cardctl did not request')
  }
}

async function decode(response: WireResponse): Promise<Buffer> {
  const encodings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
  if (encodings.length > MAX_ENCODINGS) throw new Unreadable('it is encoded too many times')
  let bytes = response.body
  for (const encoding of encodings.reverse()) {
    if (bytes.length === 0) return bytes
    try {
      bytes = await decodeOnce(encoding, bytes)
    } catch (error) {
      if (error instanceof Unreadable) throw error
      const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      throw new Unreadable(large ? TOO_LARGE : 'its compression is damaged')
    }
  }
  return bytes
}

/**
 * Parses JSON. Numbers become doubles, which keep 15 significant digits. A longer number that a double would change
 * stays text, so that no digit changes silently.
 */
function parseJson(text: string): unknown {
  // Check the numbers one by one only if the text can hold such a number.
  if (!/[0-9.]{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value: unknown, context?: {source?: string}) => {
    if (typeof value !== 'number' || context?.source === undefined) return value
    const digits = context.source.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, '')
    return digits.length > 15 && !sameNumber(context.source, value) ? context.source : value
  })
}

function sameNumber(source: string, value: number): boolean {
  const plain = (text: string): string =>
    text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  return plain(source) === plain(String(value))
}

/**
 * Reads the body of a response, whatever it is. Never throws, and never quotes what it couldn't read.
 *
 * @param pause is awaited between the steps of long work, so that timers and signals act; if it throws, reading ends.
 */
export async function readBody(response: WireResponse, pause?: () => Promise<void>): Promise<ReceivedBody> {
  const type = (response.headers['content-type'] ?? '').toLowerCase()
  const isPage = /^\s*(?:text\/html|application\/xhtml)/.test(type)
  // That it is a page counts, also of one that can't be read.
  const unreadable = (why: string): ReceivedBody =>
    isPage ? {kind: 'html', text: ''} : {kind: 'unreadable', why}
  if (response.tooLarge) return unreadable(TOO_LARGE)
  let bytes: Buffer
  try {
    bytes = await decode(response)
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(error.message)
    throw error
  }
  const mediaType = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1] ?? 'application/octet-stream'
  const file: ReceivedBody = {kind: 'file', file: {bytes, type: mediaType}}
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    const isText = TEXT.test(mediaType) || PAGE.test(bytes.subarray(0, PAGE_HEAD).toString('latin1'))
    return isText ? unreadable('it is not UTF-8 text') : file
  }
  if (text.trim() === '') return {kind: 'empty'}
  const isLong = text.length > LONG
  if (isLong) await pause?.()
  if (isPage || PAGE.test(text.slice(0, PAGE_HEAD))) return {kind: 'html', text: text.slice(0, PAGE_HEAD)}
  const beyond = /^\s*[[{"]/.test(text) ? exceededLimit(text, LIMITS.response) : undefined
  if (beyond) return {kind: 'unreadable', why: `it ${beyond.why}`}
  try {
    const value = parseJson(text)
    if (isLong) await pause?.()
    return {kind: 'json', value}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The parser's own message quotes the text.
    if (/[/+]json\b/.test(type)) {
      return {kind: 'unreadable', why: `it is not valid JSON, or was cut off (${text.length} characters)`}
    }
    if (NO_TEXT.test(mediaType) || (text.includes('\0') && !TEXT.test(mediaType))) return file
    if (text.length > LIMITS.response.text) return {kind: 'unreadable', why: TEXT_TOO_LARGE}
    return {kind: 'text', text}
  }
}

/** The body, with secrets of the request hidden wherever it quotes them. */
export function withoutSecrets(body: ReceivedBody, hide: (text: string) => string): ReceivedBody {
  if (body.kind === 'json') return {kind: 'json', value: hideIn(body.value, hide)}
  return body.kind === 'text' || body.kind === 'html' ? {...body, text: hide(body.text)} : body
}
