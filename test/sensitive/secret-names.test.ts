import {expect, test} from 'vitest'
import {isSecretName} from '../../src/sensitive/secret-names.ts'
import {contractDocument} from '../helpers/contract.ts'

test.each([
  ...[
    'pin',
    'PIN',
    'newPin',
    'new_pin',
    'newPIN2',
    'pinBlock',
    'pin-block',
    'encryptedPin',
    'pinCode',
    'pinValue',
  ],
  ...[
    'cvv',
    'cvvValue',
    'cvv2',
    'CVV2Value',
    'cvc2Value',
    'cardCvc',
    'cvc_2',
    'securityCode',
    'cardVerificationValue',
  ],
  ...[
    'track2Data',
    'track1',
    'track_2_data',
    'trackData',
    'pan',
    'panNumber',
    'PAN',
    'cardNumber',
    'card-number',
  ],
  ...['password', 'userPassword', 'oldPasswords', 'passwordResetToken', 'client_secret', 'secretValue'],
  ...[
    'token',
    'accessTokenV2',
    'idToken',
    'apiKey',
    'x-api-key',
    'hmacKey',
    'zoneMasterKey',
    'signingKeys',
    'privateKey',
  ],
  ...['authorization', 'Set-Cookie', 'session', 'sessionId', 'jwt', 'otpCode', 'tzpk'],
])('%s is secret', name => {
  expect(isSecretName(name)).toBe(true)
})

test.each([
  ...['pinStatus', 'pinAttempts', 'pinTriesLeft', 'wrongPin', 'pinDeliveryType', 'hasPin', 'isTokenValid'],
  ...['tokenReferenceID', 'tokenRequestorID', 'tokenType', 'token_expires_at', 'cvvResult', 'cvv2Present'],
  ...[
    'panSequence',
    'panSuffix',
    'passwordPolicy',
    'keyId',
    'apiKeyId',
    'publicKey',
    'idempotencyKey',
    'sortKey',
    'key',
  ],
  ...[
    'spanId',
    'panel',
    'pinned',
    'trackingNumber',
    'keyword',
    'company',
    'shipping',
    'authCode',
    'serverSessionId',
  ],
  ...['', '2', 'signatureRequired', 'credentialOnFile'],
])('%s is not', name => {
  expect(isSecretName(name)).toBe(false)
})

/** All members of the contract: their names, and whether the contract marks one of that name as sensitive. */
function membersOf(node: unknown, found = new Map<string, boolean>()): Map<string, boolean> {
  if (typeof node !== 'object' || node === null) return found
  const {properties} = node as {properties?: Record<string, Record<string, unknown>>}
  for (const [name, schema] of Object.entries(properties ?? {})) {
    found.set(name, found.get(name) === true || schema['x-sensitive'] === true)
  }
  for (const inner of Object.values(node)) membersOf(inner, found)
  return found
}

/** Secret in one place and an object, a key of a device or a list in another. */
const BOTH = new Set(['token', 'tzpk', 'pinBlock', 'cvv2'])

test('no field of the contract has a secret name without a mark', () => {
  const members = membersOf(contractDocument)
  expect(members.size).toBeGreaterThan(200)
  const wrong = [...members].filter(([name, marked]) => isSecretName(name) && !marked && !BOTH.has(name))
  expect(wrong).toEqual([])
})
