import {createHmac, timingSafeEqual} from 'node:crypto'
import type {Secret} from '../sensitive/secret.ts'
import {PLACEHOLDER} from './signature-defaults.ts'

/** How calls are signed: HMAC-SHA-256 over their time and their body. */
export interface CallSignature {
  /** The first one signs; a signature by any of them is valid, so that keys can be changed one side at a time. */
  readonly keys: readonly Secret[]
  /** The header with the signature. */
  readonly header: string
  /** The header with the time, in whole seconds since 1970. */
  readonly timestampHeader: string
  /**
   * What is signed: text with `{body}`, the bytes of the body, and `{timestamp}`, the time as its header has it.
   * Without `{timestamp}` there is no time, so an old call can't be told from a new one.
   */
  readonly signed: string
  readonly encoding: 'hex' | 'base64'
  /** What comes before the signature in its header, such as `sha256=`. */
  readonly prefix: string
  /** How far the time of a call may differ from now, either way. */
  readonly toleranceMs: number
}

/** Headers as node:http has them: names in lower case. */
export type CallHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What is wrong with a signature. The message is a sentence without a full stop, and quotes nothing of the call. */
export interface SignatureFault {
  readonly kind: 'missing' | 'wrong' | 'too-old' | 'from-the-future'
  readonly message: string
}

/** Whether a signature covers the time of its call. */
const hasTime = ({signed}: CallSignature): boolean => signed.includes('{timestamp}')

function mac(key: Secret, {signed}: CallSignature, timestamp: string, body: Uint8Array): Buffer {
  const hmac = createHmac('sha256', key.open())
  for (const part of signed.split(PLACEHOLDER)) {
    if (part === '{body}') hmac.update(body)
    else hmac.update(part === '{timestamp}' ? timestamp : part)
  }
  return hmac.digest()
}

/**
 * The headers of a signed call.
 *
 * @param now milliseconds since 1970.
 */
export function signatureHeaders(
  body: Uint8Array,
  signature: CallSignature,
  now: number,
): Readonly<Record<string, string>> {
  const [key] = signature.keys
  if (!key) throw new RangeError('There is no key to sign with.')
  const {header, timestampHeader, prefix, encoding} = signature
  const timestamp = String(Math.floor(now / 1000))
  return {
    ...(hasTime(signature) ? {[timestampHeader.toLowerCase()]: timestamp} : {}),
    [header.toLowerCase()]: prefix + mac(key, signature, timestamp, body).toString(encoding),
  }
}

/** A later time can't be written in its header's digits. */
const TIMESTAMP = /^\d{1,12}$/
/** More signatures in one header only cost time. */
const MOST = 10

/**
 * Checks the signature of a call, over the bytes of its body as they came. Undefined if it is valid. The time that this
 * takes doesn't depend on how much of a signature is right.
 *
 * @param now milliseconds since 1970.
 */
export function signatureFault(
  headers: CallHeaders,
  body: Uint8Array,
  signature: CallSignature,
  now: number,
): SignatureFault | undefined {
  const {header, timestampHeader, keys, toleranceMs} = signature
  const given = textOf(headers, header)
  if (given === '') return {kind: 'missing', message: `the signature is missing (header ${header})`}
  const timestamp = textOf(headers, timestampHeader)
  if (hasTime(signature) && timestamp === '') {
    return {kind: 'missing', message: `the time of the signature is missing (header ${timestampHeader})`}
  }
  const isTime = !hasTime(signature) || TIMESTAMP.test(timestamp)
  if (!isTime) {
    const message = `the time of the signature is not in seconds since 1970 (header ${timestampHeader})`
    return {kind: 'wrong', message}
  }
  const found = given.split(',', MOST).flatMap(one => bytesOf(one.trim(), signature) ?? [])
  if (found.length === 0) {
    return {kind: 'wrong', message: `the signature is not ${formOf(signature)} (header ${header})`}
  }
  // Compares with every key, so that the time doesn't tell which one it was.
  const isRight = keys
    .map(key => mac(key, signature, timestamp, body))
    .flatMap(expected => found.map(bytes => timingSafeEqual(bytes, expected)))
    .includes(true)
  if (!isRight)
    return {kind: 'wrong', message: 'the signature is wrong: another key, or another body or time'}
  if (!hasTime(signature)) return undefined
  const age = Math.floor(now / 1000) - Number(timestamp)
  if (Math.abs(age) * 1000 <= toleranceMs) return undefined
  const beyond = `${Math.abs(age)} s, more than the tolerance of ${toleranceMs / 1000} s`
  return age > 0
    ? {kind: 'too-old', message: `the signature is too old: ${beyond}`}
    : {kind: 'from-the-future', message: `the signature is from the future: ${beyond}`}
}

function textOf(headers: CallHeaders, name: string): string {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/

/** The 32 bytes of a signature; undefined if it doesn't have its form. */
function bytesOf(text: string, {prefix, encoding}: CallSignature): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined
  const digits = text.slice(prefix.length)
  return (encoding === 'hex' ? HEX : BASE64).test(digits) ? Buffer.from(digits, encoding) : undefined
}

const formOf = ({prefix, encoding}: CallSignature): string =>
  `${prefix === '' ? '' : `${prefix} and `}SHA-256 in ${encoding === 'hex' ? 'hexadecimal digits' : 'Base64'}`
