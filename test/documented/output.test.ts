import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const LIST = ['cards', 'list', '--customer', '1003', '--quiet']

async function scene(...how: Parameters<typeof newService>) {
  const [home, service] = [await newHome(), await newService(...how)]
  await addProfile(home, 'staging', 'test', service.url)
  const run = (argv: readonly string[], options = {}) => home.run([...argv, '-p', 'staging'], options)
  return {home, service, run}
}

describe('api', () => {
  test('refuses a # in the path, since what follows it is never sent, and names %23', async () => {
    const {service, run} = await scene()
    for (const path of ['/v4/3001#x', '/v4/3001?size=5#x', '/v4/3001#']) {
      const refused = await run(['api', 'GET', path, '-o', 'json'])
      expect([refused.code, errorCode(refused)]).toEqual([2, 'USAGE'])
      expect(refused.stderr).toContain('%23')
    }
    expect(service.connections).toBe(0)
    await run(['api', 'GET', '/v4/30%2301'])
    expect(service.requests[0]?.url).toMatch(/^\/v4\/30%2301\b/)
  })

  test('takes the base URL from the profile only', async () => {
    const {service, run} = await scene()
    for (const path of ['http://127.0.0.1:1/v4/3001', '//127.0.0.1:1/v4/3001', 'v4/3001', '/v4/../v4/3001']) {
      expect((await run(['api', 'GET', path])).code, path).toBe(2)
    }
    expect(service.connections).toBe(0)
  })

  test('a path that the contract knows gets what its own command does', async () => {
    const {service, run} = await scene()
    const refused = await run(['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'nope=1', '-o', 'json'])
    expect([refused.code, errorCode(refused)]).toEqual([2, 'CONTRACT_VIOLATION'])
    expect((await run(['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=5000'])).code).toBe(0)
    expect(JSON.parse(String(service.requests[0]?.body))).toEqual({creditLimit: 5000})
    expect(service.requests[0]?.headers['x-idempotency-key']).toBeDefined()
    const journal = await run(['requests', 'list', '-o', 'json'])
    expect(JSON.parse(journal.stdout)).toMatchObject([{operation: 'accounts.patchCredit.v4', state: 'done'}])
  })

  test('any other write is sent once and never retried', async () => {
    const {service, run} = await scene(({method}) =>
      method === 'POST' ? {...reply(200, {}), drop: true} : undefined,
    )
    const lost = await run(['api', 'POST', '/v1/parcels', '--group', 'accounts', '-F', 'size=1'])
    expect(lost.code).toBe(10)
    expect(writesOf(service)).toEqual(['POST /v1/parcels'])
  })

  test('--paginate follows the pages of a list to the end', async () => {
    const {service, run} = await scene()
    const seen = await run(['api', 'GET', '/v4/customer/1003?size=10', '--paginate', '-o', 'ndjson'])
    const ids = seen.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).id as string)
    expect(ids).toHaveLength(35)
    expect(new Set(ids).size).toBe(35)
    expect(service.requests.length).toBeGreaterThan(3)
  })
})

describe('formats', () => {
  test('json is the response, the same in a pipe and on a terminal', async () => {
    const home = await newHome()
    const piped = await home.run(['cards', 'get', '3001', '-o', 'json'])
    const seen = await home.run(['cards', 'get', '3001', '-o', 'json'], {columns: 60})
    expect(seen.stdout).toBe(piped.stdout)
    expect(piped.stdout).toMatch(/^\{\n {2}"id": "3001",\n/)
  })

  test('csv has a header row, LF at the end of rows, nested fields as dotted columns', async () => {
    const home = await newHome()
    const {stdout} = await home.run([...LIST, '--all', '-o', 'csv'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(36)
    expect(stdout).not.toContain('\r')
    expect(lines[0]?.split(',')).toEqual(expect.arrayContaining(['id', 'embossing.lastName']))
    const bare = await home.run([...LIST, '--all', '-o', 'csv', '--no-header'])
    expect(bare.stdout.trimEnd().split('\n')).toEqual(lines.slice(1))
  })

  test('--columns selects fields, and stderr names one that no item has', async () => {
    const home = await newHome()
    const argv = [...LIST, '--limit', '1', '-o', 'csv', '--no-header', '--columns']
    expect((await home.run([...argv, 'id,embossing.lastName'])).stdout).toBe('3101,Korhonen\n')
    expect((await home.run([...argv, 'id,colour'])).stderr).toContain('colour')
  })

  test('--query is JMESPath over the whole result, in every format', async () => {
    const home = await newHome()
    const query = ['--all', '--query', "[?id=='3101' || id=='3135'].id"]
    const printed = async (format: string) => (await home.run([...LIST, ...query, '-o', format])).stdout
    expect(JSON.parse(await printed('json'))).toEqual(['3101', '3135'])
    expect(await printed('ndjson')).toBe('"3101"\n"3135"\n')
    expect((await home.run([...LIST, ...query, '-o', 'csv', '--no-header'])).stdout).toBe('3101\n3135\n')
    expect(await printed('yaml')).toBe('- "3101"\n- "3135"\n')
  })

  test('stdout is data and stderr everything else, errors as one line of JSON', async () => {
    const home = await newHome()
    for (const format of ['json', 'ndjson']) {
      const missing = await home.run(['cards', 'get', '9999', '-o', format])
      expect([missing.code, missing.stdout]).toEqual([5, ''])
      const last = missing.stderr.trimEnd().split('\n').at(-1) ?? ''
      expect(JSON.parse(last)).toMatchObject({error: {code: 'NOT_FOUND', status: 404}})
    }
    expect((await home.run(['cards', 'get', '9999'])).stderr).toContain('Error NOT_FOUND: ')
  })

  test('-q leaves notes out, warnings and errors stay', async () => {
    const {run} = await scene(() => reply(200, {id: '3001'}))
    const seen = await run(['cards', 'get', '3001', '-q', '-o', 'json'])
    expect(JSON.parse(seen.stderr)).toMatchObject({warning: {code: 'ANSWER_DIFFERS'}})
  })
})

test('control characters and direction marks of text from outside are shown escaped', async () => {
  const name = 'a\u001b[31mb\u202ec\u0007'
  const {home, run} = await scene(() => reply(200, {id: '3001', note: name, more: '=1+1'}))
  for (const format of ['table', 'json', 'ndjson', 'csv', 'yaml']) {
    const {stdout} = await run(['api', 'GET', '/v4/3001', '-o', format, '--columns', 'note'])
    for (const mark of ['\u001b', '\u202e', '\u0007']) expect(stdout, format).not.toContain(mark)
  }
  const {stdout} = await run(['api', 'GET', '/v4/3001', '-o', 'json'])
  expect(JSON.parse(stdout).note).toBe(name)
  const safe = await run([
    'api',
    'GET',
    '/v4/3001',
    '-o',
    'csv',
    '--no-header',
    '--columns',
    'more',
    '--csv-safe',
  ])
  expect(safe.stdout).toContain("'=1+1")
  expect(home.folder).toBeDefined()
})

describe('the pager', () => {
  const seen = async (env: Record<string, string>) => {
    const home = await newHome()
    return home.run([...LIST, '--all'], {columns: 100, rows: 10, env: {PATH: process.env.PATH ?? '', ...env}})
  }

  for (const [what, env] of [
    ['CARDCTL_PAGER=cat', {CARDCTL_PAGER: 'cat'}],
    ['an empty CARDCTL_PAGER', {CARDCTL_PAGER: '', PAGER: 'cat'}],
    ['PAGER=cat', {PAGER: 'cat'}],
    ['TERM=dumb', {TERM: 'dumb'}],
  ] as const) {
    test(`${what}: long output goes to the terminal itself`, async () => {
      const {code, stdout} = await seen(env)
      expect(code).toBe(0)
      for (const id of ['3101', '3135']) expect(stdout).toContain(id)
    })
  }
})

describe('limits on what is read', () => {
  test('a response of more than 16 MiB proves nothing', async () => {
    const {run} = await scene(() => reply(200, {id: '3001', text: Array(9).fill('x'.repeat(2_000_000))}))
    const refused = await run(['cards', 'get', '3001', '-o', 'json'])
    expect(refused.code).toBe(8)
  })

  test('nor does one text of more than 2 MiB, or more than 100 levels', async () => {
    const texts = await scene(() => reply(200, {id: '3001', text: 'x'.repeat(2_200_000)}))
    expect((await texts.run(['cards', 'get', '3001'])).code).toBe(8)
    const body = Buffer.from(`{"id":"3001","x":${'['.repeat(101)}${']'.repeat(101)}}`)
    const nested = await scene(() => ({...reply(200, {}), body}))
    expect((await nested.run(['cards', 'get', '3001'])).code).toBe(8)
  })

  test('a line of a file may be 1 MiB long', async () => {
    const {home, service, run} = await scene()
    const file = join(home.folder, 'rows.ndjson')
    await writeFile(file, `${JSON.stringify({id: '2002', name: 'x'.repeat(1_100_000)})}\n`)
    const refused = await run(['bulk', 'run', 'accounts.patchDebit.v4', '--from', file])
    expect(refused.code).toBe(2)
    expect(service.connections).toBe(0)
  })

  const LONG = '9007199254740993'
  const PATCH = ['accounts', 'patch', '2001', '--type', 'credit']
  const BULK = ['bulk', 'run', 'accounts.patchCredit.v4', '--rate', 'off', '--from', '-']
  test.each([
    ['NDJSON', BULK, `{"id":"2001","creditLimit":${LONG}}\n`],
    ['CSV', BULK, `id,creditLimit\n2001,${LONG}\n`],
    ['-F', [...PATCH, '-F', `creditLimit=${LONG}`], ''],
    ['a flag of the command', [...PATCH, '--credit-limit', LONG], ''],
    ['--data', [...PATCH, '--data', `{"creditLimit":${LONG}}`], ''],
    ['--data -', [...PATCH, '--data', '-'], `{"creditLimit":${LONG}}`],
    ['api', ['api', 'PATCH', '/v4/CREDIT/2001', '-F', `creditLimit=${LONG}`], ''],
  ])('a number in %s with more digits than JSON keeps is refused', async (_, argv, stdin) => {
    const {service, run} = await scene()
    const refused = await run(argv, {stdin})
    expect(refused.code, refused.stderr).toBe(2)
    expect(refused.stderr).toContain('digits')
    expect(service.connections).toBe(0)
  })
})
