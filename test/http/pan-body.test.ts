import {generateKeyPairSync, type KeyObject} from 'node:crypto'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, describe, expect, it} from 'vitest'
import {decryptCardNumber} from '../../src/card-crypto/jwe.ts'
import {jwkThumbprint, publicJwk} from '../../src/card-crypto/jwk.ts'
import {panBody} from '../../src/http/index.ts'
import type {Target} from '../../src/profiles/target.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {json, Listening, pem} from './listening.ts'
import {failureOf, still, target} from './surround.ts'

const PAN = '4111111111111111'
const servers = new Listening()
const pair = generateKeyPairSync('rsa', {modulusLength: 2048})
const other = generateKeyPairSync('rsa', {modulusLength: 2048})
const pinned = jwkThumbprint(pair.publicKey)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardctl-pan-'))
})
afterEach(() => servers.close())
afterAll(() => rm(folder, {recursive: true}))

const build = (more: Partial<Target>) =>
  panBody(target('https://api.example', more), new Secret(PAN), {}, still())

async function opened(body: Awaited<ReturnType<typeof panBody>>, key: KeyObject = pair.privateKey) {
  if (!('encryptedData' in body)) throw new Error('It is not enciphered')
  const number = await decryptCardNumber(body.encryptedData, () => key)
  return number.open()
}

async function file(text: string): Promise<string> {
  const path = join(folder, 'key')
  await writeFile(path, text)
  return path
}

const set = (...keys: KeyObject[]) => ({keys: keys.map(key => publicJwk(key))})

describe('the body of the search by card number', () => {
  it('is clear only where the profile is not live', async () => {
    const body = await build({kind: 'test'})
    expect('cardNumber' in body && body.cardNumber.open()).toBe(PAN)
    expect(JSON.stringify(body)).not.toContain(PAN)
    const failure = await failureOf(build({kind: 'live'}))
    expect(failure).toMatchObject({code: 'PROFILE_INVALID', exit: 3, details: {effect: 'none'}})
    expect(failure.message).toContain('nothing was sent')
  })

  it('is enciphered under a key from a file, JWKS or PEM', async () => {
    const pemText = pair.publicKey.export({type: 'spki', format: 'pem'}).toString()
    for (const text of [JSON.stringify(set(pair.publicKey)), pemText]) {
      const body = await build({kind: 'live', panKey: {source: await file(text)}})
      expect(await opened(body)).toBe(PAN)
    }
  })

  it('takes the pinned key of several, and none but it', async () => {
    const source = await file(JSON.stringify(set(other.publicKey, pair.publicKey)))
    expect(await opened(await build({kind: 'live', panKey: {source, thumbprint: pinned}}))).toBe(PAN)
    const wrong = await file(JSON.stringify(set(other.publicKey)))
    for (const kind of ['live', 'test'] as const) {
      const failure = await failureOf(build({kind, panKey: {source: wrong, thumbprint: pinned}}))
      expect(failure).toMatchObject({code: 'PROFILE_INVALID', details: {effect: 'none'}})
    }
  })

  it.each(['', '{', '{"keys":[]}', 'no key'])('refuses a file with %j', async text => {
    expect((await failureOf(build({panKey: {source: await file(text)}}))).code).toBe('PROFILE_INVALID')
  })

  it('names a file that is not there', async () => {
    const failure = await failureOf(build({panKey: {source: join(folder, 'none')}}))
    expect(failure.code).toBe('PROFILE_INVALID')
    expect(failure.message).toContain('ENOENT')
  })

  describe('under a key from the network', () => {
    async function served(handleStatus = 200) {
      const port = await servers.https((_request, response) =>
        json(response, set(pair.publicKey), handleStatus),
      )
      const host = `localhost:${port}`
      return {source: `https://${host}/.well-known/jwks.json`, host, tls: {ca: pem('ca')}}
    }

    it('of a host of the profile, or of any if it is pinned', async () => {
      const {source, host, tls} = await served()
      expect(await opened(await build({panKey: {source}, tls, hosts: [host]}))).toBe(PAN)
      expect(
        await opened(await build({kind: 'live', panKey: {source, thumbprint: pinned}, tls, hosts: []})),
      ).toBe(PAN)
    })

    it('never unpinned from elsewhere, nor unpinned on a live profile', async () => {
      const {source, host, tls} = await served()
      const elsewhere = await failureOf(build({panKey: {source}, tls, hosts: ['api.example']}))
      expect(elsewhere.code).toBe('PROFILE_INVALID')
      const live = await failureOf(build({kind: 'live', panKey: {source}, tls, hosts: [host]}))
      expect(live).toMatchObject({code: 'PROFILE_INVALID', details: {effect: 'none'}})
    })

    it('never over http: from another host, whatever the profile allows', async () => {
      const panKey = {source: 'http://keys.example/jwks.json', thumbprint: pinned}
      expect((await failureOf(build({panKey, allowInsecure: true}))).code).toBe('PROFILE_INVALID')
    })

    it('that is not there sends nothing', async () => {
      const {source, host, tls} = await served(404)
      const failure = await failureOf(build({panKey: {source}, tls, hosts: [host]}))
      expect(failure).toMatchObject({code: 'PROFILE_INVALID', details: {effect: 'none'}})
      await servers.close()
      const away = await failureOf(build({panKey: {source}, tls, hosts: [host]}))
      expect(away).toMatchObject({code: 'CONNECTION_FAILED', details: {effect: 'none'}})
    })
  })
})
