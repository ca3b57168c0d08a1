// Which header carries the idempotency key: the bytes of every attempt, at a service that resets the first one.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openRawService, type RawRequest, type RawService} from '../helpers/raw-service.ts'

let home: Home
let service: RawService

const BATCH = JSON.stringify({id: '88001', status: 'CREATED'})
const account = (id: string) => JSON.stringify({id, creditLimit: 5000})

/** Resets each body's first request, and answers the second one. */
const answer = (request: RawRequest, before: readonly RawRequest[]): string | undefined => {
  if (request.line.startsWith('GET')) return '[]'
  const isFirst = !before.some(({line, body}) => line === request.line && body === request.body)
  if (isFirst) return undefined
  const [, id] = /\/v4\/CREDIT\/(\d+)/.exec(request.line) ?? []
  return id === undefined ? BATCH : account(id)
}

beforeEach(async () => {
  home = await openHome()
  service = await openRawService(answer)
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const add = (...more: string[]) =>
  home.json([
    'profiles',
    'add',
    'own',
    '--kind',
    'test',
    '--base-url',
    service.url,
    '--settle-delay',
    '0s',
    ...more,
  ])
const run = (argv: readonly string[], stdin?: string) =>
  home.run([...argv, '-p', 'own'], stdin === undefined ? {} : {stdin})

/** The headers of a write that name a key, as they were written. */
const keysIn = ({headers}: RawRequest) => headers.filter(([name]) => /key/i.test(name))
const writes = () => service.requests.filter(({line}) => !line.startsWith('GET'))

/** Asserts two attempts of each write, with the same bytes and one key under this header alone. */
function expectSameKey(header: string, rows = 1): string[] {
  const sent = Map.groupBy(writes(), ({line, body}) => `${line} ${body}`)
  expect(sent.size).toBe(rows)
  return [...sent.values()].map(attempts => {
    expect(attempts).toHaveLength(2)
    const [first, second] = attempts.map(keysIn)
    expect(first).toEqual([[header, expect.stringMatching(/\S/)]])
    expect(second).toEqual(first)
    return first?.[0]?.[1] ?? ''
  })
}

async function importDocument(parameters: readonly object[]): Promise<void> {
  const file = join(home.folder, 'doc.json')
  const post = {
    operationId: 'add',
    tags: ['things'],
    parameters,
    requestBody: {
      content: {'application/json': {schema: {type: 'object', properties: {a: {type: 'string'}}}}},
    },
    responses: {200: {description: 'Added', content: {'application/json': {schema: {type: 'object'}}}}},
  }
  await writeFile(
    file,
    JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths: {'/things': {post}}}),
  )
  const imported = await run(['contract', 'import', file, '--name', 'own'])
  expect(imported, imported.stderr).toMatchObject({code: 0})
}
const headerNamed = (name: string) => ({name, in: 'header', schema: {type: 'string'}})
const ADD = ['x', 'things', 'add', '-F', 'a=b']
const LIMIT = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000', '--yes']
const TRANSFER = ['--transfer', '2001:2002:12.50:EUR:rent']

describe('with --idempotency all and a header of the profile, every attempt of one write has the same key', () => {
  beforeEach(() => add('--idempotency', 'all', '--idempotency-header', 'Idempotency-Key'))

  test.each([
    ['a built-in write', LIMIT],
    ['a write without a documented key', ['a2a', 'create', ...TRANSFER, '--yes']],
    ['api', ['api', 'POST', '/v1/things', '-F', 'a=b', '--yes']],
  ])('%s', async (_what, argv) => {
    const ended = await run(argv)
    expect(ended, ended.stderr).toMatchObject({code: 0})
    expectSameKey('idempotency-key')
  })

  test('with the key that was passed', async () => {
    expect((await run([...LIMIT, '--idempotency-key', 'k1'])).code).toBe(0)
    expect(expectSameKey('idempotency-key')).toEqual(['k1'])
  })

  test.each([
    ['does not describe one', []],
    ['describes another one', [headerNamed('X-Idempotency-Key')]],
  ])('an imported operation whose document %s', async (_what, parameters) => {
    await importDocument(parameters)
    const ended = await run([...ADD, '--idempotency-key', 'k1'])
    expect(ended, ended.stderr).toMatchObject({code: 0})
    expect(expectSameKey('idempotency-key')).toEqual(['k1'])
  })

  test('rows of a bulk run, each with its own', async () => {
    const rows = 'id,creditLimit\n2001,6500\n2003,7000\n'
    const ended = await run(
      ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--yes'],
      rows,
    )
    expect(ended, ended.stderr).toMatchObject({code: 0})
    expect(new Set(expectSameKey('idempotency-key', 2)).size).toBe(2)
  })
})

test('a parameter of a document that is the header of the profile holds the key', async () => {
  await add('--idempotency', 'all', '--idempotency-header', 'Request-Id')
  await importDocument([{...headerNamed('Request-Id'), required: true}])
  const ended = await run([...ADD, '--request-id', 'r1'])
  expect(ended, ended.stderr).toMatchObject({code: 0})
  expect(writes().map(({headers}) => headers.filter(([name]) => name === 'request-id'))).toEqual([
    [['request-id', 'r1']],
    [['request-id', 'r1']],
  ])
  expect((await run([...ADD, '--request-id', 'r1', '--idempotency-key', 'k1'])).code).toBe(2)
  expect(await home.json(['requests', 'list', '-p', 'own'])).toMatchObject([{key: 'r1'}])
})

test('without a setting, the header is that of the contract, or that of the document', async () => {
  await add('--idempotency', 'all')
  await run(LIMIT)
  expectSameKey('x-idempotency-key')
  await importDocument([headerNamed('Idempotency-Key')])
  await run(ADD)
  expect(
    writes()
      .slice(2)
      .map(keysIn)
      .map(([first]) => first?.[0]),
  ).toEqual(['idempotency-key', 'idempotency-key'])
})

test('a document promises nothing for another header than its own: the write is sent once', async () => {
  await add('--idempotency-header', 'Request-Key')
  await importDocument([headerNamed('Idempotency-Key')])
  expect((await run(ADD)).code).toBe(10)
  expect(writes().map(keysIn)).toEqual([[['request-key', expect.anything()]]])
})

test('api takes no key by -H, whatever header the profile sends it in', async () => {
  await add('--idempotency-header', 'Request-Key')
  const {code, stderr} = await run(['api', 'POST', '/v1/things', '-H', 'request-KEY: a', '--yes'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--idempotency-key')])
  expect(service.requests).toEqual([])
})

test('--debug shows a key as it is, also one that looks like a card number', async () => {
  await add('--idempotency-header', 'Request-Key')
  const {stderr} = await run([
    ...LIMIT,
    '--idempotency-key',
    '4111111111111111',
    '--not-a-card-number',
    '--debug',
  ])
  expect(stderr).toContain('> request-key: 4111111111111111')
})

test.each([
  'Authorization',
  'HOST',
  'content-length',
  'Content-Type',
  'cookie',
  'accept',
  'X-Forwarded-For',
  'if-match',
  'traceparent',
  'a b',
  'a:b',
  'ä',
  '',
  'x'.repeat(101),
])('the header may not be %j', async name => {
  const {code} = await home.run([
    'profiles',
    'add',
    'own',
    '--kind',
    'test',
    '--base-url',
    service.url,
    '--idempotency-header',
    name,
  ])
  expect(code).not.toBe(0)
})

test('nor the one that carries the credential', async () => {
  const auth = ['--auth', 'header', '--header-name', 'x-key', '--secret', 'env:K']
  const {code, stderr} = await home.run([
    'profiles',
    'add',
    'own',
    '--kind',
    'test',
    '--base-url',
    service.url,
    ...auth,
    '--idempotency-header',
    'X-Key',
  ])
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('credential')])
  expect(code).not.toBe(0)
})
