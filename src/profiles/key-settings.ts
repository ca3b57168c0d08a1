// Certificates, and the public key that card numbers are encrypted with.
import {isAbsolute} from 'node:path'
import {checkUrl} from './addresses.ts'
import {absolute} from './reference.ts'
import {checkedText, flag, path, type Read, secret, setting, text, type ValueType} from './value-types.ts'

export const tlsMembers = {
  ca: setting(path, {
    doc: 'certificate authorities to trust besides those of the system, a PEM file',
    flag: flag('ca', 'text', 'Certificate authorities to trust, PEM.', 'FILE'),
  }),
  cert: setting(path, {
    doc: 'the client certificate, a PEM file',
    flag: flag('cert', 'text', 'Client certificate, PEM.', 'FILE'),
  }),
  key: setting(secret, {
    doc: 'the private key of the client certificate',
    flag: flag(
      'cert-key',
      'secret',
      'Private key of the client certificate.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
}

export type StoredTls = Read<typeof tlsMembers>

const keySource: ValueType<string> = {
  ...checkedText((value, {allowInsecure}) => {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
      const checked = checkUrl(value, allowInsecure === true)
      return 'url' in checked ? {value} : checked
    }
    return isAbsolute(value)
      ? {value}
      : {problem: 'must be an absolute path of a JWKS or PEM file, or a URL of one'}
  }),
  store: (given, place) => (given === '' || given.includes('://') ? given : absolute(given, place)),
}

export const panKeyMembers = {
  source: setting(keySource, {
    required: true,
    doc: 'the public key of the service that encrypts card numbers: a JWKS or PEM file, or its `https:` URL',
    flag: flag('pan-key', 'text', "The service's public key for card numbers: JWKS or PEM.", 'FILE|URL'),
  }),
  thumbprint: setting(text(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 thumbprint in base64url'), {
    doc: 'the RFC 7638 thumbprint that selects that key and pins it',
    flag: flag('pan-key-thumbprint', 'text', 'RFC 7638 thumbprint that pins that key.'),
  }),
}
