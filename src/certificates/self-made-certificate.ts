import {generateKeyPairSync, sign} from 'node:crypto'
import {isIP} from 'node:net'

const DAY = 24 * 60 * 60 * 1000
const VALID_DAYS = 30

/**
 * Creates a self-signed certificate (RFC 5280) for this run, P-256, valid for a month. It encrypts the connection, but
 * only proves the server's identity to clients that trust this certificate.
 *
 * @param host the host that the server listens on. `localhost` and the loopback addresses are always included.
 * @returns PEM texts.
 */
export function makeCertificate(
  host: string,
  now: number,
  random: (size: number) => Buffer,
): {cert: string; key: string} {
  const {publicKey, privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  // ecdsa-with-SHA256
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8String('cardctl'))))
  const serial = random(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name,
    sequence(time(now - DAY), time(now + VALID_DAYS * DAY)),
    name,
    publicKey.export({type: 'spki', format: 'der'}),
    context(3, sequence(...extensions(host))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, algorithm, bitString(signature))
  return {
    cert: pem('CERTIFICATE', certificate),
    key: privateKey.export({type: 'pkcs8', format: 'pem'}) as string,
  }
}

function extensions(host: string): Buffer[] {
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])].map(generalName)
  return [
    sequence(oid('2.5.29.17'), octetString(sequence(...names))),
    // basicConstraints: a CA, so that clients can trust it directly.
    sequence(oid('2.5.29.19'), boolean(true), octetString(sequence(boolean(true)))),
    // keyUsage: digitalSignature and keyCertSign.
    sequence(oid('2.5.29.15'), boolean(true), octetString(bitString(Buffer.from([0x84]), 2))),
    // extKeyUsage: serverAuth and clientAuth, so that a test can use one pair on both sides.
    sequence(oid('2.5.29.37'), octetString(sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2')))),
  ]
}

/** dNSName or iPAddress (RFC 5280, 4.2.1.6). */
function generalName(host: string): Buffer {
  const version = isIP(host)
  if (version === 0) return contextPrimitive(2, Buffer.from(host, 'ascii'))
  return contextPrimitive(7, version === 4 ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host))
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = (text: string) => text.split(':').filter(group => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({length: tail === undefined ? 0 : 8 - before.length - after.length}, () => '0')
  return Buffer.from([...before, ...zeros, ...after].map(group => group.padStart(4, '0')).join(''), 'hex')
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The part of DER (ITU-T X.690) that a certificate needs: tag, length, content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Short form up to 127. Above, the number of length bytes comes first. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items)
const set = (...items: readonly Uint8Array[]) => der(0x31, ...items)
const utf8String = (text: string) => der(0x0c, Buffer.from(text, 'utf8'))
const octetString = (content: Uint8Array) => der(0x04, content)
const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]))
/** @param unused bits at the end of the last byte that don't count. */
const bitString = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content)
/** Context-specific tags: constructed, or primitive with its content. */
const context = (number: number, ...items: readonly Uint8Array[]) => der(0xa0 | number, ...items)
const contextPrimitive = (number: number, content: Uint8Array) => der(0x80 | number, content)

/** A positive integer from its big-endian bytes. */
function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0
  return der(0x02, negative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** An object identifier in dots: `2.5.29.17`. */
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(arc: number): number[] {
  const low = arc & 0x7f
  return arc < 0x80 ? [low] : [...base128(Math.floor(arc / 0x80)).map(byte => byte | 0x80), low]
}

/** UTCTime to 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */
function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]|\.\d+Z$/g, '')
  return Number(digits.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`))
}
