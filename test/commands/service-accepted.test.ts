// What a 202 with an address came to, where the profile says how to read it.
import {describe, expect, test} from 'vitest'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {reply} from '../helpers/service.ts'
import {json, useShop} from './imported-shop.ts'

const shop = useShop()
const PATCH = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']
const edit = (...flags: string[]) => shop().home.run(['profiles', 'edit', 'shop', ...flags])
const rules = (...flags: string[]) =>
  edit(
    '--accepted-state',
    '/job/state',
    ...['--accepted-done', 'COMPLETED', '--accepted-failed', 'FAILED'],
    ...(flags.includes('--accepted-timeout') ? [] : ['--accepted-timeout', '30s']),
    ...flags,
  )
/** Accepts every write at this address, and answers reads of it one after the other. */
function accept(location: string, ...states: unknown[]): void {
  const left = [...states]
  shop().answer = ({method}: PlainRequest) => {
    if (method !== 'GET') return reply(202, {}, {location})
    const state = left.length > 1 ? left.shift() : left[0]
    return typeof state === 'number'
      ? reply(state, {title: 'no', status: state})
      : reply(200, {id: '2001', job: {state}})
  }
}
const writes = () =>
  shop()
    .requested()
    .filter(line => !line.startsWith('GET'))
const reads = () =>
  shop()
    .requested()
    .filter(line => line.startsWith('GET'))
const entry = async () => {
  const {stdout} = await shop().run(['requests', 'list', '-o', 'json'])
  return JSON.parse(stdout)[0]
}

test('is asked for until it is done, with the credentials and without the key or the body', async () => {
  await rules()
  await edit('--header', 'X-Version=7')
  accept('/base/jobs/17?part=2', 'PENDING', 503, 'running', 'completed')
  const {code, stdout} = await shop().run([...PATCH, '-o', 'json'])
  expect({code, body: JSON.parse(stdout)}).toMatchObject({code: 0, body: {job: {state: 'completed'}}})
  expect(writes()).toHaveLength(1)
  expect(new Set(reads())).toEqual(new Set(['GET /base/jobs/17?part=2']))
  const last = shop().service.requests.at(-1)
  expect(last?.headers).toMatchObject({'x-version': '7'})
  expect(last?.headers).not.toHaveProperty('x-idempotency-key')
  expect(last?.body).toHaveLength(0)
  expect(await entry()).toMatchObject({state: 'done'})
})

test('that failed had no effect', async () => {
  await rules()
  accept('/base/jobs/17', 'PENDING', 'FAILED')
  const {code, stderr} = await shop().run(PATCH)
  expect({code, stderr}).toEqual({code: 6, stderr: expect.stringContaining('its state is FAILED')})
  expect(writes()).toHaveLength(1)
  expect(await entry()).toMatchObject({effect: 'none'})
})

test.each<[string, unknown[], string[]]>([
  ['stays open', ['PENDING'], ['--accepted-timeout', '1s']],
  ['has a state that nobody named', ['STUCK'], ['--accepted-pending', 'PENDING']],
  ['has no state', [404], ['--accepted-timeout', '1s']],
])('that %s is not done', async (_, states, flags) => {
  await rules(...flags)
  accept('/base/jobs/17', ...states)
  const {code, stderr} = await shop().run(PATCH)
  expect({code, stderr}).toEqual({code: 10, stderr: expect.stringContaining('is still open')})
  expect(stderr).toContain('/base/jobs/17')
  expect(writes()).toHaveLength(1)
  expect(await entry()).toMatchObject({effect: 'unknown'})
})

test.each([
  'http://localhost:1/base/jobs/17',
  '//evil.example/base/jobs/17',
  '/other/jobs/17',
  '/base/../other',
  '/base/%2e%2e/other',
  '/base/..%2fother',
  '/basement/17',
])('is not asked for at %s', async location => {
  await rules()
  accept(location, 'COMPLETED')
  expect((await shop().run(PATCH)).code).toBe(10)
  expect(reads()).toEqual([])
})

test('is not asked for without the setting, nor after an error', async () => {
  accept('/base/jobs/17', 'COMPLETED')
  expect((await shop().run(PATCH)).code).toBe(10)
  await rules()
  shop().answer = () => reply(202, {success: false}, {location: '/base/jobs/17'})
  expect((await shop().run(PATCH)).code).toBe(10)
  expect(reads()).toEqual([])
})

describe('of an imported operation', () => {
  test('is asked for although the document lists 202', async () => {
    await rules('--accepted-timeout', '1s')
    await shop().importPaths({
      '/things': {
        post: {
          operationId: 'add',
          tags: ['things'],
          requestBody: json({type: 'object', properties: {a: {type: 'string'}}}),
          responses: {202: {description: 'Accepted'}},
        },
      },
    })
    accept('/base/jobs/17', 'PENDING')
    expect((await shop().run(['x', 'things', 'add', '-F', 'a=b'])).code).toBe(10)
    accept('/base/jobs/17', 'COMPLETED')
    const {code, stdout} = await shop().run(['x', 'things', 'add', '-F', 'a=c'])
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('COMPLETED')})
  })
})

test('a state cannot say two things', async () => {
  expect((await rules('--accepted-pending', 'failed')).code).toBe(2)
})
