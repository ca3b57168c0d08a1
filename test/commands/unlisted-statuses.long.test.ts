// What a 2xx says about a write: which statuses are done, and what the others name.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import type {PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: (body: string) => PlainResponse

beforeEach(async () => {
  home = await openHome()
  service = await openService(({body}) => answer(Buffer.from(body).toString()))
  await home.json(['profiles', 'add', 'odd', '--kind', 'test', '--base-url', service.url, '--auth', 'none'])
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'odd', '-o', 'json'])
const lines = (stderr: string) =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as {error?: Record<string, unknown>; warning?: unknown})
const errorIn = (stderr: string) => lines(stderr).find(({error}) => error)?.error
const patch = () => run('accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000')
const create = () => run('a2a', 'create', '--transfer', '2006:2007:12.50:EUR:Rent', '--yes')
const newest = async () => (await home.json<object[]>(['requests', 'list', '-p', 'odd']))[0]
const bare = (status: number, headers: Record<string, string> = {}): PlainResponse => ({
  status,
  headers,
  body: Buffer.alloc(0),
})

describe('a write', () => {
  it.each([
    [200, false],
    [201, true],
    [203, true],
    [204, true],
  ])('is done with %i; warned: %s', async (status, isWarned) => {
    answer = () => (status === 204 ? bare(204) : reply(status, {description: 'Done', id: '2001'}))
    const {code, stderr} = await patch()
    expect(code).toBe(0)
    expect(lines(stderr).some(({warning}) => warning !== undefined)).toBe(isWarned)
    expect(await newest()).toMatchObject({state: 'done'})
  })

  it.each([202, 205, 206, 207, 226, 299])('is not known to be done with %i', async status => {
    answer = () => reply(status, {queued: true})
    const {code, stderr} = await patch()
    expect({code, error: errorIn(stderr)}).toMatchObject({
      code: 10,
      error: {code: 'EFFECT_UNKNOWN', effect: 'unknown', status},
    })
    expect(service.requests).toHaveLength(1)
    expect(await newest()).toMatchObject({state: 'unknown'})
  })

  it('is done with a status that the contract lists', async () => {
    answer = () => reply(202, {requestTraceId: 't-1'})
    const {code, stderr} = await run('remotecheckout', 'delete', '--customer', '1001', '--bid', 'B', '--yes')
    expect(code, stderr).toBe(0)
    expect(await newest()).toMatchObject({state: 'done'})
  })

  it('to a path that nothing describes is not known to be done with 202 either', async () => {
    answer = () => reply(202, {queued: true})
    expect(await run('api', 'POST', '/v1/other', '-F', 'a=1', '--yes')).toMatchObject({code: 10})
    expect(await run('api', 'PATCH', '/proxy/v4/CREDIT/2001', '-F', 'creditLimit=1', '--yes')).toMatchObject({
      code: 10,
    })
    answer = () => reply(200, {done: true})
    expect(await run('api', 'POST', '/v1/other', '-F', 'a=2', '--yes')).toMatchObject({code: 0})
  })
})

describe('a batch of transfers', () => {
  it.each([
    [
      '201 with an address only',
      bare(201, {location: '/v1/a2a/batches/88001?sig=abc'}),
      {location: '/v1/a2a/batches/88001'},
    ],
    ['202 with an id', reply(202, {id: '88001', status: 'IN_PROGRESS'}), {id: '88001'}],
    [
      '202 with both',
      reply(202, {id: 88001}, {location: 'https://other.example/queue/17'}),
      {id: '88001', location: 'https://other.example/queue/17'},
    ],
    ['303', bare(303, {location: '/v1/a2a/batches/88001'}), {location: '/v1/a2a/batches/88001'}],
  ])('is open after %s, which the error and the journal name', async (_, response, named) => {
    answer = () => response
    const {code, stderr} = await create()
    const error = errorIn(stderr)
    expect(code).toBe(10)
    const data = error?.data as Record<string, string>
    for (const [name, value] of Object.entries(named)) {
      expect(data[name]).toContain(value)
      expect(error?.message).toContain(value)
      expect(JSON.stringify(await home.json(['requests', 'show', 'last', '-p', 'odd']))).toContain(value)
    }
    expect(await create()).toMatchObject({code: 10})
    expect(service.requests.filter(({method}) => method === 'POST')).toHaveLength(1)
  })

  it('is open after a 200 that holds an error, with the words of the service', async () => {
    answer = () => reply(200, {id: '88001', status: 'ERROR', message: 'Ledger is closed'})
    const {code, stderr} = await create()
    expect(code).toBe(10)
    expect(errorIn(stderr)?.message).toContain('it holds an error: Ledger is closed')
  })
})

describe('rows', () => {
  const bulk = (operation: readonly string[], stdin: string) =>
    home.run(['bulk', 'run', ...operation, '--from', '-', '--concurrency', '1', '--yes', '-p', 'odd'], {
      stdin,
    })
  const states = async () =>
    (await home.json<{state: string}[]>(['bulk', 'results', 'last', '-p', 'odd'])).map(({state}) => state)
  const no = {status: 'ERROR', message: 'No such card'}

  it('that read are failed where the service reports an error in a 200', async () => {
    let asked = 0
    answer = () => (++asked === 1 ? reply(200, {status: 'CARD_OK', customerId: '1'}) : reply(200, no))
    const {code} = await bulk(['cards', 'get'], `id\n${[1, 2, 3, 4, 5, 6, 7, 8].join('\n')}\n`)
    expect(code).toBe(11)
    expect(await states()).toEqual(['done', ...Array.from({length: 7}, () => 'failed')])
  })

  it('that read stop where every 200 holds an error, and none is done', async () => {
    answer = () => reply(200, no)
    const {code, stderr} = await bulk(['cards', 'get'], `id\n${[1, 2, 3, 4, 5, 6, 7, 8].join('\n')}\n`)
    expect(code).toBe(8)
    expect(stderr).toContain('it holds an error: No such card')
    expect(await states()).not.toContain('done')
  })

  it.each([
    ['a 202', reply(202, {queued: true})],
    ['an error in a 200', reply(200, no)],
  ])('without an honoured key are unknown after %s', async (_, response) => {
    answer = body => (body.includes('"A"') ? response : reply(200, {description: 'Done'}))
    await bulk(['pricelists', 'patch'], 'id,code\n5001,A\n5002,B\n')
    expect(await states()).toEqual(['unknown', 'done'])
  })

  it('with an honoured key stay sent after a 202', async () => {
    answer = body => (body.includes('17') ? reply(202, {queued: true}) : reply(200, {description: 'D'}))
    await bulk(['accounts', 'patch', '--type', 'credit'], 'id,creditLimit\n2001,17\n2002,18\n')
    expect(await states()).toEqual(['sent', 'done'])
  })
})

describe('an operation of a document', () => {
  const start = async (responses: object) => {
    const file = join(home.folder, 'doc.json')
    const paths = {'/a': {post: {operationId: 'make', responses}}}
    await writeFile(file, JSON.stringify({openapi: '3.1.0', info: {title: 'T', version: '1'}, paths}))
    expect(await run('contract', 'import', file, '--name', 'own')).toMatchObject({code: 0})
  }
  const make = () => run('x', 'a', 'make', '--yes')

  it.each([
    ['202 without content', {202: {description: ''}}, 202],
    ['2XX', {'2XX': {description: ''}}, 207],
  ])('is done with a status that it lists: %s', async (_, responses, status) => {
    await start(responses)
    answer = () => bare(status)
    expect(await make()).toMatchObject({code: 0})
  })

  it('is not known to be done with a 202 that it does not list, and is warned of a 201', async () => {
    await start({200: {description: ''}})
    answer = () => bare(202)
    expect(await make()).toMatchObject({code: 10})
    answer = () => bare(201)
    expect(await make()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the status is 201, not 200'),
    })
  })
})
