import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

it('api HEAD is a read, whose headers --include prints', async () => {
  const service = await openService(({method}) => ({
    status: 200,
    headers: {'x-method': method},
    body: Buffer.alloc(0),
  }))
  onTestFinished(() => service.close())
  const add = ['profiles', 'add', 'heads', '--kind', 'live', '--base-url', service.url, '--auth', 'none']
  await home.json([...add, '--read-only', '--profile-audit-user', 'aino'])
  const {code, stdout} = await home.run(['api', 'HEAD', '/v4/3001', '--include', '-p', 'heads'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('x-method: HEAD')])
})

describe('api --paginate', () => {
  const ids = (from: number): string[] => Array.from({length: 3136 - from}, (_, at) => String(from + at))

  it.each([
    ['/v4/customer/1003', ids(3101)],
    ['/v4/customer/1003?size=5', ids(3101)],
    ['/v4/customer/1003?size=7', ids(3101)],
    ['/v4/customer/1003?size=10&page=1', ids(3111)],
  ])('%s goes to the end of the list, each item once', async (path, expected) => {
    const cards = await home.json<{id: string}[]>(['api', 'GET', path, '--paginate'])
    expect(cards.map(({id}) => id)).toEqual(expected)
  })

  it('follows a cursor too', async () => {
    for (const amount of ['1', '2', '3']) {
      await home.json(['a2a', 'create', '--transfer', `2006:2007:${amount}:EUR`, '--yes'])
    }
    const batches = await home.json<{id: string}[]>(['api', 'GET', '/v1/a2a/batches?size=1', '--paginate'])
    expect(new Set(withoutDemo(batches).map(({id}) => id)).size).toBe(3)
  })
})

it.each(['/v4/3001#top', '/v4/customer/1003?size=5#x', '/v1/a2a/batches?q=#'])(
  'a fragment is refused before anything is sent: %s',
  async path => {
    const {code, stdout, stderr} = await home.run(['api', 'GET', path])
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('The path holds a #')
    expect(stderr).toContain('Write %23')
  },
)

describe('api --include and --header', () => {
  let gates = 0
  const scene = async () => {
    const service = await openService(({url}) =>
      reply(
        200,
        {id: /\d{4}/.exec(url)?.[0] ?? '3001'},
        {'x-trace-id': 'b7', 'set-cookie': 'sid=very-secret', 'x-echo': 'hunter2hunter2'},
      ),
    )
    const name = `gate-${++gates}`
    const add = ['profiles', 'add', name, '--kind', 'test', '--base-url', service.url, '--auth', 'header']
    const secret = ['--header-name', 'X-Gate-Pass', '--secret', 'env:PASS']
    expect(await home.run([...add, ...secret])).toMatchObject({code: 0})
    const run = (...argv: string[]) => home.run(['api', ...argv, '-p', name], {env: {PASS: 'hunter2hunter2'}})
    return {service, run, name}
  }

  it('prints the head above the result, its secrets masked', async () => {
    const {service, run} = await scene()
    const {code, stdout} = await run('GET', '/v1/anything', '--include')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^HTTP 200\n/)
    expect(stdout).toContain('\nx-trace-id: b7\n')
    expect(stdout).toContain('\nset-cookie: [masked]\n')
    expect(stdout).not.toMatch(/very-secret|hunter2hunter2/)
    expect(stdout.indexOf('\n\n')).toBeLessThan(stdout.indexOf('3001'))
    await service.close()
  })

  it('leaves the body alone on stdout with -o json, and has the head as JSON on stderr', async () => {
    const {service, run} = await scene()
    const {stdout, stderr} = await run('GET', '/v1/anything', '--include', '-o', 'json', '-q')
    expect(JSON.parse(stdout)).toEqual({id: '3001'})
    const {note} = JSON.parse(stderr)
    expect(note).toMatchObject({code: 'RESPONSE_HEAD', status: 200, headers: {'x-trace-id': 'b7'}})
    expect(stderr).not.toMatch(/very-secret|hunter2hunter2/)
    await service.close()
  })

  const answered = async (header: string, pass: string) => {
    const service = await openService(() =>
      reply(200, {echo: header}, {'x-echo': header, location: `/${header}`}),
    )
    onTestFinished(() => service.close())
    const profile = [
      '--kind',
      'test',
      '--base-url',
      service.url,
      '--auth',
      'header',
      '--header-name',
      'X-Gate-Pass',
    ]
    const name = `gate-${++gates}`
    expect(await home.run(['profiles', 'add', name, ...profile, '--secret', 'env:PASS'])).toMatchObject({
      code: 0,
    })
    const runs = []
    for (const flags of [
      ['--include'],
      ['--include', '-o', 'json'],
      ['--debug'],
      ['--debug', '-o', 'ndjson'],
    ]) {
      const {code, stdout, stderr} = await home.run(['api', 'GET', '/v1/any', '-p', name, ...flags], {
        env: {PASS: pass},
      })
      expect(code, stderr).toBe(0)
      // The header and the body, whatever of them is shown.
      runs.push(stdout + stderr)
    }
    return runs
  }

  it('escapes what acts on a terminal, in headers as in bodies', async () => {
    for (const shown of await answered('a\u009bb\u0085c\u00add', 'hunter2hunter2')) {
      expect(shown).not.toMatch(/[\u0080-\u009f\u00ad]/)
      expect(shown.match(/a\\u009bb\\u0085c\\u00add/g)?.length).toBeGreaterThanOrEqual(2)
    }
  })

  // A shape may end before the secret does.
  it.each([
    ['abcd1234=efgh5678ijkl', 'Bearer abcd1234=efgh5678ijkl'],
    ['abcd1234=efgh5678ijkl', 'token=abcd1234=efgh5678ijkl; path=/'],
    ['abcd1234&efgh5678ijkl', 'https://user:abcd1234&efgh5678ijkl@host/'],
    ['abcd1234&efgh5678ijkl', '/next?token=abcd1234&efgh5678ijkl'],
    ['4111111111111111-efgh5678', 'card 4111111111111111-efgh5678'],
  ])('masks the whole secret %s in %s, in headers as in bodies', async (pass, header) => {
    for (const shown of await answered(header, pass)) {
      expect(shown).toContain('[masked]')
      expect(shown).not.toMatch(/abcd1234|efgh5678|4111/)
    }
  })

  it('prints the head of a refusal too', async () => {
    const {code, stdout, stderr} = await home.run(['api', 'GET', '/v4/999999', '--include'])
    expect(code).toBe(5)
    expect(stdout).toMatch(/^HTTP 404\ncontent-type: application\/problem\+json/)
    expect(stderr).toContain('NOT_FOUND')
  })

  it('sends the headers, in reads and writes, and shows them in a preview', async () => {
    const {service, run} = await scene()
    const headers = ['-H', 'X-Trace-Id:  42 ', '-H', 'accept-language: de']
    expect((await run('GET', '/v4/3001', ...headers)).code).toBe(0)
    expect((await run('POST', '/v1/anything', '-F', 'a=1', '--yes', ...headers)).code).toBe(0)
    for (const request of service.requests)
      expect(request.headers).toMatchObject({
        'x-trace-id': '42',
        'accept-language': 'de',
        'x-gate-pass': 'hunter2hunter2',
      })
    expect(service.requests).toHaveLength(2)
    expect((await run('GET', '/v4/3001', ...headers, '--curl')).stdout).toContain("'x-trace-id: 42'")
    await service.close()
  })

  it.each([
    ['Authorization: Bearer abcdefgh', 'SENSITIVE_IN_ARGV'],
    ['x-gate-pass: 1', 'SENSITIVE_IN_ARGV'],
    ['Cookie: sid=1', 'SENSITIVE_IN_ARGV'],
    ['X-Api-Key: 1', 'SENSITIVE_IN_ARGV'],
    ['x-note: 4111111111111111', 'SENSITIVE_IN_ARGV'],
    ['X-Idempotency-Key: k', 'USAGE'],
    ['idempotency-key: k', 'USAGE'],
    ['x_idempotency_key: k', 'USAGE'],
    ['audit_user: other', 'USAGE'],
    ['X-Audit-User: other', 'USAGE'],
    ['X-Original-URL: /v1/pricelist/5002', 'USAGE'],
    ['x_rewrite_url: /v1/pricelist/5002', 'USAGE'],
    ['X-Original-Method: DELETE', 'USAGE'],
    ['x_http_method_override: DELETE', 'USAGE'],
    ['Host: other', 'USAGE'],
    ['content-length: 3', 'USAGE'],
    ['Transfer-Encoding: chunked', 'USAGE'],
    ['content-type: text/plain', 'USAGE'],
    ['Proxy-Connection: close', 'USAGE'],
    ['no colon', 'USAGE'],
    [': empty', 'USAGE'],
    ['x-a: b\r\nx-c: d', 'USAGE'],
    ['x-a: \u00fc', 'USAGE'],
  ])('refuses %j, sends nothing and quotes no value', async (header, expected) => {
    const {service, run} = await scene()
    const {code, stdout, stderr} = await run('GET', '/v4/3001', '-H', header, '-o', 'json', '-q')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr).error).toMatchObject({code: expected, hint: expect.stringMatching(/./)})
    expect(stderr).not.toMatch(/abcdefgh|4111111111111111|sid=1/)
    expect(service.requests).toEqual([])
    await service.close()
  })

  it('sends the headers again when a write is retried', async () => {
    const {service, run, name} = await scene()
    const fields = ['-F', 'creditLimit=700', '--yes', '-H', 'x-trace-id: 42']
    expect((await run('PATCH', '/v4/CREDIT/2001', ...fields)).code).toBe(0)
    const [entry] = await home.json<{id: string}[]>(['requests', 'list', '--limit', '1', '-p', name])
    const env = {PASS: 'hunter2hunter2'}
    await home.run(['requests', 'retry', entry?.id ?? '', '--yes', '-p', name], {env})
    expect(service.requests.at(-1)?.headers).toMatchObject({'x-trace-id': '42'})
    expect(service.requests.length).toBeGreaterThan(1)
    await service.close()
  })

  it('refuses a header that is given twice', async () => {
    const twice = ['-H', 'x-a: 1', '-H', 'X-A: 2']
    expect(await home.run(['api', 'GET', '/v4/3001', ...twice])).toMatchObject({code: 2, stdout: ''})
  })
})
