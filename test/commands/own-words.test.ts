// A service with names of its own for what the contract had to guess.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {decryptJwe} from '../../src/card-crypto/jwe.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {makeDevice} from '../helpers/device.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService(({url}) =>
    url.startsWith('/v3/view') ? reply(200, {tzpk: 'AAAA', encPin: 'BBBB'}) : reply(200, {id: '3001'}),
  )
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const AT = {env: {CARDCTL_PROFILE: 'svc'}}
const add = (...words: string[]) => {
  const flags = words.flatMap(word => ['--word', word])
  return home.json(['profiles', 'add', 'svc', '--kind', 'test', '--base-url', service.url, ...flags])
}
const sent = (): unknown => JSON.parse(Buffer.from(service.requests.at(-1)?.body ?? []).toString())

test('a PIN block is sent and read under its name, and shown under ours', async () => {
  await add('pinBlock=encPin')
  const {publicKeyFile} = await makeDevice(home, 'v3')
  const view = ['pin', 'view', '--control-id', 'env:HOME', '--public-key', publicKeyFile, '-o', 'json']
  const {stdout} = await home.run(view, AT)
  expect(JSON.parse(stdout)).toEqual({tzpk: 'AAAA', pinBlock: 'BBBB'})
  const set = ['pin', 'set', '--control-id', 'env:HOME', '--pin-block-stdin']
  await home.run(set, {...AT, stdin: `${Buffer.alloc(8, 7).toString('base64')}\n`})
  expect(Object.keys(sent() as object)).toEqual(['controlId', 'encPin'])
})

test('a clear card number has its name', async () => {
  await add('cardNumber=pan')
  await home.run(['cards', 'get', '--pan-stdin'], {...AT, stdin: '4111111111111111\n'})
  expect(sent()).toEqual({pan: '4111111111111111'})
})

test('an enciphered one too, inside and outside', async () => {
  const {publicKey, privateKey} = await crypto.subtle.generateKey(
    {name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256'},
    true,
    ['encrypt', 'decrypt'],
  )
  const jwk = {...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k-1', use: 'enc'}
  const file = join(home.folder, 'jwks.json')
  await writeFile(file, JSON.stringify({keys: [jwk]}))
  await add('cardNumber=pan', 'encryptedData=jwe')
  await home.json(['profiles', 'edit', 'svc', '--pan-key', file])
  const {code, stderr} = await home.run(['cards', 'get', '--pan-stdin'], {...AT, stdin: '4111111111111111\n'})
  expect(code, stderr).toBe(0)
  const {jwe = ''} = sent() as {jwe?: string}
  const {KeyObject} = await import('node:crypto')
  using payload = await decryptJwe(jwe, () => KeyObject.from(privateKey))
  expect(JSON.parse(payload.open().toString('utf8'))).toEqual({pan: '4111111111111111'})
})
