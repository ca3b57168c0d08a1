// The built-in commands on a service whose makers have never heard of them.
import {chown, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {openHarbour} from './harbour.ts'

const DIALECT = fileURLToPath(new URL('../../examples/dialects/harbour.yaml', import.meta.url))

let home: Home
let harbour: Awaited<ReturnType<typeof openHarbour>>
beforeAll(async () => {
  home = await openHome()
  harbour = await openHarbour()
  const flags = ['--kind', 'test', '--auth', 'none', '--audit-user', 'tester', '--dialect', DIALECT]
  await home.run(['profiles', 'add', 'harbour', '--base-url', harbour.url, ...flags])
})
afterAll(async () => {
  await harbour.close()
  await home.remove()
})

const run = (...argv: string[]) => home.run([...argv, '-p', 'harbour'])
const json = <T = Record<string, unknown>>(...argv: string[]) => home.json<T>([...argv, '-p', 'harbour'])

describe('reads', () => {
  test('a card comes under our names and values', async () => {
    expect(await json('cards', 'get', 'crd_3001')).toMatchObject({
      id: 'crd_3001',
      accountId: 'acc_2001',
      status: 'CARD_OK',
      maskedCardNumber: expect.stringMatching(/^\d{6,8}_+\d{4}$/),
      expiration: {year: expect.any(Number), month: expect.any(Number)},
    })
  })

  test('a list is whole, page by page', async () => {
    const all = await json<{id: string}[]>(
      'cards',
      'list',
      '--customer',
      'cus_1003',
      '--all',
      '--page-size',
      '1',
    )
    expect(all.length).toBeGreaterThan(1)
    expect(new Set(all.map(({id}) => id)).size).toBe(all.length)
  })

  test('what the service lacks is refused by name, and nothing is sent', async () => {
    const before = harbour.requests.length
    const {code, stderr} = await run('pricelists', 'delete', '7', '--yes')
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('it has no price lists')})
    expect(harbour.requests.length).toBe(before)
  })

  test('a value that the dialect does not know is shown, and named as a difference', async () => {
    harbour.bent.answer = () => reply(200, {data: {card_id: 'crd_3001', state: 'hibernating'}})
    const {code, stdout, stderr} = await run('cards', 'get', 'crd_3001', '-o', 'json', '--strict')
    harbour.bent.answer = undefined
    expect(code).toBe(8)
    expect(stdout).toContain('hibernating')
    expect(stderr).toContain('state is a value that the dialect does not know')
  })

  test('an answer without its envelope proves nothing', async () => {
    harbour.bent.answer = () => reply(200, {card_id: 'crd_3001', state: 'active'})
    const {code, stderr} = await run('cards', 'get', 'crd_3001')
    harbour.bent.answer = undefined
    expect({code, stderr}).toMatchObject({code: 8, stderr: expect.stringContaining('it has no data')})
  })
})

describe('writes', () => {
  test('a block and an unblock, which undo knows', async () => {
    await json(
      'accounts',
      'patch',
      'acc_2001',
      '--segment',
      'CREDIT',
      '-F',
      'status=ACCOUNT_BLOCKED',
      '--yes',
    )
    expect(await harbour.state('account', '2001')).toMatchObject({status: 'ACCOUNT_BLOCKED'})
    await json('accounts', 'patch', 'acc_2001', '--segment', 'CREDIT', '-F', 'status=ACCOUNT_OK', '--yes')
    const {code} = await run('requests', 'undo', 'last', '--yes')
    expect(code).toBe(0)
    expect(await harbour.state('account', '2001')).toMatchObject({status: 'ACCOUNT_BLOCKED'})
    await json('accounts', 'patch', 'acc_2001', '--segment', 'CREDIT', '-F', 'status=ACCOUNT_OK', '--yes')
  })

  test('a limit in minor units, after the read that it needs', async () => {
    const limits = [{code: 'MONTHLY', values: [{code: 'ALL', sumAmount: 1250.5}]}]
    await json(
      'accounts',
      'patch',
      'acc_2001',
      '--segment',
      'CREDIT',
      '--data',
      JSON.stringify({usageLimits: limits}),
      '--yes',
    )
    const last = harbour.requests.slice(-2)
    expect(last.map(({method}) => method)).toEqual(['GET', 'PUT'])
    expect(JSON.parse(String(last[1]?.body))).toEqual({
      if_version: 1,
      limits: [{window: 'month', by_channel: [{channel: 'any', total_minor: 125_050}]}],
    })
    expect(await harbour.state('account', '2001')).toMatchObject({
      usageLimits: [{code: 'MONTHLY', values: [{code: 'ALL', sumAmount: 1250.5}]}],
    })
  })

  test('no limit is asked about as ever, and has its own value there', async () => {
    const data = JSON.stringify({usageLimits: [{code: 'DAILY', values: [{code: 'ATM', sumAmount: 0}]}]})
    const asked = await run('accounts', 'patch', 'acc_2001', '--segment', 'CREDIT', '--data', data)
    expect(asked.stderr).toContain('0 means no limit')
    const {stdout} = await run(
      'accounts',
      'patch',
      'acc_2001',
      '--segment',
      'CREDIT',
      '--data',
      data,
      '--dry-run',
    )
    expect(JSON.parse(stdout)).toMatchObject({body: {limits: [{by_channel: [{total_minor: null}]}]}})
  })

  test.for([
    ['a field without a place', '{"paymentTerms":5}', 'paymentTerms has no place there'],
    ['a value without a value', '{"status":"ACCOUNT_COLLECTION"}', 'has no value there'],
    [
      'half a cent',
      '{"usageLimits":[{"code":"DAILY","values":[{"code":"ATM","sumAmount":1.005}]}]}',
      'more than 2 decimals',
    ],
    ['two at once that go one by one', '{"status":"ACCOUNT_OK","name":"x"}', 'send them one by one'],
  ])('%s is refused before anything is sent', async ([, data = '', why = '']) => {
    const before = harbour.requests.length
    const flags = ['--segment', 'CREDIT', '--yes', '--confirm', 'ACCOUNT_COLLECTION']
    const {code, stderr} = await run('accounts', 'patch', 'acc_2001', ...flags, '--data', data)
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining(why)})
    expect(harbour.requests.length).toBe(before)
  })

  test('a PIN is set and seen again, encrypted all the way', async () => {
    const set = await home.run(['pin', 'set', 'crd_3004', '-p', 'harbour', '--yes'], {
      stdin: '4826\n',
    })
    expect(set).toMatchObject({code: 0})
    const {stdout} = await run('pin', 'view', 'crd_3004', '--reveal', '--yes', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({pin: '4826'})
    for (const {body} of harbour.requests) expect(String(body)).not.toContain('4826')
  })
})

describe('transfers', () => {
  test('go out once, in minor units, and their state is followed', async () => {
    const [made] = await json<unknown[]>(
      'a2a',
      'create',
      '--transfer',
      'acc_2006:acc_2007:6.5:EUR:rent',
      '--yes',
      '--wait',
    )
    expect(made).toMatchObject({status: 'COMPLETED', totalAmount: {EUR: 6.5}})
    const sent = harbour.requests.findLast(({method}) => method === 'POST')
    expect(JSON.parse(String(sent?.body)).lines).toEqual([
      {
        debit_account: 'acc_2006',
        credit_account: 'acc_2007',
        currency: 'EUR',
        amount_minor: 650,
        text: 'rent',
      },
    ])
    expect(sent?.headers?.['idempotency-key']).toBeDefined()
    const again = await run('a2a', 'create', '--transfer', 'acc_2006:acc_2007:6.5:EUR:rent', '--yes')
    expect(again.code).not.toBe(0)
    expect(harbour.writes().filter(path => path === 'POST /transfer_batches')).toHaveLength(1)
  })

  test('an id that is none of this service is refused', async () => {
    const {code, stderr} = await run('a2a', 'create', '--transfer', '2006:acc_2007:1:EUR', '--yes')
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('fromAccountId')})
  })

  test('do not go past their checks by api', async () => {
    const body = {
      lines: [{debit_account: 'acc_2006', credit_account: 'acc_2007', currency: 'EUR', amount_minor: 1}],
    }
    const before = harbour.writes().length
    const {code, stderr} = await run(
      'api',
      'POST',
      '/transfer_batches',
      '--data',
      JSON.stringify(body),
      '--yes',
    )
    expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('a2a create')})
    expect(harbour.writes().length).toBe(before)
  })

  test('with a lost answer are sent again under the same key, because the dialect says that it is honoured', async () => {
    let times = 0
    harbour.bent.answer = (method, path) =>
      method === 'POST' && path === '/transfer_batches' && times++ === 0
        ? {...reply(200, {}), drop: true}
        : undefined
    const {code} = await run('a2a', 'create', '--transfer', 'acc_2006:acc_2007:2:EUR', '--yes')
    harbour.bent.answer = undefined
    expect(code).toBe(0)
    const keys = harbour.requests
      .filter(({method}) => method === 'POST')
      .slice(-2)
      .map(({headers}) => headers?.['idempotency-key'])
    expect(keys[0]).toBe(keys[1])
  })
})

test('a block whose answer was lost is certain once it was sent again', async () => {
  for (const how of ['resolve', 'retry']) {
    harbour.bent.answer = (method, path) =>
      method === 'POST' && path.endsWith('/state') ? {...reply(500, {}), drop: true} : undefined
    const lost = await run('accounts', 'block', 'acc_2001', '--type', 'credit', '--yes')
    harbour.bent.answer = undefined
    expect(lost.code).toBe(10)
    expect((await run('cards', 'get', 'crd_3001')).stderr).toContain('is unknown')
    expect(await run('requests', how, 'last', '--yes')).toMatchObject({code: 0})
    const {stderr} = await run('cards', 'get', 'crd_3001')
    expect(stderr).toContain('was set to ACCOUNT_BLOCKED from this machine')
    expect(stderr).not.toContain('unknown')
    await json('accounts', 'unblock', 'acc_2001', '--type', 'credit', '--yes')
    expect((await run('cards', 'get', 'crd_3001')).stderr).not.toContain('ACCOUNT_BLOCKED')
  }
})

test('ids with a prefix are found, each as what it is', async () => {
  for (const [id, kinds] of [
    ['crd_3001', ['card']],
    ['cus_1001', ['customer']],
    ['acc_2001', ['account']],
  ] as const) {
    const {found} = await json<{found: {kind: string}[]}>('find', id)
    expect(found.map(({kind}) => kind)).toEqual(kinds)
  }
})

test('nothing is warned of where nothing is wrong', async () => {
  for (const line of [
    'cards get crd_3001',
    'cards list --customer cus_1003',
    'accounts block acc_2001 --type credit --yes',
    'accounts unblock acc_2001 --yes',
    'accounts limit acc_2001 5000 --type credit --yes',
    'contract check --card crd_3001 --customer cus_1001',
  ]) {
    const {code, stderr} = await run(...line.split(' '))
    expect({line, code, stderr}).toMatchObject({code: 0, stderr: expect.not.stringContaining('Warning')})
  }
})

test('a credit limit by its own command, and the one before', async () => {
  await json('accounts', 'limit', 'acc_2001', '6000', '--type', 'credit', '--yes')
  const {stderr} = await run('accounts', 'limit', 'acc_2001', '7000.50', '--type', 'credit', '--yes')
  expect(await harbour.state('account', '2001')).toMatchObject({creditLimit: 7000.5})
  expect(stderr).not.toContain('Error')
})

test('a job of many rows, which resumes and reports as ever', async () => {
  const file = join(home.folder, 'rows.csv')
  await writeFile(
    file,
    'id,status\nacc_2001,ACCOUNT_BLOCKED\nacc_2001,ACCOUNT_OK\nacc_2001,ACCOUNT_COLLECTION\n',
  )
  const checked = await run(
    'bulk',
    'run',
    'accounts.patchCredit.v4',
    '--from',
    file,
    '--yes',
    '--confirm',
    'ACCOUNT_COLLECTION:1',
  )
  expect(checked).toMatchObject({code: 2, stderr: expect.stringContaining('has no value there')})
  await writeFile(file, 'id,status\nacc_2001,ACCOUNT_BLOCKED\nacc_2001,ACCOUNT_OK\n')
  expect(await run('bulk', 'run', 'accounts.patchCredit.v4', '--from', file, '--yes')).toMatchObject({
    code: 0,
  })
  expect(harbour.writes().slice(-2)).toEqual(Array(2).fill('POST /accounts/acc_2001/state'))
})

test('a request of the journal goes out again by its own operation', async () => {
  await json('accounts', 'block', 'acc_2001', '--type', 'credit', '--yes')
  const before = harbour.writes().length
  expect(await run('requests', 'retry', 'last', '--yes')).toMatchObject({code: 0})
  expect(harbour.writes().slice(before)).toEqual(['POST /accounts/acc_2001/state'])
})

test('on live, a POST that only the dialect calls a read is not sent before a person has agreed', async () => {
  // Live and other profiles share no host.
  const live = await openHome()
  onTestFinished(() => live.remove())
  const file = join(live.folder, 'posting.yaml')
  const dialect = await readFile(DIALECT, 'utf8')
  await writeFile(
    file,
    dialect.replace('request: GET /cards/{card_id}\n', 'request: POST /cards/{card_id}\n'),
  )
  const flags = ['--kind', 'live', '--auth', 'none', '--audit-user', 'Aino Virtanen', '--dialect', file]
  await live.json(['profiles', 'add', 'posting', '--base-url', harbour.url, ...flags])
  const before = harbour.requests.length
  const refused = {code: 2, stderr: expect.stringContaining('CONFIRMATION_REQUIRED')}
  const one = ['cards', 'get', 'crd_3001', '-p', 'posting', '--audit-user', 'Aino Virtanen']
  expect(await live.run(one)).toMatchObject(refused)
  const many = ['bulk', 'run', 'cards.get.v4', '--from', '-', ...one.slice(3)]
  expect(await live.run(many, {stdin: 'id\ncrd_3001\n'})).toMatchObject(refused)
  expect(harbour.requests.length).toBe(before)
})

test('a file of somebody else is no dialect', async context => {
  if (process.getuid?.() !== 0) return context.skip()
  const file = join(home.folder, 'other.yaml')
  await writeFile(file, await readFile(DIALECT, 'utf8'))
  await chown(file, 12_345, 12_345)
  const flags = ['--kind', 'test', '--auth', 'none', '--dialect', file]
  const {code, stderr} = await home.run(['profiles', 'add', 'other', '--base-url', harbour.url, ...flags])
  expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('belongs to another user')})
})

describe('a success', () => {
  test.for([
    ['null', {data: null}],
    ['nothing', {data: {}}],
    ['a list', {data: []}],
    ['an error beside the id', {data: {account_id: 'acc_1', error: {code: 'E1', message: 'no'}}}],
    ['another account', {data: {account_id: 'acc_9'}}],
  ])('of a write with %s proves nothing', async ([, body]) => {
    harbour.bent.answer = method => (method === 'POST' ? reply(200, body) : undefined)
    const {code} = await run('accounts', 'block', 'acc_2001', '--type', 'credit', '--yes')
    harbour.bent.answer = undefined
    expect(code).toBe(10)
  })

  test('of a read without what the dialect maps is a difference', async () => {
    harbour.bent.answer = () => reply(200, {data: {state: 'active'}})
    const {code, stderr} = await run('cards', 'get', 'crd_3001', '--strict')
    harbour.bent.answer = undefined
    expect({code, stderr}).toMatchObject({code: 8, stderr: expect.stringContaining('id is missing')})
  })

  test('with a limit of 0, which here means none, does not show it as one', async () => {
    const limits = [{window: 'day', by_channel: [{channel: 'cash', single_minor: 0, total_minor: null}]}]
    harbour.bent.answer = () => reply(200, {data: {card_id: 'crd_3001', state: 'active', limits}})
    const {stdout, stderr} = await run('cards', 'get', 'crd_3001', '-o', 'json')
    harbour.bent.answer = undefined
    expect(JSON.parse(stdout).usageLimits).toEqual([{code: 'DAILY', values: [{code: 'ATM', sumAmount: 0}]}])
    expect(stderr).toContain('is 0, which means something else here')
  })
})

describe('api on a path that the dialect maps', () => {
  test.for([
    ['PATCH', '/accounts/acc_2001', '{"credit_limit_minor":[500000]}'],
    ['PATCH', '/accounts/acc_2001', '{"credit_limit_minor":"5,000.00"}'],
    ['PATCH', '/accounts/acc_2001', '{"Credit_Limit_Minor":500000}'],
    ['POST', '/accounts/acc_2001/state', '{"State":"closing"}'],
    ['POST', '/accounts/acc_2001/state', '{"state":"CLOSING"}'],
    ['POST', '/accounts/acc_2001/state?state=closing', '{}'],
    ['POST', '/accounts/acc_2001/state.json', '{"state":"closing"}'],
    ['POST', '/transfer_batches.json', '{"lines":[]}'],
    ['POST', '/transfer_batches%3Fx', '{"lines":[]}'],
    ['PATCH', '/accounts/%zz', '{"credit_limit_minor":[1]}'],
  ] as const)('%s %s with %s is not sent past its checks', async ([method, path, body]) => {
    const before = harbour.writes().length
    const {code} = await run('api', method, path, '--data', body, '--yes')
    expect(code).not.toBe(0)
    expect(harbour.writes().length).toBe(before)
  })

  test.for<readonly [string, readonly string[]]>([
    ['a preview', ['--dry-run']],
    ['the line for curl', ['--curl']],
    ['the lines of --debug and the journal', ['--debug', '--yes']],
  ])('does not show a control id that was typed into it, in %s', async ([, flags]) => {
    const id = 'ses_91827364'
    harbour.bent.answer = (_, path) =>
      path.includes(id) ? reply(422, {errors: [{code: 'E', message: `no session ${id}`}]}) : undefined
    const body = JSON.stringify({pin_block: 'AAAABBBBCCCCDDDD'})
    const file = join(home.folder, 'pin.json')
    await writeFile(file, body)
    const path = `/pin_sessions/${id}/pin`
    const {stdout, stderr} = await run('api', 'PUT', path, '--data', `@${file}`, ...flags)
    harbour.bent.answer = undefined
    const shown = stdout + stderr
    expect(shown).not.toContain(id)
    expect(shown).toContain('/pin_sessions/%5Bmasked%5D/pin')
    if (!flags.includes('--yes')) return
    expect(harbour.requests.at(-1)?.url).toBe(path)
    const journal = await run('requests', 'show', 'last', '-o', 'json')
    const audit = await run('audit', 'list', '-o', 'json')
    expect(journal.stdout + audit.stdout).not.toContain(id)
    expect(JSON.parse(journal.stdout)).toMatchObject({path: '/pin_sessions/%5Bmasked%5D/pin'})
  })

  test('sends what only this service has, and no audit user', async () => {
    const {code} = await run('api', 'PATCH', '/accounts/acc_2001', '--data', '{"title":"Travel"}', '--yes')
    expect(code).toBe(0)
    expect(harbour.requests.at(-1)?.url).toBe('/accounts/acc_2001')
  })
})

test('a key that the profile sends elsewhere is no promise', async () => {
  await run('profiles', 'edit', 'harbour', '--idempotency-header', 'X-Mine')
  harbour.bent.answer = method => (method === 'POST' ? {...reply(200, {}), drop: true} : undefined)
  const before = harbour.writes().length
  const {code} = await run('accounts', 'block', 'acc_2001', '--type', 'credit', '--yes')
  harbour.bent.answer = undefined
  await run('profiles', 'edit', 'harbour', '--unset', 'idempotencyHeader')
  expect(code).toBe(10)
  expect(harbour.writes().length).toBe(before + 1)
})
