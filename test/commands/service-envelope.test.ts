// A service that wraps what the contract describes: {"data": {…}}.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
/** What is around the content. */
let around: Record<string, unknown>

const wrapped = (own: PlainResponse, url: string): PlainResponse => {
  const text = Buffer.from(own.body ?? []).toString()
  if (own.status >= 300 || text === '' || url.startsWith('/_sandbox')) return own
  return reply(own.status, {...around, data: JSON.parse(text)})
}

beforeEach(async () => {
  around = {}
  home = await openHome()
  service = await openService(
    ({url, headers}) => {
      delete (headers as Record<string, string>)['accept-encoding']
      return url.includes('/7777') ? reply(200, {kontonummer: '1', stand: 'ok'}) : undefined
    },
    (own, {url}) => wrapped(own, url),
  )
  await home.json(['profiles', 'add', 'own', '--kind', 'sandbox', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'own'])
const edit = (...flags: string[]) => home.run(['profiles', 'edit', 'own', ...flags])

describe('with the pointer of the envelope', () => {
  beforeEach(async () => {
    expect((await edit('--envelope', '/data')).code).toBe(0)
  })

  test('its content is proven, compared, masked and shown', async () => {
    const card = await run('cards', 'get', '3001')
    expect(card).toMatchObject({code: 0, stderr: expect.not.stringContaining('differs')})
    expect(card.stdout).toContain('Card 3001')
    const list = await run('cards', 'list', '--customer', '1001', '-o', 'json')
    expect(JSON.parse(list.stdout)).toContainEqual(expect.objectContaining({id: '3001'}))
    const patched = await run('accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000')
    expect(patched).toMatchObject({code: 0, stderr: expect.not.stringContaining('differs')})
    const entries = await home.json<{state: string}[]>(['requests', 'list', '-p', 'own'])
    expect(entries.map(({state}) => state)).toEqual(['done'])
    const transfer = await run(
      'a2a',
      'create',
      '--transfer',
      '2006:2007:1.00:EUR:rent',
      '--yes',
      '-o',
      'json',
    )
    expect(transfer).toMatchObject({code: 0})
    expect(JSON.parse(transfer.stdout)).toEqual([expect.objectContaining({id: expect.any(String)})])
  })

  test('what has no envelope is taken as it is', async () => {
    const foreign = await run('cards', 'get', '7777')
    expect(foreign.stdout).toContain('kontonummer')
    expect(foreign.stderr).toContain('shown as it came')
  })

  test.each([{success: false}, {error: {code: 'X1', message: 'no'}}, {status: 'ERROR'}])(
    'an error around the content counts: %j',
    async one => {
      around = one
      expect((await run('cards', 'get', '3001')).code).toBe(8)
      expect(
        (await run('accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000')).code,
      ).toBe(10)
    },
  )

  test('a secret in it is masked in the lines of --debug', async () => {
    const {stderr} = await run('cards', 'get', '3001', '--debug')
    expect(stderr).toContain('"data":{')
    expect(stderr).not.toMatch(/"(?:pan|cardNumber)":"\d{12}/)
  })
})

describe('without it', () => {
  test.each([{}, {id: 'req-1', status: 'OK'}])(
    'a response is shown as it came, and a line says so: %j',
    async one => {
      around = one
      const {code, stdout, stderr} = await run('cards', 'get', '3001')
      expect({code, stderr}).toEqual({code: 0, stderr: expect.stringContaining('--envelope /data')})
      expect(stdout).toContain('3001')
      expect(stdout).not.toMatch(/^ ?Card\b/)
      expect(stderr).toContain('shown as it came')
    },
  )

  test('a list is not usable, and the hint names the envelope', async () => {
    const {code, stderr} = await run('cards', 'list', '--customer', '1001')
    expect({code, stderr}).toEqual({code: 8, stderr: expect.stringContaining('--envelope /data')})
  })

  test('the id beside the envelope is not that of what a write made', async () => {
    around = {id: 'req-1'}
    const {code, stderr} = await run('a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes')
    expect({code, stderr}).toEqual({code: 10, stderr: expect.stringContaining('its content is in data')})
  })
})

test('the embedded envelope cannot be changed by a variable', async () => {
  const {code, stderr} = await home.run(['cards', 'get', '3001', '-p', 'own'], {
    env: {CARDCTL_ENVELOPE: '/data'},
  })
  expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('CARDCTL_ENVELOPE')})
})
