import {createHash, createHmac, timingSafeEqual} from 'node:crypto'
import type {Secret} from '../sensitive/secret.ts'
import {keyBytes, keyProblem, PLACEHOLDER, type SignatureForm} from './signature-defaults.ts'

/** How calls are signed: HMAC-SHA-256 over their time and their body. */
export interface CallSignature extends SignatureForm {
  /** The first one signs; a signature by any of them is valid, so that keys can be changed one side at a time. */
  readonly keys: readonly Secret[]
}

/** Headers as node:http has them: names in lower case. */
export type CallHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What is wrong with a signature. The message is a sentence without a full stop, and quotes nothing of the call. */
export interface SignatureFault {
  readonly kind: 'missing' | 'wrong' | 'too-old' | 'from-the-future'
  readonly message: string
}

/** Whether a signature covers the time or the id of its call. */
const has = ({signed}: SignatureForm, what: 'timestamp' | 'id'): boolean => signed.includes(`{${what}}`)

/** What a signature covers beside the body, as the headers have it. */
interface Covered {
  readonly id: string
  readonly timestamp: string
}

function mac(key: Secret, form: SignatureForm, {id, timestamp}: Covered, body: Uint8Array): Buffer {
  const problem = keyProblem(key.open(), form)
  if (problem !== undefined) throw new RangeError(`The key ${problem}.`)
  const hmac = createHmac('sha256', keyBytes(key.open(), form))
  for (const part of form.signed.split(PLACEHOLDER)) {
    if (part === '{body}') hmac.update(body)
    else hmac.update(part === '{timestamp}' ? timestamp : part === '{id}' ? id : part)
  }
  return hmac.digest()
}

/** The id of a message: the same each time that the same body is sent. */
const idOf = (body: Uint8Array): string =>
  `msg_${createHash('sha256').update(body).digest('hex').slice(0, 32)}`

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
  const {header, timestampHeader, idHeader, prefix, encoding} = signature
  const covered = {timestamp: String(Math.floor(now / 1000)), id: idOf(body)}
  return {
    ...(has(signature, 'id') && {[idHeader.toLowerCase()]: covered.id}),
    ...(has(signature, 'timestamp') && {[timestampHeader.toLowerCase()]: covered.timestamp}),
    [header.toLowerCase()]: prefix + mac(key, signature, covered, body).toString(encoding),
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
  const {header, timestampHeader, idHeader, keys, prefix, toleranceMs} = signature
  const given = textOf(headers, header)
  if (given === '') return {kind: 'missing', message: `the signature is missing (header ${header})`}
  const timestamp = textOf(headers, timestampHeader)
  const hasTime = has(signature, 'timestamp')
  if (hasTime && timestamp === '') {
    return {kind: 'missing', message: `the time of the signature is missing (header ${timestampHeader})`}
  }
  const id = textOf(headers, idHeader)
  if (has(signature, 'id') && id === '')
    return {kind: 'missing', message: `the id of the message is missing (header ${idHeader})`}
  const isTime = !hasTime || TIMESTAMP.test(timestamp)
  if (!isTime) {
    const message = `the time of the signature is not in seconds since 1970 (header ${timestampHeader})`
    return {kind: 'wrong', message}
  }
  const between = prefix.includes(',') ? /\s+/ : /[\s,]+/
  const found = given.split(between, MOST).flatMap(one => bytesOf(one, signature) ?? [])
  if (found.length === 0) {
    return {kind: 'wrong', message: `the signature is not ${formOf(signature)} (header ${header})`}
  }
  // Compares with every key, so that the time doesn't tell which one it was.
  const isRight = keys
    .map(key => mac(key, signature, {timestamp, id}, body))
    .flatMap(expected => found.map(bytes => timingSafeEqual(bytes, expected)))
    .includes(true)
  if (!isRight)
    return {kind: 'wrong', message: 'the signature is wrong: another key, or another body or time'}
  if (!hasTime) return undefined
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
