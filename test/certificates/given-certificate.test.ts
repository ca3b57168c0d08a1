import {generateKeyPairSync, X509Certificate} from 'node:crypto'
import {expect, test} from 'vitest'
import {checkPair, makeCertificate, readAuthorities} from '../../src/certificates/index.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {pem} from '../http/listening.ts'

const named = (text: string) => ({text, name: '--tls-cert (server.pem)'})
const key = (text: string) => ({text: new Secret(text), name: '--tls-key (server.key)'})

test('a certificate and its key pass, also with those that signed it', () => {
  const made = makeCertificate('localhost', Date.UTC(2026, 5, 15), size => Buffer.alloc(size, 1))
  expect(() => checkPair(named(made.cert), key(made.key))).not.toThrow()
  expect(() => checkPair(named(pem('service') + pem('ca')), key(pem('service.key')))).not.toThrow()
})

const locked = generateKeyPairSync('rsa', {modulusLength: 2048}).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'x',
}) as string
const cut = pem('service').replace(/[A-Za-z0-9+/]{64}\n/, '')

test.each([
  ['no PEM', 'hello', pem('service.key'), '--tls-cert (server.pem) holds no certificate in PEM form.'],
  [
    'no certificate',
    cut,
    pem('service.key'),
    '--tls-cert (server.pem) holds a certificate that cannot be read.',
  ],
  ['no key', pem('service'), pem('service'), '--tls-key (server.key) holds no private key in PEM form.'],
  ['another key', pem('service'), pem('client.key'), 'is not the private key of --tls-cert (server.pem).'],
  ['a locked key', pem('service'), locked, 'has a passphrase'],
])('%s is refused in words that quote nothing', (_, cert, privateKey, message) => {
  expect(() => checkPair(named(cert), key(privateKey))).toThrow(
    expect.objectContaining({code: 'INPUT_INVALID', message: expect.stringContaining(message)}),
  )
})

test('of a file of authorities only the certificates are taken', () => {
  const text = readAuthorities(named(`# ours\n${pem('ca')}${pem('service.key')}${pem('service')}`))
  expect(text).not.toContain('PRIVATE')
  expect(text.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  expect(new X509Certificate(text).ca).toBe(true)
})
