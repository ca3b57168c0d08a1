import {generateKeyPairSync, sign} from 'node:crypto'
import {isIP} from 'node:net'
import {
  bitString,
  boolean,
  context,
  contextPrimitive,
  integer,
  octetString,
  oid,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'

const DAY = 24 * 60 * 60 * 1000
const VALID_DAYS = 30

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))

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
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8String('cardctl'))))
  const serial = random(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serial),
    ecdsaWithSha256,
    name,
    sequence(time(now - DAY), time(now + VALID_DAYS * DAY)),
    name,
    publicKey.export({type: 'spki', format: 'der'}),
    context(3, sequence(...extensions(host))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ecdsaWithSha256, bitString(signature))
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
