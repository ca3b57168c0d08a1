// Two homes and one service: what one has sent, the other learns from the service.

import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {rowsMark} from '../../src/commands/a2a/shared/reference.ts'
import {exitOf} from '../../src/errors/registry.ts'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

type Answer = Parameters<typeof openService>[0]

const DAY = 86_400_000
const LIST = '/v1/a2a/batches'
const HEADER = 'from,to,amount,currency,text\n'
const TWO = `${HEADER}2006,2007,55.00,EUR,Rent\n2006,2007,7,EUR,Power\n`
const FOR_TWO = ['--confirm-count', '2', '--confirm-total', 'EUR:62']

let service: Service
let answer: Answer
let one: Home
let other: Home
beforeEach(async () => {
  answer = () => undefined
  service = await openService(request => answer?.(request))
  one = await openHome()
  other = await openHome()
  for (const home of [one, other]) await add(home, 'live', 'live')
})
afterEach(async () => {
  await Promise.all([service.close(), one.remove(), other.remove()])
})

const add = (home: Home, name: string, kind: string, ...more: string[]) =>
  home.json([
    ...['profiles', 'add', name, '--kind', kind, '--base-url', service.url],
    ...['--profile-audit-user', 'aino', ...more],
  ])
/** A live profile with looser rules than the first one of the host, which a person agrees to. */
const addLooser = (home: Home, name: string, ...more: string[]) =>
  home.json(
    [
      ...['profiles', 'add', name, '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
      ...['--profile-audit-user', 'aino', ...more],
    ],
    {typed: [['Type live to confirm:', 'live']]},
  )
const send = (
  home: Home,
  argv: readonly string[] = [],
  stdin = TWO,
  profile = 'live',
  more: RunOptions = {},
) => home.run(['a2a', 'create', '--from', '-', ...FOR_TWO, '-p', profile, ...argv], {stdin, ...more})
const type = (home: Home, rows: readonly string[], typed: RunOptions['typed'], ...argv: string[]) => {
  const transfers = rows.flatMap(row => ['--transfer', row])
  return home.run(['a2a', 'create', ...transfers, ...argv, '-p', 'live'], {typed: typed ?? []})
}
const ROWS = ['2006:2007:55:EUR:Rent', '2006:2007:7:EUR:Power']

const posts = () => service.requests.filter(({method}) => method === 'POST').length
const lists = () => service.requests.filter(({method, url}) => method === 'GET' && isList(url)).length
const isList = (url: string) => new URL(url, service.url).pathname === LIST
/** The id of the newest batch. */
const newest = async () => {
  const [batch] = await one.json<{id: string}[]>(['a2a', 'list', '-p', 'live'])
  return batch?.id ?? ''
}
const errorOf = ({stderr}: {stderr: string}) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
const flat = (text: string) => text.replaceAll(/\s+/g, ' ')

/** The same accounts and amounts with other texts. */
const retold = (text: string) => TWO.replaceAll(/,(?:Rent|Power)$/gm, `,${text}`)

describe('on a live profile, a second home', () => {
  test('sends nothing, and names the batch', async () => {
    expect((await send(one)).code).toBe(0)
    const id = await newest()
    const again = await send(other)
    expect(again.code).toBe(14)
    expect(again.stderr).toContain(`These transfers were sent from elsewhere: batch ${id} at `)
    expect(again.stderr).toContain('--again')
    expect(errorOf(await send(other, ['-o', 'json', '-q']))).toMatchObject({
      code: 'ALREADY_SENT',
      effect: 'none',
      data: {earlier: [{batch: id, elsewhere: true, transfers: 2, sameTexts: true}]},
    })
    expect(posts()).toBe(1)
  })

  test('is refused on a terminal too, before a question', async () => {
    await send(one)
    const {code, stderr} = await type(other, ROWS, [])
    expect([code, stderr]).toEqual([14, expect.stringContaining('sent from elsewhere')])
  })

  test('sends them with --again, without asking for the list', async () => {
    await send(one)
    const before = lists()
    expect((await send(other, ['--again'])).code).toBe(0)
    expect([posts(), lists()]).toEqual([2, before])
  })

  test.each([
    ['in another order, written otherwise', `${HEADER}2006,2007,7.0,EUR,Power\n2006,2007,55,EUR,Rent \n`, 14],
    ['with another text', TWO.replace('Rent', 'Cellar'), 0],
    ['with another account', TWO.replace('2007', '2008'), 0],
  ])('judges the same rows %s', async (_, rows, code) => {
    await send(one)
    expect((await send(other, [], rows)).code).toBe(code)
  })

  test('judges each batch of a split', async () => {
    await send(one, ['--batch-size', '1'])
    const {code, stderr} = await send(other, ['--batch-size', '1'])
    expect(code).toBe(14)
    expect(stderr.match(/batch \d+ at/g)).toHaveLength(2)
  })

  test('sends what failed elsewhere, and is told what to do if only some failed', async () => {
    const failing = TWO.replaceAll('2007', '9999')
    await send(one, ['--wait'], failing)
    expect((await send(other, [], failing)).code).toBe(0)
    const half = TWO.replace('2007', '9999')
    await send(one, ['--wait'], half)
    const {code, stderr} = await send(other, [], half)
    expect(code).toBe(14)
    expect(flat(stderr)).toContain('2 transfers, 1 of them without failing')
    expect(flat(stderr)).toContain(`a2a create --retry-failed ${await newest()}`)
    // The one that did not fail, as a file of its own.
    const rest = `${HEADER}2006,2007,7,EUR,Power\n`
    const totals = ['--confirm-count', '1', '--confirm-total', 'EUR:7']
    const alone = await other.run(['a2a', 'create', '--from', '-', ...totals, '-p', 'live'], {stdin: rest})
    expect([alone.code, alone.stderr]).toEqual([14, expect.stringContaining('were sent from elsewhere')])
  })

  test('does not retry what the other sent since, among others and without a text', async () => {
    const move = (home: Home, total: string, ...transfers: string[]) => {
      const agreed = [
        '--confirm-count',
        String(transfers.length),
        '--confirm-total',
        `EUR:${total}`,
        '-p',
        'live',
      ]
      const rows = transfers.flatMap(row => ['--transfer', row])
      return home.run(['a2a', 'create', ...rows, '--wait', ...agreed])
    }
    expect((await move(one, '10000', '2006:2002:10000:EUR')).code).toBe(0)
    expect((await send(one, ['--wait'])).code, 'no money').toBe(exitOf('PARTLY_DONE'))
    const batch = await newest()
    expect((await move(one, '10000', '2002:2006:10000:EUR')).code).toBe(0)
    expect((await move(other, '8', '2006:2007:7:EUR', '2006:2005:1:EUR')).code).toBe(0)
    const before = posts()
    const retry = ['a2a', 'create', '--retry-failed', batch, ...FOR_TWO, '-p', 'live']
    const {code, stderr} = await one.run(retry)
    expect({code, said: flat(stderr)}).toEqual({
      code: exitOf('ALREADY_SENT'),
      said: expect.stringMatching(
        /sent from elsewhere: batch \d+ at [^,]+, 1 of these 2 transfers\..*--no-service-check/,
      ),
    })
    expect(posts()).toBe(before)
    expect((await one.run([...retry, '--no-service-check'])).code).toBe(0)
  })

  test('retries the failed transfers of a batch of the first, with one walk through the list', async () => {
    await send(one, ['--wait'], TWO.replace('2007', '9999'))
    const before = lists()
    const flags = ['--confirm-count', '1', '--confirm-total', 'EUR:55', '-p', 'live']
    const retried = await other.run(['a2a', 'create', '--retry-failed', await newest(), ...flags])
    expect(retried.code, retried.stderr).toBe(0)
    expect(lists() - before, 'one of them by the test').toBe(2)
  })

  test('is refused by requests retry', async () => {
    let refuses = true
    answer = ({method}) => {
      if (method !== 'POST' || !refuses) return undefined
      refuses = false
      return reply(422, {title: 'Not now', status: 422})
    }
    expect((await send(other)).code).toBe(6)
    expect((await send(one)).code).toBe(0)
    const list = await other.json<{id: string}[]>(['requests', 'list', '-p', 'live'])
    const retry = ['requests', 'retry', 'last', '--confirm', list[0]?.id ?? '', '-p', 'live']
    const {code, stderr} = await other.run(retry)
    expect([code, stderr]).toEqual([14, expect.stringContaining('--no-service-check')])
    expect(posts()).toBe(2)
    expect((await other.run([...retry, '--no-service-check'])).code).toBe(0)
  })
})

test('transfers that api sends are looked for too', async () => {
  await send(one, ['--no-reference'])
  const body = JSON.stringify({transfers: transfersOf(TWO)})
  const api = ['api', 'POST', LIST, '--data', body, ...FOR_TWO, '-p', 'live']
  const refused = await other.run(api)
  expect([refused.code, refused.stderr]).toEqual([14, expect.stringContaining('--again')])
  expect((await other.run([...api, '--no-service-check'])).code).toBe(0)
  // By its own journal from now on.
  expect((await other.run([...api, '--no-service-check', '--include'])).code).toBe(14)
  expect(posts()).toBe(2)
})

test('what this journal has sent, it judges itself; what it takes for unsent, the service knows better', async () => {
  await send(one)
  expect((await send(one)).stderr).toContain('The same transfers were sent at')
  expect((await send(one, [], `${TWO}2006,2007,1,EUR,\n`)).code, 'another count').toBe(14)
  answer = ({method}) => (method === 'POST' ? {status: 503, headers: {}, body: Buffer.from('')} : undefined)
  const lost = retold('Lost')
  expect((await send(one, [], lost)).code).toBe(10)
  answer = () => undefined
  const found = ['requests', 'resolve', 'last', '--found', 'no-effect', '--because', 'I looked', '--yes']
  const [{reference = ''} = {}] = await one.json<{reference?: string}[]>(['requests', 'list', '-p', 'live'])
  expect((await one.run([...found, '-p', 'live'])).code).toBe(0)
  const batch = {status: 'COMPLETED', startTime: new Date().toISOString(), transferItemCount: 2}
  const marks = `${reference} ${rowsMark(transfersOf(lost))}`
  answer = ({method, url}) =>
    method === 'GET' && isList(url)
      ? reply(200, {size: 1, items: [{...batch, id: '77', totalAmount: {EUR: 62}, description: marks}]})
      : undefined
  const {code, stderr} = await send(one, [], lost)
  expect([code, stderr]).toEqual([14, expect.stringContaining('batch 77')])
})

const transfersOf = (csv: string) =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [fromAccountId = '', toAccountId = '', amount, currency = '', text = ''] = line.split(',')
      return {fromAccountId, toAccountId, amount: Number(amount), currency, text}
    })

test('on a test profile all of it is a note', async () => {
  await send(one)
  const tester = await openHome()
  onTestFinished(() => tester.remove())
  await add(tester, 'test', 'test')
  const noted = await send(tester, [], TWO, 'test')
  expect([noted.code, noted.stderr]).toEqual([0, expect.stringContaining('sent from elsewhere: batch')])
  answer = ({method, url}) => (method === 'GET' && isList(url) ? reply(403, {}) : undefined)
  const unread = await send(tester, ['-o', 'json', '-q'], retold('y'), 'test')
  expect(unread.code).toBe(0)
  expect(JSON.parse(unread.stderr.trim().split('\n')[0] ?? '')).toMatchObject({
    warning: {code: 'SERVICE_NOT_CHECKED'},
  })
  expect(posts()).toBe(3)
})

describe('a batch without a digest', () => {
  const plain = (...argv: string[]) => send(one, ['--no-reference', ...argv])

  test('of the same description and transfers is refused where nobody is asked', async () => {
    await plain('--description', 'Rent, May')
    const {code, stderr} = await send(other, ['--description', 'Rent, May'], TWO.replace('Rent', 'Cellar'))
    expect(code).toBe(14)
    expect(flat(stderr)).toContain('Transfers with the same accounts, amounts and currencies')
    expect(posts()).toBe(1)
  })

  test('of another description is noted', async () => {
    await plain('--description', 'Rent, May')
    const {code, stderr} = await send(other, ['--description', 'Rent, June'])
    expect(code).toBe(0)
    expect(stderr).toContain(`sent from elsewhere: batch ${Number(await newest()) - 1}`)
  })

  test('is named in the question of a terminal', async () => {
    await plain()
    const no = await type(other, ROWS, [['Type 2', 'n']])
    expect([no.code, flat(no.stderr)]).toEqual([2, expect.stringContaining('sent from elsewhere: batch')])
    expect((await type(other, ROWS, [['Type 2', '2']])).code).toBe(0)
  })

  test('of other transfers with the same count and total is not named', async () => {
    await send(one, ['--no-reference'], TWO.replace('55.00', '54').replace(',7,', ',8,'))
    const {code, stderr} = await send(other)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('elsewhere')])
  })
})

describe('a list that cannot be read', () => {
  const unreadable: Answer = ({method, url}) =>
    method === 'GET' && isList(url) ? reply(403, {title: 'No lists for you', status: 403}) : undefined

  test('stops what nobody is asked about, unless --no-service-check', async () => {
    answer = unreadable
    const {code, stderr} = await send(one)
    expect(code).toBe(4)
    expect(flat(stderr)).toContain("The batches of the last 7 days can't be read")
    expect(stderr).toContain('--no-service-check')
    expect(posts()).toBe(0)
    const before = lists()
    expect((await send(one, ['--no-service-check'])).code).toBe(0)
    await addLooser(other, 'unasked', '--no-service-check')
    expect((await send(other, [], TWO, 'unasked')).code).toBe(0)
    expect(lists()).toBe(before)
    expect((await send(other, ['--service-check'], retold('x'), 'unasked')).code).toBe(4)
  })

  test('is said in the question of a terminal', async () => {
    answer = unreadable
    const {code, stderr} = await type(one, ROWS, [['Type 2', '2']])
    expect(code).toBe(0)
    expect(flat(stderr)).toContain("The batches of the last 7 days can't be read")
  })

  test('has no end after 200 pages', async () => {
    let pages = 0
    answer = ({method, url}) => {
      if (method !== 'GET' || !isList(url)) return undefined
      pages++
      const startTime = new Date(Date.now() + pages * 1000).toISOString().slice(0, 19)
      const item = {id: `9${pages}`, status: 'COMPLETED', startTime, transferItemCount: 1}
      return reply(200, {
        size: 1,
        items: [item],
        lastEvaluatedKey: {institutionId: '1', startTime, id: `9${pages}`},
      })
    }
    await add(one, 'fast', 'live', '--rate', '5000/s,300000/min', '--rate-share', '100%')
    const {code} = await send(one, [], TWO, 'fast')
    expect([code, pages, posts()]).toEqual([exitOf('LIST_INCOMPLETE'), 200, 0])
  })
})

const OTHERS = ['2001', '2002'].map((fromId, at) => ({
  ...{id: String(at), status: 'COMPLETED', fromId, toId: '2099'},
  ...{amount: 31, currency: 'EUR'},
}))

describe('a batch whose transfers cannot be read', () => {
  test.each([
    ['has none', {transfers: {items: [], size: 0}}],
    ['has no list', {}],
    ['has fewer', {transfers: {items: OTHERS.slice(1), size: 1}}],
    ['names them otherwise', {transfers: {items: OTHERS.map(({amount}) => ({amount})), size: 2}}],
  ])('stops a live send: it %s', async (_, detail) => {
    const startTime = new Date(Date.now() - DAY).toISOString().slice(0, 19)
    const batch = {id: '1000', status: 'COMPLETED', startTime, transferItemCount: 2, totalAmount: {EUR: 62}}
    answer = ({method, url}) =>
      method === 'GET'
        ? reply(200, isList(url) ? {items: [batch], size: 1} : {...batch, ...detail})
        : undefined
    const {code} = await send(one)
    expect([code, posts()]).toEqual([8, 0])
  })
})

describe('the walk through the list', () => {
  /** Serves batches of these ages in days, three on a page. */
  const serve = (ages: readonly number[]): void => {
    answer = ({method, url}) => {
      if (method !== 'GET' || !isList(url)) return undefined
      const first = Number(new URL(url, service.url).searchParams.get('id') ?? 0)
      const items = ages.slice(first, first + 3).map((age, at) => ({
        id: `${1000 + first + at}`,
        status: 'COMPLETED',
        startTime: new Date(Date.now() - age * DAY).toISOString().slice(0, 19),
        transferItemCount: 2,
        totalAmount: {EUR: 62},
        description: age === 6 ? `x ${rowsMark(transfersOf(TWO))}` : 'x',
      }))
      const next = {institutionId: '1', startTime: 'x', id: String(first + 3)}
      return reply(200, {size: 3, items, ...(first + 3 < ages.length ? {lastEvaluatedKey: next} : {})})
    }
  }

  test.each([
    ['ends after an old page of a sorted list', [1, 2, 3, 8, 9, 10, 11, 12, 13, 14], 2, 0],
    ['reads on if a page is only partly old', [1, 2, 8, 9, 10, 11, 12, 13], 2, 0],
    ['reads an unsorted list to its end', [9, 8, 10, 11, 12, 13, 6], 3, 14],
    ['reads a list of one time to its end', [8, 8, 8, 8, 8, 8, 6], 3, 14],
    ['reads a list from old to new to its end', [13, 12, 11, 10, 9, 8, 6], 3, 14],
  ])('%s', async (_, ages, pages, code) => {
    serve(ages)
    // Batches of the same sums without a digest are read, and these are others.
    const own = answer
    answer = request =>
      /batches\/\d+/.test(request.url)
        ? reply(200, {
            id: /\d+(?=\?|$)/.exec(request.url)?.[0],
            status: 'COMPLETED',
            transfers: {items: OTHERS, size: 2},
          })
        : own?.(request)
    expect((await send(one)).code).toBe(code)
    expect(lists()).toBe(pages)
  })

  test('goes by the clock of the service, and is one request for an ordinary send', async () => {
    await send(one)
    expect([lists(), posts()]).toEqual([1, 1])
    const now = () => Date.now() + 3650 * DAY
    expect((await send(other, [], TWO, 'live', {now})).code).toBe(14)
  })

  test('finds an own batch that a drifting clock has made old', async () => {
    expect((await send(one)).code).toBe(0)
    for (const hours of [47, 94, 141])
      await one.run(['requests', 'list', '-p', 'live'], {now: () => Date.now() + hours * 3_600_000})
    const now = () => Date.now() + 188 * 3_600_000
    expect((await send(one, [], TWO, 'live', {now})).code).toBe(14)
    expect(posts()).toBe(1)
  })

  test('does not happen for --dry-run, nor in the embedded sandbox', async () => {
    await send(one, ['--dry-run'])
    expect(service.requests).toEqual([])
  })
})

test('where the service honours keys, the same key of another machine is no second sending', async () => {
  answer = ({url}) => (url.startsWith('/_sandbox/') ? reply(404, {}) : undefined)
  const keyed = (home: Home) => send(home, ['--idempotency-key', 'may', '-o', 'json'], TWO, 'keyed')
  for (const home of [one, other]) await addLooser(home, 'keyed', '--idempotency', 'all')
  const [first, second] = [await keyed(one), await keyed(other)]
  expect([first.code, second.code, second.stderr]).toEqual([0, 0, expect.not.stringContaining('elsewhere')])
  expect((await send(other, [], TWO, 'keyed')).code, 'without the key, its own journal').toBe(14)
})

test('the description leaves room for both marks, and is refused where there is none', async () => {
  expect((await send(one, ['--description', 'x'.repeat(208)])).code).toBe(0)
  const {code, stderr} = await send(other, ['--description', 'x'.repeat(209)])
  expect([code, stderr]).toEqual([2, expect.stringContaining('at most 208 characters')])
})

test('the digest has letters only, and depends on nothing but the rows', () => {
  const rows = transfersOf(TWO)
  expect(rowsMark(rows)).toMatch(/^rows:[a-p]{16}$/)
  expect(rowsMark(rows.toReversed())).toBe(rowsMark(rows))
  expect(rowsMark([...rows, ...rows])).not.toBe(rowsMark(rows))
})
