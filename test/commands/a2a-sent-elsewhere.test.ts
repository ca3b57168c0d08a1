// Two homes and one service: what one has sent, the other learns from the service.

import {join} from 'node:path'
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
const sendOne = (home: Home, row: string, argv: readonly string[] = [], profile = 'live') => {
  const [, , amount] = row.split(',')
  const totals = ['--confirm-count', '1', '--confirm-total', `EUR:${amount}`]
  return home.run(['a2a', 'create', '--from', '-', ...totals, ...argv, '-p', profile], {
    stdin: `${HEADER}${row}\n`,
  })
}
const type = (home: Home, rows: readonly string[], typed: RunOptions['typed'], ...argv: string[]) => {
  const transfers = rows.flatMap(row => ['--transfer', row])
  return home.run(['a2a', 'create', ...transfers, ...argv, '-p', 'live'], {typed: typed ?? []})
}
const move = (home: Home, total: string, ...transfers: string[]) => {
  const count = ['--confirm-count', String(transfers.length)]
  const rows = transfers.flatMap(row => ['--transfer', row])
  return home.run([
    'a2a',
    'create',
    ...rows,
    '--wait',
    ...count,
    '--confirm-total',
    `EUR:${total}`,
    '-p',
    'live',
  ])
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
    expect(flat(again.stderr)).toContain(
      `2 of these 2 transfers were sent from elsewhere: rows 1 and 2 in batch ${id} at `,
    )
    expect(again.stderr).toContain('--again')
    expect(errorOf(await send(other, ['-o', 'json', '-q']))).toMatchObject({
      code: 'ALREADY_SENT',
      effect: 'none',
      data: {earlier: [{batch: id, elsewhere: true, transfers: 2, rows: [1, 2], sameTexts: true}]},
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
    ['with another text, which is not known there', TWO.replace('Rent', 'Cellar'), 14],
    ['of which one has another account', TWO.replace('2007', '2008'), 14],
    ['with other accounts', TWO.replaceAll('2007', '2008'), 0],
    ['with other amounts', TWO.replace('55.00', '54').replace(',7,', ',8,'), 0],
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
    const id = await newest()
    const {code, stderr} = await send(other, [], half)
    expect(code).toBe(14)
    expect(flat(stderr)).toContain(`1 of these 2 transfers was sent from elsewhere: row 2 in batch ${id}`)
    expect(flat(stderr)).toContain('To send only the others, add --only-new.')
    // The one that did not fail, as a file of its own.
    const alone = await sendOne(other, '2006,2007,7,EUR,Power')
    expect([alone.code, flat(alone.stderr)]).toEqual([
      14,
      expect.stringContaining(`1 of these 1 transfers looks sent from elsewhere: row 1 in batch ${id} at`),
    ])
    expect((await sendOne(other, '2006,9999,55,EUR,Rent')).code, 'the one that failed').toBe(0)
  })

  test('does not retry what the other sent since, among others and without a text', async () => {
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
        /1 of these 2 transfers looks sent from elsewhere: row 2 in batch \d+ at .*a2a get \d+ --failed-to \S+ .*[Tt]hen cardctl a2a create --from \S+ --only-new.*--again/,
      ),
    })
    expect(posts()).toBe(before)
    const file = join(one.folder, 'failed.csv')
    expect((await one.run(['a2a', 'get', batch, '--failed-to', file, '-p', 'live'])).code).toBe(0)
    const rest = ['--only-new', '--confirm-count', '1', '--confirm-total', 'EUR:55']
    expect((await one.run(['a2a', 'create', '--from', file, ...rest, '-p', 'live'])).code).toBe(0)
    const last = ['--confirm-count', '1', '--confirm-total', 'EUR:7', '-p', 'live', '--again']
    expect((await other.run(['a2a', 'create', '--retry-failed', batch, ...last])).code).toBe(0)
  })

  test('does not retry what the other sent since with another amount', async () => {
    expect((await move(one, '10000', '2006:2002:10000:EUR')).code).toBe(0)
    expect((await send(one, ['--wait'])).code, 'no money').toBe(exitOf('PARTLY_DONE'))
    const batch = await newest()
    expect((await move(one, '10000', '2002:2006:10000:EUR')).code).toBe(0)
    expect((await move(one, '56', '2006:2007:56:EUR')).code).toBe(0)
    const {code, stderr} = await other.run([
      'a2a',
      'create',
      '--retry-failed',
      batch,
      ...FOR_TWO,
      '-p',
      'live',
    ])
    expect([code, flat(stderr)]).toEqual([
      14,
      expect.stringMatching(/rows 1 and 2 in batch \d+ at .*sent: from 2006 to 2007, EUR 56\.00.*--again/),
    ])
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
    expect([code, stderr]).toEqual([14, expect.stringContaining('--again')])
    expect(posts()).toBe(2)
    expect((await other.run([...retry, '--no-service-check'])).code).toBe(0)
  })
})

describe('rows of a file that another machine sent among others', () => {
  const FIVE = [1, 2, 3, 4, 5].map(n => `2006,2007,${n},EUR,${n}\n`)
  const some = (...rows: number[]) => HEADER + rows.map(n => FIVE[n - 1]).join('')
  const agreed = (...rows: number[]) => [
    ...['--confirm-count', String(rows.length)],
    ...['--confirm-total', `EUR:${rows.reduce((sum, n) => sum + n, 0)}`],
  ]
  const give = (home: Home, rows: readonly number[], argv: readonly string[] = [], profile = 'live') =>
    home.run(['a2a', 'create', '--from', '-', ...agreed(...rows), ...argv, '-p', profile], {
      stdin: some(...rows),
    })

  test('are named with their batch, and --only-new sends the others', async () => {
    expect((await give(one, [2, 4, 5])).code).toBe(0)
    const {code, stderr} = await give(other, [1, 2, 3, 4])
    expect([code, flat(stderr)]).toEqual([
      14,
      expect.stringContaining(
        `2 of these 4 transfers look sent from elsewhere: rows 2 and 4 in batch ${await newest()} at`,
      ),
    ])
    const rest = await other.run(
      ['a2a', 'create', '--from', '-', '--only-new', ...agreed(1, 3), '-p', 'live'],
      {stdin: some(1, 2, 3, 4)},
    )
    expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining('They are left out')])
    expect((await give(one, [3, 1])).code, 'the first machine knows it from the service').toBe(14)
  })

  test('are one for each that was sent', async () => {
    const twice = ['--same-rows', '1']
    expect((await give(one, [1])).code).toBe(0)
    const {stderr} = await give(other, [1, 1], twice)
    expect(flat(stderr)).toContain('1 of these 2 transfers looks sent from elsewhere: row 1 in')
    const rest = await other.run(['a2a', 'create', '--from', '-', '--only-new', ...agreed(1), '-p', 'live'], {
      stdin: some(1, 1),
    })
    expect(rest.code, rest.stderr).toBe(0)
    // One by its journal, one by the service.
    const third = await other.run(
      ['a2a', 'create', '--from', '-', '--only-new', ...agreed(1), '-p', 'live'],
      {stdin: some(1, 1, 1)},
    )
    expect(third.code, third.stderr).toBe(0)
    expect((await give(other, [1, 1, 1], ['--same-rows', '2'])).code).toBe(14)
  })

  test('are chosen on a terminal', async () => {
    expect((await give(one, [2, 4])).code).toBe(0)
    const rows = [1, 2, 3].flatMap(n => ['--transfer', `2006:2007:${n}:EUR:${n}`])
    const {code, stderr} = await other.run(['a2a', 'create', ...rows, '-p', 'live'], {
      typed: [
        ['What do you want to send?', ''],
        ['Type 2', '2'],
      ],
    })
    expect([code, flat(stderr)]).toEqual([0, expect.stringContaining('Only the 2 others: EUR 4.00')])
  })

  test('stop a plan, and requests retry after a file of the same machine', async () => {
    const plan = join(other.folder, 'transfers.plan')
    await other.run(['a2a', 'plan', '--from', '-', '--out', plan, '-p', 'live'], {stdin: some(1, 2)})
    answer = ({method}) => (method === 'POST' ? reply(422, {title: 'Not now', status: 422}) : undefined)
    expect((await give(other, [3, 4])).code).toBe(6)
    answer = () => undefined
    expect((await give(one, [2, 5])).code).toBe(0)
    const applied = await other.run(['apply', plan, ...agreed(1, 2), '-p', 'live'])
    expect([applied.code, flat(applied.stderr)]).toEqual([
      14,
      expect.stringMatching(/row 2 in batch .*--only-new.*a2a plan --again/),
    ])
    const [failed] = await other.json<{id: string}[]>(['requests', 'list', '-p', 'live'])
    expect((await give(other, [4, 1])).code).toBe(0)
    const retry = await other.run(['requests', 'retry', 'last', '--confirm', failed?.id ?? '', '-p', 'live'])
    expect(retry.code, retry.stderr).toBe(2)
    const again = ['requests', 'retry', failed?.id ?? '', '--confirm', failed?.id ?? '', '-p', 'live']
    const {code, stderr} = await other.run(again)
    expect([code, flat(stderr)]).toEqual([14, expect.stringContaining('row 2 in batch')])
  })

  test('are left out by --only-new on a test profile too, or nothing is sent', async () => {
    expect((await give(one, [2, 4])).code).toBe(0)
    const tester = await openHome()
    onTestFinished(() => tester.remove())
    await add(tester, 'test', 'test')
    const only = ['a2a', 'create', '--from', '-', '--only-new', '--yes', '-p', 'test']
    const run = (...argv: string[]) => tester.run([...only, ...argv], {stdin: some(1, 2)})
    answer = ({method, url}) => (method === 'GET' && isList(url) ? reply(403, {}) : undefined)
    const unread = await run()
    expect([unread.code, flat(unread.stderr)]).toEqual([
      4,
      expect.stringContaining('not known which of these'),
    ])
    answer = () => undefined
    const sent = await run('-o', 'json')
    expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([0, [{transferItemCount: 1}]])
    expect((await run()).code).toBe(14)
    const alone = await run('--no-service-check', '-o', 'json')
    expect([alone.code, alone.stderr]).toEqual([0, expect.stringContaining('not looked up')])
  })

  test.each([
    ['has none', 'Rent', ''],
    ['had none', '', 'Rent'],
  ])('count here too if one %s, as in a file of failed rows', async (_, before, after) => {
    expect((await sendOne(other, `2006,2007,8,EUR,${before}`)).code).toBe(0)
    const {code, stderr} = await sendOne(other, `2006,2007,8,EUR,${after}`)
    expect([code, flat(stderr)]).toEqual([14, expect.stringContaining('with another amount or text')])
    expect((await sendOne(other, `2006,2007,8,EUR,${before}Cellar`)).code).toBe(before === '' ? 14 : 0)
  })

  test('are read only from batches whose sums may hold them', async () => {
    for (const n of [1, 2, 3, 4]) expect((await give(one, [n])).code).toBe(0)
    expect((await move(one, '14', '2006:2007:9:EUR', '2006:2007:5:EUR')).code).toBe(0)
    const before = service.requests.length
    expect((await give(other, [2])).code).toBe(14)
    expect(service.requests.slice(before).map(({url}) => new URL(url, service.url).pathname)).toEqual([LIST])
  })
})

describe('--rest finishes a split of another machine', () => {
  const rows = [1, 2, 3, 4].map(n => `2006,2007,${n},EUR,${n}\n`)
  const file = HEADER + rows.join('')
  const split = (
    home: Home,
    agreed: readonly string[],
    argv: readonly string[] = [],
    {size = '1', ...more}: RunOptions & {size?: string} = {},
  ) =>
    home.run(['a2a', 'create', '--from', '-', '--batch-size', size, ...agreed, ...argv, '-p', 'live'], {
      stdin: file,
      ...more,
    })
  const agreed = (count: number, total: number) => [
    ...['--confirm-count', String(count), '--confirm-total', `EUR:${total}`],
  ]
  /** Sends the first batches of the four. */
  const begin = async (sent: number, ...argv: string[]) => {
    let left = sent
    answer = ({method}) =>
      method === 'POST' && left-- <= 0 ? reply(422, {title: 'Not now', status: 422}) : undefined
    expect((await split(one, agreed(4, 10), argv)).code).toBe(sent === 0 ? 6 : 11)
    answer = () => undefined
  }

  test('and sends what is left, from either machine', async () => {
    await begin(2)
    const cut = await split(other, agreed(2, 7), ['--rest'], {size: '2'})
    expect([cut.code, flat(cut.stderr)]).toEqual([
      2,
      expect.stringMatching(/no batch of the service is one of these.*--only-new in place of --rest/),
    ])
    let left = 1
    answer = ({method}) =>
      method === 'POST' && left-- <= 0 ? reply(422, {title: 'Not now', status: 422}) : undefined
    const third = await split(other, agreed(2, 7), ['--rest'])
    expect([third.code, flat(third.stderr)]).toEqual([
      11,
      expect.stringMatching(
        /Batch 1 of 4 was sent from elsewhere: batch \d+ .*2 of 4 transfers left to send/,
      ),
    ])
    answer = () => undefined
    const before = lists()
    const last = await split(one, agreed(1, 4), ['--rest'])
    expect([last.code, lists() - before], last.stderr).toEqual([0, 2])
    for (const home of [one, other]) expect((await split(home, agreed(4, 10), ['--rest'])).code).toBe(14)
    const all = await one.json<{transferItemCount: number}[]>(['a2a', 'list', '--all', '-p', 'live'])
    expect(all.slice(0, 4).map(({transferItemCount}) => transferItemCount)).toEqual([1, 1, 1, 1])
    expect(posts(), 'two of them refused').toBe(6)
  })

  test("or says that it can't know, and sends nothing", async () => {
    await begin(2, '--no-reference')
    const unmarked = await split(other, agreed(2, 7), ['--rest'])
    expect([unmarked.code, flat(unmarked.stderr)]).toEqual([
      2,
      expect.stringContaining('not known what the rest'),
    ])
    answer = ({method, url}) => (method === 'GET' && isList(url) ? reply(403, {}) : undefined)
    const unread = await split(other, agreed(2, 7), ['--rest'])
    expect([unread.code, flat(unread.stderr)]).toEqual([4, expect.stringContaining("service can't be read")])
    answer = () => undefined
    const only = await split(other, agreed(2, 7), ['--only-new'])
    expect(only.code, only.stderr).toBe(0)
  })

  test('and not an older one that --again began once more', async () => {
    expect((await split(other, agreed(4, 10))).code).toBe(0)
    const now = () => Date.now() + 3_600_000
    let left = 1
    answer = ({method}) =>
      method === 'POST' && left-- <= 0 ? reply(422, {title: 'Not now', status: 422}) : undefined
    expect((await split(one, agreed(4, 10), ['--again'], {now})).code).toBe(11)
    answer = () => undefined
    const rest = await split(one, agreed(3, 9), ['--rest'], {now})
    expect([rest.code, flat(rest.stderr)]).toEqual([
      14,
      expect.stringContaining('3 of these 3 transfers were sent from elsewhere'),
    ])
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
  expect([noted.code, noted.stderr]).toEqual([0, expect.stringContaining('sent from elsewhere: rows')])
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

  test('is refused where nobody is asked, whatever its description', async () => {
    await plain('--description', 'Rent, May')
    const {code, stderr} = await send(other, ['--description', 'Rent, June'])
    expect(code).toBe(14)
    expect(flat(stderr)).toContain('2 of these 2 transfers look sent from elsewhere: rows 1 and 2 in batch')
    expect(flat(stderr)).toContain('texts are not known')
    expect(posts()).toBe(1)
  })

  test('is named in the question of a terminal', async () => {
    await plain()
    const no = await type(other, ROWS, [['What do you want to send?', '']])
    expect([no.code, flat(no.stderr)]).toEqual([
      2,
      expect.stringContaining('look sent from elsewhere: rows 1'),
    ])
    const DOWN = '\u001b[B'
    const all = await type(other, ROWS, [
      ['What do you want to send?', DOWN],
      ['Type 2', '2'],
    ])
    expect([all.code, flat(all.stderr)]).toEqual([
      0,
      expect.stringContaining('EUR 62.00 may be sent a second time'),
    ])
  })

  test('of other transfers with the same count and total is not named', async () => {
    await send(one, ['--no-reference'], TWO.replace('55.00', '54').replace(',7,', ',8,'))
    const {code, stderr} = await send(other)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('elsewhere')])
  })
})

describe('what two machines send at the same moment', () => {
  /** The other machine is first, while the request of this one is on its way. */
  const sendsMeanwhile = (argv: readonly string[] = []): void => {
    answer = async ({method}) => {
      if (method !== 'POST') return undefined
      answer = () => undefined
      expect((await send(one, argv)).code).toBe(0)
      return undefined
    }
  }

  test('is said by the second one, with both batches', async () => {
    sendsMeanwhile()
    const {code, stderr} = await send(other, ['-o', 'json'])
    const {error} = JSON.parse(
      stderr
        .split('\n')
        .filter(line => line.startsWith('{'))
        .at(-1) ?? '{}',
    ) as {
      error?: {code: string; effect: string; data: Record<string, unknown>}
    }
    expect([code, posts(), error?.code, error?.effect]).toEqual([
      exitOf('SENT_TWICE'),
      2,
      'SENT_TWICE',
      'done',
    ])
    const newest = (await one.json<{id: string}[]>(['a2a', 'list', '--all', '-p', 'live'])).map(({id}) => id)
    const {batches = [], elsewhere = []} = (error?.data ?? {}) as Record<string, string[]>
    const said = [...batches, ...elsewhere]
    expect(newest).toEqual(expect.arrayContaining(said))
    expect([error?.data.transfers, new Set(said).size]).toEqual([2, 2])
  })

  const planned = async (...argv: string[]) => {
    const plan = join(other.folder, 'same-moment.plan')
    const made = await other.run(['a2a', 'plan', '--from', '-', ...argv, '--out', plan, '-p', 'live'], {
      stdin: TWO,
    })
    expect(made.code).toBe(0)
    return other.run(['apply', plan, ...FOR_TWO, '-p', 'live'])
  }

  test('is said of a plan by the second one', async () => {
    sendsMeanwhile()
    const {code, stdout, stderr} = await planned()
    expect([code, flat(stderr), posts()]).toEqual([
      exitOf('SENT_TWICE'),
      expect.stringMatching(/This command sent batch \d+, and meanwhile the same was sent from elsewhere/),
      2,
    ])
    expect(stdout).toMatch(/88\d+/)
  })

  test('a plan of several batches says first what to do if it is cut off', async () => {
    const {code, stderr} = await planned('--batch-size', '1')
    expect([code, flat(stderr)]).toEqual([
      0,
      expect.stringMatching(
        /If it is cut off: run the same command again\..* sends none twice: cardctl apply /,
      ),
    ])
  })

  test('is said of the first batch of a split too, before the others are held back', async () => {
    sendsMeanwhile(['--batch-size', '1'])
    const {code, stderr} = await send(other, ['--batch-size', '1'])
    expect([code, flat(stderr)]).toEqual([
      exitOf('PARTLY_DONE'),
      expect.stringMatching(
        /row 2 in batch \d+.*This command sent batch \d+, and meanwhile the same was sent from elsewhere: .*row 1 in batch \d+.*may have been made twice/,
      ),
    ])
    expect(posts()).toBe(3)
  })

  test('is no doubt with other transfers, nor with --again', async () => {
    sendsMeanwhile()
    const different = TWO.replace('55.00', '54').replace(',7,', ',8,')
    expect((await send(other, [], different)).code).toBe(0)
    sendsMeanwhile(['--again'])
    expect((await send(other, ['--again'])).code).toBe(0)
  })
})

test('rows of what is left have the numbers of the file', async () => {
  const six = `${HEADER}${[1, 2, 3, 4, 5, 6].map(at => `2006,2007,${at},EUR,row ${at}`).join('\n')}\n`
  const all = ['--batch-size', '2', '--confirm-count', '6', '--confirm-total', 'EUR:21', '-p', 'live']
  const create = (home: Home, argv: readonly string[], stdin: string) =>
    home.run(['a2a', 'create', '--from', '-', ...argv], {stdin})
  let left = 1
  answer = ({method}) =>
    method === 'POST' && left-- <= 0 ? reply(409, {title: 'Locked', status: 409}) : undefined
  expect((await create(one, all, six)).code).toBe(exitOf('PARTLY_DONE'))
  answer = () => undefined
  const two = `${HEADER}2006,2007,5,EUR,row 5\n2006,2007,6,EUR,row 6\n`
  expect(
    (await create(other, ['--confirm-count', '2', '--confirm-total', 'EUR:11', '-p', 'live'], two)).code,
  ).toBe(0)
  const rest = [
    '--batch-size',
    '2',
    '--rest',
    '--confirm-count',
    '4',
    '--confirm-total',
    'EUR:18',
    '-p',
    'live',
  ]
  const {code, stderr} = await create(one, rest, six)
  expect([code, flat(stderr)]).toEqual([14, expect.stringContaining('rows 5 and 6 in batch')])
})

describe('what another machine sends while a question stands', () => {
  /** The other machine sends when this one has seen the list so often. */
  const sendsAfter = (lists: number): void => {
    let seen = 0
    answer = async ({method, url}) => {
      if (method !== 'GET' || !isList(url) || ++seen !== lists + 1) return undefined
      answer = () => undefined
      expect((await send(one)).code).toBe(0)
      return undefined
    }
  }

  test('is not sent again, and said', async () => {
    sendsAfter(1)
    const {code, stderr} = await type(other, ROWS, [['Type 2', '2']])
    expect([code, flat(stderr)]).toEqual([
      14,
      expect.stringMatching(
        /While the question stood here, others sent\. 2 of these 2 transfers were sent from elsewhere: rows 1 and 2 in batch \d+.* Nothing was sent now\./,
      ),
    ])
    expect(posts()).toBe(1)
  })

  describe.each([
    [
      'apply',
      async () => {
        const plan = join(other.folder, 'two.plan')
        const made = await other.run(['a2a', 'plan', '--from', '-', '--out', plan, '-p', 'live'], {
          stdin: TWO,
        })
        expect(made.code).toBe(0)
        return ['apply', plan]
      },
    ],
    [
      'api',
      async () => {
        const transfers = [
          {fromAccountId: '2006', toAccountId: '2007', amount: 55, currency: 'EUR', text: 'Rent'},
          {fromAccountId: '2006', toAccountId: '2007', amount: 7, currency: 'EUR', text: 'Power'},
        ]
        return ['api', 'POST', '/v1/a2a/batches', '--data', JSON.stringify({transfers})]
      },
    ],
    [
      'requests retry',
      async () => {
        answer = ({method}) => (method === 'POST' ? reply(422, {title: 'Not now', status: 422}) : undefined)
        expect((await send(other)).code).toBe(6)
        answer = () => undefined
        const [{id}] = await other.json<[{id: string}]>(['requests', 'list', '-p', 'live'])
        return ['requests', 'retry', id]
      },
    ],
    [
      '--retry-failed',
      async () => {
        expect((await move(other, '10000', '2006:2002:10000:EUR')).code).toBe(0)
        expect((await send(other, ['--wait'])).code).toBe(exitOf('PARTLY_DONE'))
        const batch = await newest()
        expect((await move(other, '10000', '2002:2006:10000:EUR')).code).toBe(0)
        return ['a2a', 'create', '--retry-failed', batch]
      },
    ],
  ])('by %s', (_, prepare) => {
    test('is not sent again either', async () => {
      const argv = await prepare()
      const before = posts()
      sendsAfter(1)
      const asked = argv[1] === 'retry' ? (argv[2] ?? '') : '2'
      const {code, stderr} = await other.run([...argv, '-p', 'live'], {typed: [[`Type ${asked}`, asked]]})
      expect([code, flat(stderr)]).toEqual([
        14,
        expect.stringMatching(/While the question stood here, others sent\. .* Nothing was sent now\./),
      ])
      expect(posts() - before).toBe(1)
    })
  })

  test('is not sent again by --rest', async () => {
    let seen = 0
    answer = ({method}) =>
      method === 'POST' && ++seen === 2 ? reply(422, {title: 'Not now', status: 422}) : undefined
    const transfers = ROWS.flatMap(row => ['--transfer', row])
    const split = ['a2a', 'create', ...transfers, '--batch-size', '1', '-p', 'live']
    expect((await other.run([...split, ...FOR_TWO])).code).toBe(11)
    const before = posts()
    let lists = 0
    answer = async ({method, url}) => {
      if (method !== 'GET' || !isList(url) || ++lists !== 2) return undefined
      answer = () => undefined
      expect((await sendOne(one, '2006,2007,7,EUR,Power', ['--no-service-check'])).code).toBe(0)
      return undefined
    }
    const {code, stderr} = await other.run([...split, '--rest'], {typed: [['to confirm', '7.00']]})
    expect([code, flat(stderr)]).toEqual([14, expect.stringContaining('While the question stood here')])
    expect(posts() - before).toBe(1)
  })

  test('is no reason to refuse other transfers', async () => {
    sendsAfter(1)
    const {code} = await type(other, ['2006:2007:12:EUR', '2006:2007:13:EUR'], [['Type 2', '2']])
    expect([code, posts()]).toEqual([0, 2])
  })
})

describe('what another machine sends between two batches of a split', () => {
  /** The other machine sends the second row when this one has sent the first. */
  const sendsBetween = (): void => {
    answer = ({method}) => {
      if (method !== 'POST') return undefined
      answer = async ({method, url}) => {
        if (method !== 'GET' || !isList(url)) return undefined
        answer = () => undefined
        expect((await sendOne(one, '2006,2007,7,EUR,Power', ['--no-service-check'])).code).toBe(0)
        return undefined
      }
      return undefined
    }
  }
  const split = ['--batch-size', '1']

  test.each([
    ['a2a create', () => send(other, split)],
    [
      'apply',
      async () => {
        const plan = join(other.folder, 'two.plan')
        const make = ['a2a', 'plan', '--from', '-', ...split, '--out', plan, '-p', 'live']
        expect((await other.run(make, {stdin: TWO})).code).toBe(0)
        return other.run(['apply', plan, ...FOR_TWO, '-p', 'live'])
      },
    ],
  ])('is not sent again by %s, which says what it sent', async (_, go) => {
    sendsBetween()
    const {code, stderr} = await go()
    expect([code, flat(stderr)]).toEqual([
      11,
      expect.stringMatching(
        /Batch 2 of 2: After the batch before it, others sent\. 1 of these 1 transfers was sent from elsewhere: .*Batch 1 was accepted as \d+: .*Not sent: 1 transfer, EUR 7\.00/,
      ),
    ])
    expect(posts()).toBe(2)
  })

  test('is no reason to stop if it is something else', async () => {
    answer = ({method}) => {
      if (method !== 'POST') return undefined
      answer = async ({method, url}) => {
        if (method !== 'GET' || !isList(url)) return undefined
        answer = () => undefined
        expect((await sendOne(one, '2006,2007,8,EUR,Water')).code).toBe(0)
        return undefined
      }
      return undefined
    }
    expect((await send(other, split)).code).toBe(0)
    expect(posts()).toBe(3)
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
    // Before and after what was sent.
    expect(lists()).toBe(code === 0 ? 2 * pages : pages)
  })

  test('goes by the clock of the service, and is two requests for an ordinary send', async () => {
    await send(one)
    expect([lists(), posts()]).toEqual([2, 1])
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
