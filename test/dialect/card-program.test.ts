// The built-in commands on a service in the manner of a public card issuing API, written by hand from its document.
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import type {PlainRequest} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

const DIALECT = fileURLToPath(new URL('../../examples/dialects/card-program.yaml', import.meta.url))

type Json = Record<string, unknown>

const users = new Map<string, Json>([
  ['user-1', {token: 'user-1', status: 'ACTIVE'}],
  ['user-2', {token: 'user-2', status: 'ACTIVE'}],
])
const cards = ['card-a', 'card-b', 'card-c'].map((token, at) => ({
  token,
  user_token: 'user-1',
  card_product_token: 'product',
  state: at === 1 ? 'SUSPENDED' : 'ACTIVE',
  state_reason: 'New',
  last_four: `000${at}`,
  pan: `41111111111${at}000${at}`,
  expiration: '0829',
  last_modified_time: '2026-11-20T10:00:00Z',
  pin_is_set: false,
}))
const controls = new Map<string, Json>([
  [
    'limit-m',
    {token: 'limit-m', velocity_window: 'MONTH', amount_limit: 500, usage_limit: -1, currency_code: 'EUR'},
  ],
])
const transfers = new Map<string, Json>()
const failed = (status: number, message: string) =>
  reply(status, {error_code: `${status}001`, error_message: message})

/** Another answer than the service's. */
let bent: ((request: PlainRequest) => ReturnType<typeof reply> | undefined) | undefined

function answer(request: PlainRequest): ReturnType<typeof reply> {
  const {method, url, body} = request
  const other = bent?.(request)
  if (other !== undefined) return other
  const {pathname, searchParams} = new URL(url, 'http://localhost')
  const [root = '', id = '', more = ''] = pathname.split('/').slice(1)
  const text = Buffer.from(body ?? []).toString()
  const given: Json = text === '' ? {} : JSON.parse(text)
  const page = (all: readonly unknown[]) => {
    const count = Number(searchParams.get('count') ?? 5)
    const start = Number(searchParams.get('start_index') ?? 0)
    const data = all.slice(start, start + count)
    return reply(200, {count: data.length, start_index: start, is_more: start + count < all.length, data})
  }
  if (method === 'GET' && root === 'cards' && id === 'user')
    return page(cards.filter(card => card.user_token === more))
  if (method === 'GET' && root === 'cards') {
    const card = cards.find(({token}) => token === id)
    return card ? reply(200, card) : failed(404, 'Card not found')
  }
  if (method === 'POST' && pathname === '/usertransitions') {
    const user = users.get(String(given.user_token))
    if (user === undefined || given.channel !== 'API' || given.reason_code === undefined)
      return failed(400, 'Bad request')
    user.status = given.status
    return reply(201, {...given, token: given.token ?? 'made'})
  }
  if (method === 'GET' && root === 'velocitycontrols') return page([...controls.values()])
  if (method === 'PUT' && root === 'velocitycontrols') {
    const control = controls.get(id)
    if (control === undefined || given.token !== id) return failed(404, 'No such control')
    return reply(200, Object.assign(control, given))
  }
  if (method === 'POST' && root === 'peertransfers') {
    const token = String(given.token ?? 'made')
    if (transfers.has(token)) return failed(409, 'Token in use')
    transfers.set(token, {...given, token, created_time: '2026-11-23T10:00:00Z'})
    return reply(201, transfers.get(token))
  }
  if (method === 'GET' && root === 'peertransfers') return reply(200, transfers.get(id) ?? {})
  if (method === 'POST' && pathname === '/pins/controltoken')
    return reply(201, {control_token: 'ctl-SECRET-77'})
  return failed(404, 'No such path')
}

let home: Home
let service: Service
beforeAll(async () => {
  home = await openHome()
  service = await openService(answer)
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'tester', '--dialect', DIALECT]
  await home.run([
    'profiles',
    'add',
    'program',
    '--base-url',
    `${service.url}/v3`.replace('/v3', ''),
    ...flags,
  ])
})
afterAll(async () => {
  await service.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'program'])
const json = <T = Json>(...argv: string[]) => home.json<T>([...argv, '-p', 'program'])
const sent = () => service.requests.filter(({method}) => method !== 'GET')
const lastSent = (): Json => JSON.parse(String(sent().at(-1)?.body))

test('a card, and the cards of a user over several pages', async () => {
  expect(await json('cards', 'get', 'card-b')).toEqual({
    id: 'card-b',
    customerId: 'user-1',
    accountId: 'user-1',
    productCode: 'product',
    status: 'CARD_BLOCKED',
    statusDate: '2026-11-20T10:00:00',
    reason: 'New',
    maskedCardNumber: '____________0001',
    expiration: {year: 2029, month: 8},
  })
  const listed = await json<Json[]>('cards', 'list', '--customer', 'user-1', '--all', '--page-size', '2')
  expect(listed.map(({id}) => id)).toEqual(['card-a', 'card-b', 'card-c'])
})

test('a card number of theirs is nowhere', async () => {
  for (const format of ['json', 'table', 'yaml'])
    expect((await run('cards', 'get', 'card-a', '-o', format, '--debug')).stdout).not.toContain('41111111111')
  expect((await run('cards', 'get', 'card-a', '--debug')).stderr).not.toContain('4111111111100000')
})

test('a block', async () => {
  await json('accounts', 'block', 'user-1', '--type', 'debit', '--reason', 'lost phone', '--yes')
  expect(lastSent()).toMatchObject({
    user_token: 'user-1',
    status: 'SUSPENDED',
    channel: 'API',
    token: expect.any(String),
  })
  expect(users.get('user-1')).toMatchObject({status: 'SUSPENDED'})
})

test('a limit, in the control that a read before it finds', async () => {
  const limits = (amount: number) =>
    JSON.stringify({usageLimits: [{code: 'MONTHLY', values: [{code: 'ALL', sumAmount: amount}]}]})
  await json('accounts', 'patch', 'user-1', '--segment', 'DEBIT', '--data', limits(750), '--yes')
  expect(controls.get('limit-m')).toMatchObject({amount_limit: 750})
  const before = sent().length
  const zero = await run('accounts', 'patch', 'user-1', '--segment', 'DEBIT', '--data', limits(0), '--yes')
  expect(zero).toMatchObject({code: 2, stderr: expect.stringContaining("can't be 0 there")})
  for (const token of [null, '', {}]) {
    controls.set('odd', {token, velocity_window: 'DAY', amount_limit: 1})
    const odd = await run(
      'accounts',
      'patch',
      'user-1',
      '--segment',
      'DEBIT',
      '--data',
      limits(9).replace('MONTHLY', 'DAILY'),
      '--yes',
    )
    expect(odd).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('gave no [velocity_window=DAY].token'),
    })
  }
  controls.delete('odd')
  const daily = limits(9).replace('MONTHLY', 'DAILY')
  const missing = await run('accounts', 'patch', 'user-1', '--segment', 'DEBIT', '--data', daily, '--yes')
  expect(missing).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('gave no [velocity_window=DAY].token'),
  })
  expect(sent().length).toBe(before)
})

test('a transfer, which is not sent again without a key that is promised', async () => {
  const [made] = await json<Json[]>(
    'a2a',
    'create',
    '--transfer',
    'user-1:user-2:12.34:EUR:rent',
    '--yes',
    '--wait',
  )
  expect(made).toMatchObject({status: 'COMPLETED'})
  expect(lastSent()).toMatchObject({
    sender_user_token: 'user-1',
    recipient_user_token: 'user-2',
    amount: 12.34,
    currency_code: 'EUR',
  })
  const two = ['--transfer', 'user-1:user-2:1:EUR', '--transfer', 'user-2:user-1:2:EUR']
  const before = sent().length
  expect(await run('a2a', 'create', ...two, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no place there'),
  })
  expect(sent().length).toBe(before)
})

test('a transfer is shown as booked, and reports read it', async () => {
  const transfer = ['a2a', 'create', '--transfer', 'user-1:user-2:3:EUR:tea', '--yes', '--wait']
  const {stderr} = await run(...transfer)
  expect(stderr).toContain('1 of 1 booked')
  const report = await json<{transfers: {read: unknown[]}}>('report', 'shift')
  expect(JSON.stringify(report)).toContain('COMPLETED')
})

test('a lost transfer ends with what a person can record', async () => {
  bent = ({method, url}) =>
    method === 'POST' && url.startsWith('/peertransfers') ? failed(500, 'Broken') : undefined
  const lost = await run('a2a', 'create', '--transfer', 'user-1:user-2:4:EUR', '--yes')
  bent = undefined
  expect(lost.code).toBe(10)
  const {code, stderr} = await run('requests', 'resolve', 'last')
  expect(code).toBe(10)
  expect(stderr).toContain('--found no-effect')
  expect(stderr).not.toContain('a2a list')
  const found = ['--found', 'no-effect', '--because', 'looked', '--confirm', 'last']
  expect(await run('requests', 'resolve', 'last', ...found, '--yes')).not.toMatchObject({code: 2})
})

test('the profile can be tested without a list, and a 404 of another server proves nothing', async () => {
  expect(await run('profiles', 'test', 'program')).toMatchObject({code: 0})
  bent = () => reply(404, {message: 'no such host'})
  const {code} = await run('profiles', 'test', 'program')
  bent = undefined
  expect(code).toBe(5)
})

test('only what the service has is offered, found and asked for', async () => {
  const {found} = await json<{found: {kind: string}[]}>('find', 'user-1')
  expect(found.map(({kind}) => kind)).toEqual(['customer', 'account'])
  const body = await json('accounts', 'patch', 'user-1', '--type', 'credit', '--skeleton')
  expect(body).toEqual({
    reason: expect.any(String),
    usageLimits: [
      {
        code: expect.any(String),
        values: [{code: expect.any(String), count: expect.any(String), sumAmount: expect.any(String)}],
      },
    ],
    status: expect.any(String),
  })
  const {stderr} = await run('accounts', 'block', 'user-9', '--yes')
  expect(stderr).toContain('--type credit')
  expect(stderr).not.toContain('fleet')
})

test('a PIN is never handled in clear, and its control token is a secret', async () => {
  expect(await run('pin', 'set', 'card-a', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('only the device of the cardholder'),
  })
  const control = await run('pincontrol', 'create', 'card-a', '--scope', 'set', '--yes', '--debug')
  expect(control.code).toBe(0)
  expect(control.stderr).not.toContain('ctl-SECRET')
  const {stdout} = await run('requests', 'list', '-o', 'json')
  expect(stdout).not.toContain('ctl-SECRET')
})

test('an error has the words of the service', async () => {
  expect(await run('cards', 'get', 'card-z')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Card not found'),
  })
})
