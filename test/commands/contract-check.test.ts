import {readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import type {ServiceCheck} from '../../src/commands/contract/shared/check-service.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import {createSandbox, type PlainResponse} from '../../src/sandbox/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {hasChromium, useBrowser} from '../webhook/page/browser.ts'

let home: Home
let service: Service | undefined
beforeEach(async () => {
  home = await openHome()
})
afterEach(async () => {
  await service?.close()
  service = undefined
  await home.remove()
})

async function serve(...answer: Parameters<typeof openService>): Promise<Service> {
  service = await openService(...answer)
  const add = ['profiles', 'add', 'there', '--kind', 'test', '--base-url', service.url, '--auth', 'none']
  expect(await home.run(add)).toMatchObject({code: 0})
  return service
}

const there = {env: {CARDCTL_PROFILE: 'there'}}
const check = async (...argv: string[]): Promise<ServiceCheck> =>
  JSON.parse((await home.run(['contract', 'check', ...argv, '-o', 'json'], there)).stdout)

/** The reply's JSON, changed. */
const changing =
  (change: (body: never) => unknown) =>
  (own: PlainResponse): PlainResponse => {
    const body: unknown = own.body.length === 0 ? undefined : JSON.parse(Buffer.from(own.body).toString())
    const {'content-length': _, ...headers} = own.headers
    return {...own, headers, body: Buffer.from(JSON.stringify(change(body as never)) ?? '')}
  }

const READS = Object.values(operations)
  .filter(({effect, group}) => effect === 'read' && group !== 'sandbox')
  .map(({id}) => id)

describe('what is sent', () => {
  test('reads only, each once, with the ids that earlier answers gave', async () => {
    const {requests} = await serve()
    const report = await check('--card', '3001')
    expect(report.operations.map(({id}) => id)).toEqual(READS)
    expect(report).toMatchObject({differs: 0, failed: 0, fits: 11})
    expect(new Set(requests.map(({url}) => url)).size).toBe(requests.length)
    const sent = requests.map(({method, url}) => `${method} ${url.split('?')[0]}`)
    expect(sent).toEqual(
      expect.arrayContaining([
        'GET /v4/3001',
        'GET /v4/customer/1001',
        'GET /v4/account/2001',
        'GET /v4/reference/900000000003001',
        'GET /v1/a2a/batches',
      ]),
    )
    expect(requests.every(({method}) => method === 'GET')).toBe(true)
  })

  test.each([
    ['size', 'must have 1 item where 1 is asked for'],
    ['page', 'must not be the same for the next page'],
  ])('notices a service that ignores %s', async (ignored, words) => {
    // Customer 1003 has several cards.
    const lax = await createSandbox()
    onTestFinished(() => lax.close())
    await serve(request =>
      lax.handle({...request, url: request.url.replace(new RegExp(`(?<=[?&])${ignored}=\\d+&?`), '')}),
    )
    const report = await check('--customer', '1003')
    const list = report.operations.find(({id}) => id === 'cards.listByCustomer.v4')
    expect(list).toMatchObject({state: 'differs'})
    expect(list?.differences.map(({expected}) => expected)).toContain(words)
  })

  test('names the flag that gives a missing id', async () => {
    await serve()
    const report = await check()
    const notes = Object.fromEntries(report.operations.map(({id, note}) => [id, note]))
    expect(notes).toMatchObject({
      'a2a.list.v1': null,
      'cards.get.v4': 'not checked: needs --card',
      'cards.getByNumber.v4': 'not checked: needs a card number',
      'cards.listByCustomer.v4': 'not checked: needs --customer',
      'remotecheckout.status.v1': 'not checked: needs --trace',
      'remotecheckout.getCustomer.v1': 'not checked: needs --customer',
    })
  })

  test('a batch of the list is looked into, and a customer with the customerBID', async () => {
    const {requests} = await serve()
    await home.run(['a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes'], there)
    const report = await check('--customer', '1001', '--bid', 'ISSUER-1')
    const states = Object.fromEntries(report.operations.map(({id, state}) => [id, state]))
    expect(states).toMatchObject({'a2a.get.v1': 'fits', 'a2a.status.v1': 'fits', 'cards.get.v4': 'fits'})
    expect(requests.some(({url}) => url.includes('/remotecheckout/NETWORK_A/customer/1001'))).toBe(true)
  })

  test('keeps the rate limit of the profile', async () => {
    await serve()
    await home.run(['profiles', 'edit', 'there', '--rate', '1/s,60/min'])
    let slept = 0
    let now = Date.now()
    const sleep = async (ms: number) => {
      slept += ms
      now += ms
    }
    const {code} = await home.run(['contract', 'check', '--card', '3001'], {...there, sleep, now: () => now})
    expect(code).toBe(0)
    // Nine reads at one a second.
    expect(slept).toBeGreaterThan(7000)
  })

  test('a service that cannot be reached, or takes no credential, ends it at once', async () => {
    const {requests} = await serve(() => reply(401, {title: 'No'}))
    expect((await home.run(['contract', 'check', '--card', '3001'], there)).code).toBe(4)
    expect(requests).toHaveLength(1)
  })
})

describe('the report', () => {
  test.each<[string, (body: Record<string, unknown>) => unknown, object]>([
    [
      'a member that is missing',
      ({template: _, ...rest}) => rest,
      {kind: 'differs', pointer: '/template', expected: 'is missing', found: 'absent'},
    ],
    [
      'another type',
      body => ({...body, accountId: 2001}),
      {kind: 'differs', pointer: '/accountId', expected: 'must be text', found: 'number'},
    ],
    [
      'a member that nobody knows',
      body => ({...body, colour: 'red'}),
      {kind: 'more', pointer: '/colour', expected: 'is not known to the contract', found: 'text'},
    ],
    [
      'a new word',
      body => ({...body, status: 'ON_HOLIDAY'}),
      {kind: 'more', pointer: '/status', found: 'text'},
    ],
    ['a list', body => [body], {kind: 'differs', pointer: '', expected: 'must be an object', found: 'list'}],
  ])('%s', async (_, change, difference) => {
    await serve(
      () => undefined,
      own =>
        own.status === 200
          ? changing(body => ('template' in (body as object) ? change(body) : body))(own)
          : own,
    )
    const report = await check('--card', '3001')
    const found = report.operations.find(({id}) => id === 'cards.get.v4')
    if ('pointer' in difference && difference.pointer === '') expect(found).toMatchObject({state: 'failed'})
    else expect(found?.differences).toContainEqual(expect.objectContaining(difference))
  })

  test('what items of a list have in common is one place, counted', async () => {
    await serve(
      () => undefined,
      changing((body: unknown) =>
        Array.isArray(body) ? body.map((item: object) => ({...item, accountId: 2001})) : body,
      ),
    )
    const report = await check('--customer', '1003')
    const list = report.operations.find(({id}) => id === 'cards.listByCustomer.v4')
    expect(list).toMatchObject({
      state: 'differs',
      differences: [
        {pointer: '/*/accountId', expected: 'must be text', found: 'number', count: expect.any(Number)},
      ],
    })
    expect(list?.differences[0]?.count).toBeGreaterThan(1)
  })

  test('null for an absent value is usual, and no difference', async () => {
    await serve(
      () => undefined,
      changing((body: unknown) => (body && !Array.isArray(body) ? {...body, statusDate: null} : body)),
    )
    expect(await check('--card', '3001')).toMatchObject({differs: 0, failed: 0})
  })

  test('a failure is reported by its status, and the others continue', async () => {
    await serve(({url}) => (url.includes('/plastic') ? reply(404, {title: 'secret words'}) : undefined))
    const {code, stdout, stderr} = await home.run(
      ['contract', 'check', '--card', '3001', '-o', 'json'],
      there,
    )
    expect({code, stderr}).toMatchObject({code: 8, stderr: expect.stringContaining('and 1 failed')})
    expect(stderr).not.toContain('leave out --strict')
    const report: ServiceCheck = JSON.parse(stdout)
    expect(report).toMatchObject({failed: 1, fits: 10})
    expect(report.operations.find(({id}) => id === 'cards.plastics.v3')).toMatchObject({
      state: 'failed',
      status: 404,
      note: 'nothing is there for this id, or the service has no such operation (404)',
    })
  })

  test('a connection that is lost in between fails its operation, and the others continue', async () => {
    const {requests} = await serve(({url}) =>
      url.includes('/plastic') ? {...reply(200, {}), drop: true} : undefined,
    )
    const argv = ['contract', 'check', '--card', '3001', '--retries', '0', '-o', 'json']
    const {code, stdout} = await home.run(argv, there)
    expect(code).toBe(9)
    expect(JSON.parse(stdout)).toMatchObject({failed: 1, fits: 10})
    expect(requests.at(-1)?.url).not.toContain('/plastic')
  })

  test('places have the service’s own words', async () => {
    await serve(
      () => undefined,
      changing((body: unknown) => (body && !Array.isArray(body) ? {...body, opaquePaymentCard: {}} : body)),
    )
    await home.run(['profiles', 'edit', 'there', '--word', 'opaquePaymentCard=theirCard'])
    const report = await check('--card', '3001')
    const places = report.operations.flatMap(({differences}) => differences.map(({pointer}) => pointer))
    expect(places).toContain('/theirCard')
  })

  test('differences end with 0, and with 8 where --strict asks for that', async () => {
    await serve(
      () => undefined,
      changing((body: unknown) => (body && !Array.isArray(body) ? {...body, accountId: 2001} : body)),
    )
    expect((await home.run(['contract', 'check', '--card', '3001'], there)).code).toBe(0)
    const strict = await home.run(['contract', 'check', '--card', '3001', '--strict', '-o', 'json'], there)
    expect(strict).toMatchObject({code: 8, stderr: expect.stringContaining('ANSWER_DIFFERS')})
    expect(JSON.parse(strict.stdout)).toMatchObject({differs: 3})
    const read = await home.run(['cards', 'get', '3001', '--strict'], there)
    expect(read.code).toBe(8)
  })

  test('a terminal of 80 columns is enough', async () => {
    await serve(
      () => undefined,
      changing((body: unknown) => (body && !Array.isArray(body) ? {...body, accountId: 2001} : body)),
    )
    const {stdout} = await home.run(['contract', 'check', '--card', '3001'], {...there, columns: 80})
    expect(stdout).toContain(' ≠ GET /v4/{id}\n   /accountId  must be text; found number\n')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})

describe('the report holds no value of an answer', () => {
  const CANARY = 'canary-5c1e'

  /** Every text and number of a body is a canary, and every object has members with one. */
  function poisoned(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map(item => poisoned(item))
    if (typeof value === 'object' && value !== null) {
      const own = Object.entries(value).map(([key, member]) => [key, poisoned(member, key)])
      return {
        ...Object.fromEntries(own),
        extra: CANARY,
        deep: {extra: [CANARY]},
        'key 987654321 of somebody': CANARY,
      }
    }
    if (typeof value === 'number') return 987654321
    // Ids stay, so that more is read.
    return /^(id|accountId|customerId|referenceNumber)$/.test(name) ? value : CANARY
  }

  test.each([
    ['successes', (own: PlainResponse) => changing(poisoned)(own)],
    [
      'refusals',
      (own: PlainResponse) => ({
        ...changing(poisoned)(own),
        status: 422,
        headers: {'content-type': 'application/json', 'x-trace': CANARY},
      }),
    ],
    [
      'pages',
      (own: PlainResponse) => ({
        ...own,
        headers: {'content-type': 'text/html'},
        body: Buffer.from(`<p>${CANARY}`),
      }),
    ],
  ])('%s', async (_, change) => {
    await serve(() => undefined, change)
    const html = join(home.folder, 'report.html')
    const argv = ['contract', 'check', '--card', '3001', '--customer', '1001', '--html', html]
    const table = await home.run(argv, there)
    const json = await home.run([...argv, '-o', 'json'], there)
    const page = await readFile(html, 'utf8')
    expect(JSON.parse(json.stdout).operations).toHaveLength(READS.length)
    for (const text of [table.stdout, table.stderr, json.stdout, json.stderr, page]) {
      expect(text).not.toContain(CANARY)
      expect(text).not.toContain('987654321')
      expect(text).not.toContain('somebody')
    }
  })
})

describe('the page', () => {
  const open = hasChromium ? useBrowser().open : undefined

  test('is written for its owner, and needs nothing else', async () => {
    await serve()
    const html = join(home.folder, 'report.html')
    await home.run(['contract', 'check', '--card', '3001', '--html', html], there)
    const page = await readFile(html, 'utf8')
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`)
    expect(page).not.toMatch(/<script|<link|<img|<iframe|url\(|@import|\son\w+=|javascript:/i)
    // Namespaces and links aside: the address of the service is the only one in it.
    expect([...new Set(page.match(/https?:\/\/[^\s<"']+/g))]).toEqual([service?.url])
  })

  test('reports a file that cannot be written before anything is sent', async () => {
    const {requests} = await serve()
    const nowhere = join(home.folder, 'none/report.html')
    expect((await home.run(['contract', 'check', '--html', nowhere], there)).code).toBe(3)
    expect(requests).toEqual([])
  })

  test.runIf(hasChromium).each([
    [360, 'light'],
    [1280, 'light'],
    [360, 'dark'],
    [1280, 'dark'],
  ] as const)('%i columns, %s: nothing is cut off, the colours can be read', async (width, colorScheme) => {
    await serve(
      () => undefined,
      changing((body: unknown) =>
        body && !Array.isArray(body)
          ? {...body, accountId: 2001, aMemberWithAnExtraordinarilyLongNameForItsKind: 'x', 'b<b>': 1}
          : body,
      ),
    )
    const html = join(home.folder, 'report.html')
    onTestFinished(() => rm(html, {force: true}))
    await home.run(['contract', 'check', '--card', '3001', '--html', html], there)
    const page = await open?.(pathToFileURL(html).href, {viewport: {width, height: 800}, colorScheme})
    if (page === undefined) throw new Error('no page')
    // As text: the types of a browser are not those of these tests.
    const seen = (await page.evaluate(`({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ink: getComputedStyle(document.body).color,
      paper: getComputedStyle(document.body).backgroundColor,
      rows: document.querySelectorAll('tbody tr').length,
      bold: document.querySelectorAll('td b').length,
    })`)) as {overflow: number; ink: string; paper: string; rows: number; bold: number}
    expect(seen.overflow).toBeLessThanOrEqual(0)
    expect(seen.rows).toBeGreaterThan(2)
    expect(seen.bold).toBe(0)
    const lightness = (colour: string) => Math.max(...(colour.match(/\d+/g) ?? []).map(Number))
    const [ink, paper] = [lightness(seen.ink), lightness(seen.paper)]
    expect(Math.abs(ink - paper)).toBeGreaterThan(150)
    expect(ink > paper).toBe(colorScheme === 'dark')
  })
})
