// Headers of the profile's own, and where requests name the audit user.
import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()
const edit = (...flags: string[]) => shop().home.run(['profiles', 'edit', 'shop', ...flags])
const ENV = {env: {TENANT: 'blue-tenant-77', CARDCTL_AUDIT_USER: 'aino'}}
const run = (...argv: string[]) => shop().run(argv, ENV)
const last = () => {
  const request = shop().service.requests.at(-1)
  if (request === undefined) throw new Error('no request')
  return request
}
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']
const headed = (name: string, place = 'header') => ({
  '/things': {
    post: {
      operationId: 'add',
      tags: ['things'],
      parameters: [{in: place, name, required: true, schema: {type: 'string'}}],
      requestBody: json({type: 'object', properties: {a: {type: 'string'}}}),
      responses: {200: {description: 'Added', ...json({type: 'object'})}},
    },
  },
})

describe('a header of the profile', () => {
  test('goes with every request: commands, api, bulk and imported operations', async () => {
    await edit('--header', 'X-Api-Version=2024-05', '--header', 'X-Tenant=env:TENANT')
    await shop().importPaths(headed('x-api-version'))
    const sent = {'x-api-version': '2024-05', 'x-tenant': 'blue-tenant-77'}
    for (const argv of [
      ['cards', 'get', '3001'],
      PATCH,
      ['api', 'GET', '/v9/any'],
      ['x', 'things', 'add', '-F', 'a=b'],
    ]) {
      const before = shop().service.requests.length
      const {stderr} = await run(...argv)
      expect(shop().service.requests.length, stderr).toBeGreaterThan(before)
      expect(last().headers, argv.join(' ')).toMatchObject(sent)
    }
    await run('x', 'things', 'add', '-F', 'a=b', '--x-api-version', '2025')
    expect(last().headers).toMatchObject({...sent, 'x-api-version': '2025'})
  })

  test('that is secret is masked wherever the request is shown or repeated', async () => {
    shop().answer = ({headers}) => reply(422, {message: `unknown ${headers['x-tenant']}`})
    await edit('--header', 'X-Tenant=env:TENANT')
    const seen = [
      await run(...PATCH, '--dry-run'),
      await run(...PATCH, '--curl'),
      await run(...PATCH, '--debug'),
      await run('requests', 'list', '-o', 'json'),
      await run('profiles', 'show', 'shop'),
    ]
    expect(last().headers['x-tenant']).toBe('blue-tenant-77')
    expect(seen[0]?.stdout).toContain('"x-tenant":"[masked]"')
    expect(seen[1]?.stdout).toContain('x-tenant: ')
    expect(seen[2]?.stderr).toContain('> x-tenant: [masked]')
    for (const {stdout, stderr} of seen) expect(stdout + stderr).not.toContain('blue-tenant-77')
  })

  test('goes to no other host', async () => {
    await edit('--header', 'X-Tenant=env:TENANT', '--header', 'X-Api-Version=1')
    const {url, requests} = shop().service
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    const {code, stderr} = await shop().run(['cards', 'get', '3001'], {
      env: {...ENV.env, CARDCTL_BASE_URL: elsewhere},
    })
    expect({code, stderr}).toEqual({code: 3, stderr: expect.stringContaining('does not name')})
    expect(requests).toEqual([])
  })

  test.each([
    'authorization=x',
    'Host=x',
    'content-length=1',
    'Transfer-Encoding=chunked',
    'content-type=text/plain',
    'Idempotency-Key=k',
    'X-Idempotency-Key=k',
    'x_idempotency_key=k',
    'X-Audit-User=boss',
    'auditUser=boss',
    'X-HTTP-Method-Override=GET',
    'X-Original-URL=/v4',
    'X-Forwarded-Host=a',
    'X-Api-Key=literal-secret',
    'Cookie=a=b',
    'X-Bad=ä',
  ])('cannot be %s', async header => {
    const {code, stderr} = await edit('--header', header)
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('service.headers')})
    expect(stderr).not.toContain('literal-secret')
  })

  test('cannot be given twice, in other capitals, or by a variable', async () => {
    expect((await edit('--header', 'X-A=1', '--header', 'x-a=2')).code).toBe(2)
    expect((await edit('--header', 'X-A=1')).code).toBe(0)
    expect((await shop().run(PATCH, {env: {CARDCTL_HEADER: 'X-A=2'}})).code).toBe(2)
  })
})

describe('the audit user', () => {
  const sentAs = () => ({
    query: Object.fromEntries(new URL(`http://x${last().url}`).searchParams),
    header: last().headers['x-actor'],
  })
  test.each([
    ['query', {query: {auditUser: 'aino'}, header: undefined}],
    ['query:operator', {query: {operator: 'aino'}, header: undefined}],
    ['header:X-Actor', {query: {}, header: 'aino'}],
    ['none', {query: {}, header: undefined}],
  ])('goes where the profile says: %s', async (place, sent) => {
    expect((await edit('--audit-user-in', place)).code).toBe(0)
    for (const argv of [['cards', 'get', '3001'], PATCH, ['api', 'POST', '/v9/any', '-F', 'a=1']]) {
      await run(...argv)
      expect(sentAs(), argv.join(' ')).toEqual(sent)
    }
    const [request] = JSON.parse((await run('requests', 'list', '-o', 'json')).stdout)
    expect(JSON.stringify(request)).toContain('aino')
  })

  test.each([
    ['header:X-Actor', 'header', 'X-Actor'],
    ['query:operator', 'query', 'operator'],
  ])('of an imported operation comes from the profile alone: %s', async (setting, place, name) => {
    await edit('--audit-user-in', setting)
    await shop().importPaths(headed(name, place))
    const flag = `--${name.toLowerCase()}`
    expect((await run('x', 'things', 'add', '-F', 'a=b')).code).toBe(0)
    expect(JSON.stringify(sentAs())).toContain('aino')
    const spoofed = await run('x', 'things', 'add', '-F', 'a=b', flag, 'boss')
    expect(spoofed).toMatchObject({code: 2, stderr: expect.stringContaining('--audit-user NAME')})
  })

  test.each([
    ['header:X-Actor', ['-H', 'x-actor: boss']],
    ['header:X-Actor', ['-H', 'X_ACTOR: boss']],
    ['query:operator', ['/v9/any?operator=boss']],
    ['query:operator', ['/v9/any?Oper%61tor[]=boss']],
    ['header:X-Actor', ['/v9/any?auditUser=boss']],
  ])('cannot be set by a request: %s, %j', async (setting, argv) => {
    await edit('--audit-user-in', setting)
    const path = argv[0]?.startsWith('/') ? argv : ['/v9/any', ...argv]
    const before = shop().service.requests.length
    expect(await run('api', 'GET', ...path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--audit-user NAME'),
    })
    expect(shop().service.requests.length).toBe(before)
  })

  test('that a header cannot hold is refused before anything is sent', async () => {
    await edit('--audit-user-in', 'header:X-Actor')
    const {code, stderr} = await run('cards', 'get', '3001', '--audit-user', 'Äinö')
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('ASCII')})
  })

  test.each([
    'body',
    'header:',
    'header:Authorization',
    'header:Host',
    'query:a b',
    'header:Idempotency-Key',
  ])('cannot go to %s', async place => {
    expect((await edit('--audit-user-in', place)).code).toBe(2)
  })

  test('and a header of the profile are not the same', async () => {
    await edit('--audit-user-in', 'header:X-Actor')
    expect((await edit('--header', 'x-actor=boss')).code).toBe(2)
  })
})
