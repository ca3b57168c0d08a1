import {createPublicKey} from 'node:crypto'
import {expect, test} from 'vitest'
import {type TestSandbox, testSandbox} from './helpers/sandbox.ts'

const client = {clientAppID: 'app', clientDeviceID: 'device', clientWalletAccountID: 'account'}
const walleta = {certificates: ['MIIB', 'MIIC'], nonce: 'n', nonceSignature: '00ff'}
const decoded = (base64: string | undefined) =>
  JSON.parse(Buffer.from(base64 ?? '', 'base64').toString('utf8')) as object

const provisionA = (sandbox: TestSandbox, cardId: string) =>
  sandbox.op('wallets.provisionA.v1', {path: {cardId}, body: walleta})

test('wallet A gets data plainly marked as a test, and a real point of the curve', async () => {
  const sandbox = await testSandbox()
  const {body} = await provisionA(sandbox, '3004')
  expect(decoded(body.activationData)).toMatchObject({sandbox: true, cardId: '3004', nonce: 'n'})
  expect(Buffer.from(body.encryptedPassData, 'base64').toString('latin1')).toMatch(/^Test data of a sandbox/)
  const point = Buffer.from(body.ephemeralPublicKey, 'base64')
  expect(() => readPoint(point)).not.toThrow()
  const hex = (await provisionA(sandbox, '3001')).body.ephemeralPublicKey
  expect(() => readPoint(Buffer.from(hex, 'hex'))).not.toThrow()
})

/** Refuses a point that isn't on P-256. */
function readPoint(point: Buffer) {
  expect([point.length, point[0]]).toEqual([65, 4])
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  return createPublicKey({key: {kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? ''}, format: 'jwk'})
}

test('wallet B gets the opaque card only when it asks, and then needs a session', async () => {
  const sandbox = await testSandbox()
  const provision = (more: object) =>
    sandbox.op('wallets.provisionB.v1', {path: {cardId: '3001'}, body: {...client, ...more}})
  const plain = await provision({})
  expect(decoded(plain.body.digitizationData)).toMatchObject({sandbox: true, clientDeviceID: 'device'})
  expect(plain.body).not.toHaveProperty('opaquePaymentCard')
  expect((await provision({opaquePaymentCardRequested: true})).status).toBe(400)
  const serverSessionId = '6f1e8f0a-1f0e-4f5a-9d3b-2b7f6a1c0d4e'
  const opaque = await provision({opaquePaymentCardRequested: true, serverSessionId})
  expect(decoded(opaque.body.opaquePaymentCard)).toMatchObject({sandbox: true, serverSessionId})
})

test('wallet C and issuer wallets get digitization data', async () => {
  const sandbox = await testSandbox()
  const c = await sandbox.op('wallets.provisionC.v1', {path: {cardId: '3001'}, body: client})
  expect(decoded(c.body.digitizationData)).toMatchObject({sandbox: true, cardId: '3001'})
  const path = {cardId: '3001', walletProvider: 'some-bank'}
  const issuer = await sandbox.op('wallets.provisionIssuer.v1', {path})
  expect(decoded(issuer.body.digitizationData)).toMatchObject({sandbox: true, walletProvider: 'some-bank'})
})

test.each([
  ['-1', 200],
  ['-6', 200],
  ['-7', 404],
  ['0', 404],
  ['3002', 409],
  ['3005', 409],
  ['3003', 200],
  ['9223372036854775807', 404],
  ['abc', 400],
])('card %s: %i', async (cardId, status) => {
  const sandbox = await testSandbox()
  expect((await provisionA(sandbox, cardId)).status).toBe(status)
})

test.each([
  ['/v1/3001/provision/issuerwallet/PROVIDER', 200],
  ['/v4/card/3001/controlToken', 200],
])('%s takes an empty object for no body, and nothing that says something', async (path, status) => {
  const sandbox = await testSandbox()
  const send = async (body?: unknown) => (await sandbox.send('POST', `${path}?auditUser=tester`, body)).status
  expect([await send(), await send({})]).toEqual([status, status])
  expect([await send({card: 1}), await send([]), await send('x')]).toEqual([400, 400, 400])
})
