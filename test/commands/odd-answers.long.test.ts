// What becomes of answers that differ or prove nothing, beyond the single command.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {PlainRequest, PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
let answer: (request: PlainRequest) => PlainResponse | undefined
beforeEach(async () => {
  answer = () => undefined
  home = await openHome()
  service = await openService(request => answer(request))
  await addProfile('svc')
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const addProfile = (name: string, ...more: string[]) =>
  home.json(['profiles', 'add', name, '--kind', 'test', '--base-url', service.url, ...more])
const AT = {env: {CARDCTL_PROFILE: 'svc'}}
const run = (line: string, options: RunOptions = {}) =>
  home.run(line.split(' '), {...options, env: {...AT.env, ...options.env}})
const newest = async () =>
  (await home.json<Record<string, unknown>[]>(['requests', 'list', '--limit', '1'], AT))[0] ?? {}

const LOGIN: PlainResponse = {
  status: 200,
  headers: {'content-type': 'text/html'},
  body: Buffer.from('<!doctype html><title>Sign in</title>'),
}
const CARD = {id: '3001', status: 'CARD_OK'}
const CREATE = 'a2a create --transfer 2006:2007:12.50:EUR:rent --yes -o json'

describe('a bulk run', () => {
  const rows = `id,creditLimit\n${Array.from({length: 20}, (_, at) => `${9000 + at},${at}\n`).join('')}`
  const bulk = (more = '') =>
    run(`bulk run accounts.patchCredit.v4 --from - --rate off --concurrency 1${more}`, {stdin: rows})
  const results = async () => {
    const [job] = await home.json<{job: string}[]>(['bulk', 'list'], AT)
    return home.json<{state: string; message?: string; reply?: unknown}[]>(
      ['bulk', 'results', `${job?.job}`],
      AT,
    )
  }

  test('counts rows that are done with an odd answer, and keeps where it differs', async () => {
    answer = ({url}) => {
      const [id = ''] = /90\d\d/.exec(url) ?? []
      return /90(?:03|07)/.test(id) ? reply(201, {id: Number(id)}) : reply(200, {id, description: 'Done'})
    }
    const {code, stdout, stderr} = await bulk(' -o json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({done: 20, failed: 0, odd: 2})
    expect(stderr).toContain('2 of 20 responses differ from the contract')
    const odd = (await results()).filter(({message}) => message !== undefined)
    expect(odd).toHaveLength(2)
    expect(odd[0]).toMatchObject({state: 'done', message: expect.stringContaining('201'), reply: {id: 9003}})
    expect((await bulk(' --strict')).code).toBe(8)
  })

  test.each([
    ['the same login page', () => LOGIN],
    ['the same error in a 200', () => reply(200, {error: 'rejected'})],
  ])('that gets %s on each row stops, and says that nothing is proved', async (_, page) => {
    answer = page
    const {code, stderr} = await bulk()
    expect(code).toBe(10)
    expect(stderr).toContain('proves nothing')
    const states = (await results()).map(({state}) => state)
    expect(states.filter(state => state === 'done')).toEqual([])
    expect(states.filter(state => state === 'waiting').length).toBeGreaterThan(10)
    // The key makes it safe to send them again.
    answer = () => undefined
    const [job] = await home.json<{job: string}[]>(['bulk', 'list'], AT)
    await run(`bulk resume ${job?.job} --rate off`)
    expect((await results()).some(({state}) => state === 'sent' || state === 'waiting')).toBe(false)
  })

  test('of reads whose answers prove nothing is not done', async () => {
    answer = () => LOGIN
    const {code, stderr} = await run('bulk run cards.get.v4 --from - --rate off', {stdin: 'id\n3001\n3002\n'})
    expect([code, stderr]).toEqual([8, expect.stringContaining('0 of 2 rows done')])
  })
})

describe('an id that an answer names', () => {
  test('reaches stdout and the journal, even if the rest differs from the contract', async () => {
    answer = () => reply(201, {id: 88_123, odd: true})
    const {code, stdout} = await run(CREATE)
    expect([code, JSON.parse(stdout)]).toEqual([0, [{id: 88_123, odd: true}]])
    expect(await newest()).toMatchObject({
      state: 'done',
      replyId: '88123',
      differences: expect.arrayContaining([expect.stringContaining('201')]),
    })
  })

  test.each(['json', 'table', 'yaml', 'csv'])(
    'reaches stdout as %s when it stands in an error',
    async format => {
      answer = () => reply(200, {error: 'partly', batchId: '88123', requestTraceId: ''})
      const {code, stdout} = await run(CREATE.replace('json', format))
      expect([code, stdout]).toEqual([10, expect.stringContaining('88123')])
    },
  )
})

describe('an answer to a disclosure that proves nothing', () => {
  test('has its token printed, because it cannot be requested again, and stored nowhere', async () => {
    answer = () => reply(200, {token: 'tok-odd-1', cardDataFrameUrl: ['no', 'text']})
    const {code, stdout} = await run('cards control-token 3001 -o json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, {token: 'tok-odd-1'}])
    expect(JSON.stringify(await newest())).not.toContain('tok-odd-1')
  })

  test('has its token printed though it has an unknown form', async () => {
    answer = () => reply(200, {token: {text: 'tok-odd-2'}})
    const {code, stdout} = await run('cards control-token 3001 -o json')
    expect([code, JSON.parse(stdout)]).toMatchObject([10, {token: {text: 'tok-odd-2'}}])
    expect(JSON.stringify(await newest())).not.toContain('tok-odd-2')
  })

  test('has everything else that is secret masked', async () => {
    answer = () => reply(200, {error: 'odd', fullCardNumber: '4111111111111111', cvv2: '123', id: 'x-1'})
    const {code, stdout, stderr} = await run('cards payment-info 3001 -o json')
    expect(code).toBe(10)
    expect(stdout).toContain('x-1')
    expect(`${stdout}${stderr}`).not.toMatch(/4111111111111111|"123"/)
  })

  test('is not asked for again', async () => {
    answer = () => LOGIN
    expect((await run('cards control-token 3001')).code).toBe(10)
    expect(service.requests).toHaveLength(1)
  })
})

describe('strictness', () => {
  beforeEach(() => {
    answer = () => reply(200, CARD)
  })

  test.each([
    ['the flag', 'cards get 3001 -o json --strict', {}],
    ['the environment', 'cards get 3001 -o json', {CARDCTL_STRICT: '1'}],
  ])('by %s ends with 8 once the answer is printed', async (_, line, env) => {
    const {code, stdout, stderr} = await run(line, {env})
    expect([code, JSON.parse(stdout)]).toEqual([8, CARD])
    expect(JSON.parse(stderr)).toMatchObject({error: {code: 'ANSWER_DIFFERS', effect: 'none'}})
  })

  test('by the profile, and the flag and the environment take it back', async () => {
    await addProfile('exact', '--strict')
    const env = {CARDCTL_PROFILE: 'exact'}
    expect((await run('cards get 3001', {env})).code).toBe(8)
    expect((await run('cards get 3001 --no-strict', {env})).code).toBe(0)
    expect((await run('cards get 3001', {env: {...env, CARDCTL_STRICT: '0'}})).code).toBe(0)
  })

  test('is no switch of the checks of input', async () => {
    expect((await run('accounts patch 2001 --type credit -F noSuchMember=1')).code).toBe(2)
    expect(service.requests).toEqual([])
  })
})

test('requests resolve looks at a batch list with odd members', async () => {
  answer = ({method}) => (method === 'POST' ? LOGIN : undefined)
  expect((await run(CREATE)).code).toBe(10)
  const {id, reference} = await newest()
  answer = ({method}) =>
    method === 'GET'
      ? reply(200, {items: [{id: 9, description: `x ${reference}`}], lastEvaluatedKey: null})
      : undefined
  const {code, stdout} = await run(`requests resolve ${id} -o json`)
  expect([code, JSON.parse(stdout)]).toMatchObject([0, {verdict: 'had effect', replyId: '9'}])
})

test('a batch is followed through unknown states', async () => {
  const states = ['PENDING', 'SETTLING', 'COMPLETED']
  answer = () => reply(200, {id: '1', status: states.length > 1 ? states.shift() : states[0]})
  const {code} = await run('a2a watch 1')
  expect(code).toBe(0)
  expect(service.requests).toHaveLength(3)
})

test('pages take turns of the quota', async () => {
  await addProfile('slow', '--rate', '1/s')
  let page = 0
  answer = () => {
    const items = [{id: String(++page)}]
    return reply(200, {items, ...(page < 4 ? {lastEvaluatedKey: {id: String(page)}} : {})})
  }
  const waits: number[] = []
  let now = Date.UTC(2026, 5, 15)
  const {code} = await run('a2a list --all -o json', {
    env: {CARDCTL_PROFILE: 'slow'},
    now: () => now,
    sleep: async ms => {
      waits.push(ms)
      now += ms
    },
  })
  expect(code).toBe(0)
  expect(page).toBe(4)
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(2000)
})
