// A service whose responses name another resource than the one that was asked for.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {findOperation} from '../../src/contract/match.ts'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {part} from '../helpers/whole.ts'
import {operationCalls} from './operation-calls.ts'

const SERVED = {env: {CARDCTL_PROFILE: 'served'}}

/** What the service does to the response to an operation. */
let bend: ((operation: Operation, own: PlainResponse) => PlainResponse) | undefined
let home: Home
let service: Service

beforeEach(async () => {
  bend = undefined
  service = await openService(undefined, (own, {method, url}) => {
    const found = findOperation(method, url.split('?')[0] ?? '')
    return bend === undefined || found === undefined ? own : bend(found.operation, own)
  })
  home = await openHome()
  await home.json(['profiles', 'add', 'served', '--kind', 'sandbox', '--base-url', service.url])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (line: string | readonly string[], options: RunOptions = {}) =>
  home.run(typeof line === 'string' ? line.split(' ') : line, {...SERVED, ...options})
const entries = () => home.json<{id: string; state: string; effect: string}[]>(['requests', 'list'], SERVED)

/** The JSON with another value at a pointer; it must have been there. */
function exchanged(json: unknown, pointer: string, value: unknown): unknown {
  const [name = '', ...rest] = pointer.split('/').slice(1)
  const inner = rest.length === 0 ? undefined : `/${rest.join('/')}`
  if (name === '*') {
    const [first, ...others] = json as unknown[]
    return [...others, exchanged(first, inner ?? '', value)]
  }
  const held = json as Record<string, unknown>
  return {...held, [name]: inner === undefined ? value : exchanged(held[name], inner, value)}
}

const withAnother = (own: PlainResponse, at: string, value: unknown): PlainResponse =>
  reply(own.status, exchanged(JSON.parse(Buffer.from(own.body).toString()), at, value))

const marked = Object.values<Operation>(operations).filter(
  ({answers, topic}) => answers !== undefined && topic !== 'sandbox',
)

describe.each(
  part(
    marked.map(({id}) => id),
    2,
  ),
)('%s', id => {
  const operation: Operation = operations[id as keyof typeof operations]
  const {answers: {at} = {at: ''}, effect} = operation

  test.each([
    ['another resource', '9876543'],
    ['another resource as a number', 9876543],
  ])('named %s is not done', async (_, value) => {
    const {argv, stdin} = (await operationCalls[id]?.({
      ...home,
      run: line => run(line),
      json: line => home.json(line, SERVED),
    })) ?? {argv: ['cards', 'plastics', '3001']}
    bend = ({id: asked}, own) => (asked === id ? withAnother(own, at, value) : own)
    const given = stdin === undefined ? {} : {stdin}
    const {code, stdout, stderr} = await run([...argv, '-o', 'json'], given)
    const {error} = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
    expect(error.message).toContain('is 9876543, not ')
    if (effect === 'read') {
      expect([code, error.code, stdout]).toEqual([8, 'ANSWER_INVALID', ''])
      expect(error.hint).toContain(`--answer-id ${id}=none`)
      return
    }
    expect([code, error.code, error.effect]).toEqual([10, 'EFFECT_UNKNOWN', 'unknown'])
    expect(JSON.parse(stdout)).toMatchObject({id: value})
    const [entry] = await entries()
    expect([entry?.id, entry?.state]).toEqual([error.requestId, 'unknown'])
  })
})

test('every operation on one resource was tried, or its response names none', () => {
  const silent = Object.values<Operation>(operations).filter(
    ({pathParams, answers, topic}) => pathParams.length > 0 && answers === undefined && topic !== 'sandbox',
  )
  expect(marked.length).toBe(23)
  expect(new Set(silent.map(({topic}) => topic))).toEqual(
    new Set(['cards', 'pincontrol', 'wallets', 'remotecheckout']),
  )
})

describe('a response', () => {
  const gets = (body: unknown) => {
    bend = ({id}, own) => (id === 'cards.get.v4' ? reply(own.status, body) : own)
  }

  test.each([
    ['the same id as a number', {id: 3001, status: 'CARD_OK'}],
    ['no id', {status: 'CARD_OK'}],
    ['null', {id: null, status: 'CARD_OK'}],
    ['an object', {id: {value: 9876}, status: 'CARD_OK'}],
  ])('with %s proves nothing against it', async (_, body) => {
    gets(body)
    expect((await run('cards get 3001 -o json')).code).toBe(0)
  })

  test.each([
    ['with leading zeros', '03001'],
    ['with a space', '3001 '],
    ['that is half a character', '\ud800'],
  ])('with an id %s is one of another card', async (_, id) => {
    gets({id, status: 'CARD_OK'})
    const {code, stderr} = await run('cards get 3001')
    expect(code).toBe(8)
    expect(stderr.isWellFormed()).toBe(true)
  })

  test('with an id too long for a double is compared in full', async () => {
    const body = Buffer.from('{"id": 12345678901234567891, "status": "CARD_OK"}')
    bend = (_, own) => ({...own, status: 200, headers: {'content-type': 'application/json'}, body})
    expect((await run('cards get 12345678901234567891 -o json')).code).toBe(0)
    expect((await run('cards get 12345678901234567890 -o json')).code).toBe(8)
  })

  test('is compared after the words of the profile, and for any path that api sends', async () => {
    gets({id: '3002', status: 'CARD_OK'})
    expect((await run('api GET /v4/3001 -o json')).code).toBe(8)
    expect((await run('find 3001 -o json')).stdout).not.toContain('3002')
  })

  test('is taken if the profile names another field for the operation, or none', async () => {
    gets({id: 'internal-7', number: '3001', status: 'CARD_OK'})
    expect((await run('cards get 3001')).code).toBe(8)
    for (const field of ['none', '/number', '/absent']) {
      await run(`profiles edit served --answer-id cards.get.v4=${field}`)
      expect((await run('cards get 3001')).code, field).toBe(0)
    }
    gets({id: '3001', number: '3002', status: 'CARD_OK'})
    await run('profiles edit served --answer-id cards.get.v4=/number')
    expect((await run('cards get 3001')).stderr).toContain('number is 3002, not 3001')
    await run('profiles edit served --unset answerIds.cards.get.v4')
    expect((await run('cards get 3001')).code).toBe(0)
  })

  test('can be excused by no variable on a stored profile', async () => {
    const env = {...SERVED.env, CARDCTL_ANSWER_ID: 'cards.get.v4=none'}
    expect((await run('cards get 3001', {env})).stderr).toContain('CARDCTL_ANSWER_ID cannot change')
  })
})

test('a row of a bulk job is not done by a response for another row', async () => {
  bend = ({id}, own) =>
    id === 'pricelists.patch.v1' ? reply(200, {description: 'Updated', id: '5002'}) : own
  const file = join(home.folder, 'lists.csv')
  await writeFile(file, 'id,code\n5001,A\n5002,B\n')
  const bulk = `bulk run pricelists.patch.v1 --from ${file} --yes --rate off --concurrency 1 -o json`
  const {code, stdout} = await run(bulk)
  expect(code).toBe(11)
  expect(JSON.parse(stdout)).toMatchObject({done: 1, unknown: 1})
})

describe('an imported contract', () => {
  const id = {type: ['string', 'integer']}
  const named = (...names: string[]) => ({
    responses: {
      200: {
        description: 'One',
        content: {
          'application/json': {
            schema: {type: 'object', properties: Object.fromEntries(names.map(name => [name, id]))},
          },
        },
      },
    },
  })
  const inPath = (name: string) => [{name, in: 'path', required: true, schema: {type: 'string'}}]
  const document = {
    openapi: '3.1.0',
    info: {title: 'Shop', version: '1'},
    paths: {
      '/orders/{orderId}': {
        parameters: inPath('orderId'),
        get: {operationId: 'getOrder', tags: ['o'], ...named('id', 'total')},
        put: {operationId: 'putOrder', tags: ['o'], ...named('id')},
        delete: {operationId: 'deleteOrder', tags: ['o'], ...named('id')},
      },
      '/items/{sku}': {
        parameters: inPath('sku'),
        get: {operationId: 'getItem', tags: ['o'], ...named('sku', 'id')},
      },
      '/pages/{slug}': {
        parameters: inPath('slug'),
        get: {operationId: 'getPage', tags: ['o'], ...named('id')},
      },
      '/users/{userId}/manager': {
        parameters: inPath('userId'),
        get: {operationId: 'getManager', tags: ['o'], ...named('id', 'userId')},
      },
    },
  }
  let own: Home
  let shop: Service
  let sent: unknown
  beforeAll(async () => {
    shop = await openService(() => reply(200, sent))
    own = await openHome()
    const file = join(own.folder, 'shop.json')
    await writeFile(file, JSON.stringify(document))
    await own.json(['profiles', 'add', 'shop', '--kind', 'test', '--base-url', shop.url])
    await own.json(['contract', 'import', file, '--name', 'shop', '-p', 'shop'])
  })
  afterAll(async () => {
    await shop.close()
    await own.remove()
  })
  const x = (line: string, body: unknown) => {
    sent = body
    return own.run(['x', 'o', ...line.split(' ')], {env: {CARDCTL_PROFILE: 'shop'}})
  }

  test.each([
    ['get-order 17', {id: 18}, 8],
    ['get-order 17', {id: 17}, 0],
    ['get-order 17', {id: 'ord_17'}, 0],
    ['get-order latest', {id: 18}, 0],
    ['get-order 5A2F4C6E-0000-4000-8000-00000000000a', {id: '5a2f4c6e-0000-4000-8000-00000000000a'}, 0],
    ['get-order 5a2f4c6e-0000-4000-8000-00000000000a', {id: '5a2f4c6e-0000-4000-8000-00000000000b'}, 8],
    ['put-order 17 --yes', {id: 18}, 10],
    ['put-order 17 --yes', {id: 17}, 0],
    // What names the deletion may not be what was deleted.
    ['delete-order 17 --confirm 17', {id: 18}, 0],
    ['get-item 5', {sku: 6, id: 5}, 8],
    ['get-item 5', {sku: 5, id: 6}, 0],
    ['get-page 5', {id: 6}, 0],
    ['get-manager 5', {id: 6, userId: 6}, 0],
  ])('%s, answered %j: exit %i', async (line, body, code) => {
    const result = await x(line, body)
    expect(result.code, result.stderr).toBe(code)
  })

  test('has the same way out', async () => {
    const edit = 'profiles edit shop --answer-id x:shop/o/get-order=none'
    expect((await own.run(edit.split(' '))).code).toBe(0)
    expect((await x('get-order 17', {id: 18})).code).toBe(0)
  })
})
