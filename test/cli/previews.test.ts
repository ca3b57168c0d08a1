// What --dry-run and --curl print holds variables and masks where the request would hold secrets.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {operationCalls} from '../commands/operation-calls.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let file: string
beforeAll(async () => {
  home = await openHome()
  file = join(home.folder, 'body.json')
  const body = {
    controlId: 'c-1',
    pinBlock: 'c2VjcmV0LWJsb2Nr',
    more: [{password: 'hunter-two'}],
    number: '4111111111111111',
    note: 'card 4111111111111111 of a customer',
  }
  await writeFile(file, JSON.stringify(body))
  const argv = [
    'profiles',
    'add',
    'svc',
    '--kind',
    'test',
    '--base-url',
    'http://127.0.0.1:1',
    '--auth',
    'bearer',
  ]
  await home.run([...argv, '--secret', '-'], {
    stdin: 't0ken-of-the-test\n',
    env: {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none'},
  })
})
afterAll(() => home.remove())

const SECRETS = /c2VjcmV0LWJsb2Nr|hunter-two|4111111111111111|t0ken/

it.each([
  ['an operation of the contract', '/v3/set'],
  ['a path that nobody knows', '/v9/things'],
])('%s', async (_, path) => {
  const argv = ['api', 'POST', path, '--group', 'pin', '--data', `@${file}`, '--no-check-input', '-p', 'svc']
  const dry = await home.run([...argv, '--dry-run'])
  expect(dry).toMatchObject({code: 0, stdout: expect.not.stringMatching(SECRETS)})
  expect(JSON.parse(dry.stdout)).toMatchObject({
    headers: {authorization: '[masked]'},
    body: {pinBlock: '[masked]', more: [{password: '[masked]'}]},
  })
  const curl = await home.run([...argv, '--curl'])
  expect(curl).toMatchObject({code: 0, stdout: expect.not.stringMatching(SECRETS)})
  expect(curl.stdout).toContain(`'authorization: '"$AUTHORIZATION"`)
  expect(curl.stdout).toContain(`"pinBlock":"'"$PIN_BLOCK"'"`)
  expect(curl.stdout).toContain(`"password":"'"$PASSWORD"'"`)
})

describe('a preview', () => {
  let service: Service
  beforeAll(async () => {
    service = await openService()
    const flags = ['--kind', 'test', '--base-url', service.url, '--auth', 'bearer', '--secret', 'env:TOKEN']
    await home.run([
      'profiles',
      'add',
      'real',
      ...flags,
      '--audit-user',
      'aino & co',
      '--prefix',
      'cards=/card',
    ])
  })
  afterAll(() => service.close())

  /** What stands in a preview, and what arrived in its place. */
  async function both(argv: readonly string[], stdin?: string) {
    const options = {env: {TOKEN: 'tok-1'}, ...(stdin === undefined ? {} : {stdin})}
    const preview = JSON.parse(
      (await home.run([...argv, '-p', 'real', '--dry-run', '-o', 'json'], options)).stdout,
    )
    const before = service.requests.length
    const {stderr} = await home.run([...argv, '-p', 'real'], options)
    // Some commands read first what they are about to change.
    const sent = service.requests.slice(before).at(-1)
    if (sent === undefined) throw new Error(`Nothing arrived: ${stderr}`)
    return {preview, sent}
  }

  /** By the connection, not by the request. */
  const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding']

  async function expectSame(argv: readonly string[], stdin?: string): Promise<void> {
    const {preview, sent} = await both(argv, stdin)
    expect(preview.method).toBe(sent.method)
    expect(preview.url).toBe(service.url + sent.url)
    const headers = Object.entries(sent.headers).filter(([name]) => !OF_CONNECTION.includes(name))
    // A key that nobody gave is made up for each command line.
    if (!argv.includes('--idempotency-key') && 'x-idempotency-key' in preview.headers) {
      preview.headers['x-idempotency-key'] = sent.headers['x-idempotency-key']
    }
    expect(Object.keys(preview.headers).sort()).toEqual(headers.map(([name]) => name).sort())
    const arrived = sent.body.length === 0 ? undefined : JSON.parse(sent.body.toString())
    expect(preview.headers).toEqual(masked(Object.fromEntries(headers), preview.headers))
    expect(preview.body).toEqual(masked(arrived, preview.body))
  }

  /** What arrived, with the masks of the preview. */
  function masked(arrived: unknown, preview: unknown): unknown {
    if (preview === '[masked]') return preview
    if (typeof arrived !== 'object' || arrived === null) return arrived
    if (typeof preview !== 'object' || preview === null) return arrived
    const shown = preview as Readonly<Record<string, unknown>>
    if (Array.isArray(arrived)) return arrived.map((item, at) => masked(item, shown[at]))
    return Object.fromEntries(
      Object.entries(arrived).map(([name, item]) => [name, masked(item, shown[name])]),
    )
  }

  it.each(Object.keys(operationCalls))('of %s is what the service gets', async id => {
    await using maker = await openHome().then(made => ({...made, [Symbol.asyncDispose]: made.remove}))
    const {argv, stdin} = (await operationCalls[id]?.(maker)) ?? {argv: []}
    const takesKey = operations[id as OperationId].idempotent || id === 'a2a.create.v1'
    // The service of this test has other enrolments than the one that the line was made for.
    const {topic, effect} = operations[id as OperationId]
    const unchecked = topic === 'remotecheckout' && effect !== 'read' ? ['--no-check-input'] : []
    const key = takesKey ? ['--idempotency-key', `key-of-${id}`] : []
    await expectSame([...argv, ...key, ...unchecked], stdin)
  })

  it.each([
    'cards list --customer 1003 --page-size 2',
    'cards list --account 2001 --page-size 2 --all',
    'cards list --customer 1003 --page-size 2 --limit 3 --api-version v3',
    'a2a list --page-size 3',
    'api GET /v4/customer/1003?size=2&page=1',
    'api GET /v4/customer/1003?size=2 --paginate',
    'api GET /v9/things?q=%2Fa%20b',
  ])('%s is what the service gets', line => expectSame(line.split(' ')))

  it.each(['json', 'yaml', 'ndjson', 'csv'])('is printed as %s', async format => {
    const {stdout} = await home.run(['cards', 'get', '3001', '--dry-run', '-o', format])
    expect(stdout).toMatch(
      {
        json: /^\{\n {2}"method": "GET"/,
        yaml: /^method: GET\n/,
        ndjson: /^\{"method":"GET".*\}\n$/,
        csv: /^method,url/,
      }[format] ?? /^$/,
    )
  })

  it('is what --query and --columns choose from', async () => {
    const argv = ['cards', 'get', '3001', '--dry-run']
    expect((await home.run([...argv, '--query', 'url', '-o', 'json'])).stdout).toMatch(
      /^"http:.*\/3001\?auditUser=tester"\n$/,
    )
    expect((await home.run([...argv, '--columns', 'method', '-o', 'csv'])).stdout).toBe('method\nGET\n')
  })

  it('of several requests is a list of them', async () => {
    const transfers = [
      '--transfer',
      '2006:2007:1.00:EUR',
      '--transfer',
      '2006:2007:2.00:EUR',
      '--batch-size',
      '1',
    ]
    const {stdout} = await home.run(['a2a', 'create', ...transfers, '--dry-run', '-o', 'yaml'])
    expect(stdout.match(/^- method: POST$/gm)).toHaveLength(2)
  })
})
