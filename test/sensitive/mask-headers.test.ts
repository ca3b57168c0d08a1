import {expect, test} from 'vitest'
import {maskHeaders} from '../../src/sensitive/mask-request.ts'
import {MASK, Secret} from '../../src/sensitive/secret.ts'

test.each([
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'Set-Cookie',
  'x-api-key',
  'apikey',
  'Api_Key',
  'x-auth-token',
  'x-csrf-token',
  'ocp-apim-subscription-key',
  'x-client-secret',
  'x-hub-signature-256',
  'x-session-id',
  'x-password',
])('%s is masked', name => {
  expect(maskHeaders({[name]: 'canary'})).toEqual({[name]: MASK})
})

test('so are the given names in any case, and every Secret', () => {
  expect(maskHeaders({'X-Issuer': 'canary', other: new Secret('canary')}, {sensitive: ['x-issuer']})).toEqual(
    {
      'X-Issuer': MASK,
      other: MASK,
    },
  )
})

test('other headers stay as they are', () => {
  const headers = {
    'content-type': 'application/json',
    'x-idempotency-key': '4111111111111111',
    'x-ratelimit-remaining': '49',
    'x-audit-user': 'aino',
    'www-authenticate': 'Basic realm="cards"',
    location: 'https://api.example/v4/3001?size=30',
  }
  expect(maskHeaders(headers)).toEqual(headers)
})

test('but card numbers and addresses in them are masked, lists joined, absent ones left out', () => {
  expect(
    maskHeaders({
      'x-note': '4111111111111111',
      location: 'https://u:p@api.example/4111111111111111?token=t',
      'set-cookie': ['a=1', 'b=2'],
      vary: ['a', 'b'],
      gone: undefined,
    }),
  ).toEqual({
    'x-note': '411111••••••1111',
    location: 'https://[masked]@api.example/411111••••••1111?token=[masked]',
    'set-cookie': MASK,
    vary: 'a, b',
  })
})
