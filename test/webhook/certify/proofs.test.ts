// What a certificate says of credentials: by what calls have, and by what the endpoint's owner declares.
import {randomUUID} from 'node:crypto'
import {expect, onTestFinished, test} from 'vitest'
import type {CallCredentials} from '../../../src/network/call-credentials.ts'
import {SIGNATURE_DEFAULTS} from '../../../src/network/signature-defaults.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {type Certified, certify} from '../../../src/webhook/certify/index.ts'
import {openCaller} from '../../../src/webhook/index.ts'
import type {Proof} from '../../../src/webhook/send/forge-credentials.ts'
import {faultyEndpoint} from '../suite/endpoints.ts'
import {shippedSuite} from './planted.ts'

const signature = {...SIGNATURE_DEFAULTS, keys: [new Secret('made-up key')]}
const auth = {type: 'bearer', token: new Secret('made-up token')} as const

/** The steps of hostile about credentials: how each ended, or why it was not checked. */
async function proved(
  credentials: CallCredentials,
  expects?: readonly Proof[],
): Promise<Certified['checks']> {
  const {url} = await faultyEndpoint()
  const caller = openCaller({base: new URL(url), deadlineMs: 60_000, credentials, now: Date.now})
  onTestFinished(() => caller.close())
  const {steps, ...hostile} = await shippedSuite('hostile')
  const run = certify({
    caller,
    url,
    expects,
    suites: [
      {...hostile, steps: steps.filter(({spec}) => spec.credentials ?? spec.signature ?? spec.certificate)},
    ],
    behaviour: [],
    signal: new AbortController().signal,
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
    calls: 1,
    rate: 100,
  })
  let next = await run.next()
  while (next.done !== true) next = await run.next()
  return next.value.checks.filter(({part}) => part === 'hostile')
}

const reasons = (checks: Certified['checks']) => [...new Set(checks.flatMap(({reason}) => reason ?? []))]

test('what an endpoint does not use is not in its certificate', async () => {
  expect(await proved({}, [])).toEqual([])
  expect((await proved({auth, signature}, ['bearer'])).map(({name}) => name)).toEqual([
    'no credential',
    'a wrong credential',
    'the right password of another user',
  ])
})

test('what it uses has to be carried by calls', async () => {
  const checks = await proved({auth}, ['signature', 'bearer'])
  expect(checks.map(({state}) => state)).toEqual([
    'failed',
    'failed',
    'failed',
    ...Array(4).fill('not checked'),
  ])
  expect(reasons(checks)).toEqual([
    'it needs calls with a signature, as --expects says: pass --auth hmac:REF',
  ])
})

test('without a declaration, nobody reads that signed calls have no credentials', async () => {
  const checks = await proved({signature})
  expect(checks.filter(({name}) => name.includes('signature')).map(({state}) => state)).toEqual(
    Array(4).fill('failed'),
  )
  expect(reasons(checks)).toEqual([
    'it needs calls with HTTP Basic or a bearer token or a header with a secret: pass --auth basic:REF or --auth bearer:REF or --auth header:NAME:REF, or say by --expects what the endpoint uses',
    'it needs calls with a client certificate: pass --cert, or say by --expects what the endpoint uses',
  ])
})

test('a signature without a time is never too old', async () => {
  const checks = await proved({signature: {...signature, signed: '{body}'}}, ['signature'])
  expect(checks.map(({name}) => name)).toEqual(['no signature', 'a wrong signature'])
})
