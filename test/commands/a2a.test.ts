import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Balance {
  readonly currency: string
  readonly booked: number
}

const create = (argv: readonly string[], options?: RunOptions) =>
  home.run(['a2a', 'create', ...argv], options)
const csv = (...rows: string[]): RunOptions => ({stdin: `from,to,amount,currency,text\n${rows.join('\n')}\n`})
const sent = async (): Promise<number> => (await home.json<unknown[]>(['requests', 'list'])).length
const balance = async (id: string): Promise<number> => {
  const {balances} = await home.json<{balances: Balance[]}>(['sandbox', 'state', 'show', 'account', id])
  return balances.find(({currency}) => currency === 'EUR')?.booked ?? Number.NaN
}

/** Two that can be booked, one to nobody, one to a closed account. */
const MIXED = csv('2006,2007,1.00,EUR,a', '2006,9999,2.00,EUR,b', '2007,2006,0.50,EUR,c', '2007,2008,3,EUR,')

describe('a2a create', () => {
  it('books 0.1 and 0.2 as 0.3', async () => {
    const argv = ['--transfer', '2006:2007:0.1:EUR', '--transfer', '2006:2007:0.2:EUR', '--wait', '--yes']
    const {code, stdout, stderr} = await create([...argv, '-o', 'json'])
    expect(code).toBe(0)
    expect(stderr).toContain('2 transfers: EUR 0.30')
    expect(JSON.parse(stdout)).toMatchObject([{status: 'COMPLETED', totalAmount: {EUR: 0.3}}])
    expect([await balance('2006'), await balance('2007')]).toEqual([9999.7, 10_000.3])
  })

  it('sums each currency by itself, yen without cents', async () => {
    const argv = ['2006:2007:100:JPY', '2006:2007:0.05:EUR', '2006:2007:23:JPY', '2006:2007:1.5:EUR']
    const {stderr} = await create(argv.flatMap(transfer => ['--transfer', transfer]))
    expect(stderr).toMatch(
      /sandbox \(embedded\): send 4 transfers: (EUR 1\.55, JPY 123|JPY 123, EUR 1\.55)\. /,
    )
  })

  it.each([
    ['100.5:JPY', /JPY has 0/],
    ['1.234:EUR', /may mean 1\.234 or 1\u202f234/],
    ['1.2345:EUR', /EUR has 2/],
    ['1234567890123456:EUR', /15 significant digits/],
    ['12345678901234.56:EUR', /15 significant digits/],
    ['-1:EUR', /more than 0/],
    ['0:EUR', /more than 0/],
    ['1e3:EUR', /amount/],
    ['0x10:EUR', /amount/],
    ['1,50:EUR', /amount/],
    ['1:EUX', /EUX is not a currency code/],
    ['1:krona', /may be ISK .* or SEK/],
    ['NaN:EUR', /amount/],
  ])('refuses the amount %s', async (amount, words) => {
    for (const flags of [['--yes'], ['--dry-run']]) {
      const {code, stdout, stderr} = await create(['--transfer', `2006:2007:${amount}`, ...flags])
      expect(code).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).toMatch(words)
    }
    expect(await sent()).toBe(0)
  })

  it('prints the digits that came', async () => {
    const {stdout} = await create(['--transfer', '2006:2007:1234567.80:EUR', '--dry-run'])
    expect(JSON.parse(stdout).body.transfers).toMatchObject([{amount: 1234567.8}])
  })

  it('keeps colons in the text of a transfer', async () => {
    const {stdout} = await create(['--transfer', '2006:2007:1:EUR:rent: May', '--dry-run'])
    expect(JSON.parse(stdout).body.transfers).toMatchObject([{text: 'rent: May'}])
  })

  it('reads CSV and NDJSON from files and stdin to the same batch', async () => {
    const rows = {stdin: 'from,to,amount,currency,text\r\n2006,2007,1.10,EUR,"a, b"\r\n2007,2006,2,EUR,\r\n'}
    const objects = [
      {fromAccountId: '2006', toAccountId: '2007', amount: 1.1, currency: 'EUR', text: 'a, b'},
      {from: '2007', to: '2006', amount: '2', currency: 'EUR'},
    ]
    const ndjson = objects.map(row => JSON.stringify(row)).join('\n')
    await writeFile(join(home.folder, 't.csv'), rows.stdin)
    await writeFile(join(home.folder, 't.ndjson'), ndjson)
    const bodies = []
    for (const [source, options] of [
      ['-', rows],
      ['-', {stdin: ndjson}],
      [join(home.folder, 't.csv'), {}],
      [join(home.folder, 't.ndjson'), {}],
    ] as const) {
      const {stdout} = await create(['--from', source, '--no-reference', '--dry-run'], options)
      bodies.push(JSON.parse(stdout).body)
    }
    const [first, ...others] = bodies
    expect(first.transfers).toEqual([
      {fromAccountId: '2006', toAccountId: '2007', amount: 1.1, currency: 'EUR', text: 'a, b'},
      {fromAccountId: '2007', toAccountId: '2006', amount: 2, currency: 'EUR'},
    ])
    for (const other of others) expect(other).toEqual(first)
  })

  it('reports all bad rows by number, and sends none', async () => {
    const rows = csv(
      '2006,2007,1.00,EUR,fine',
      ',2007,1.00,EUR,no sender',
      '2006,2007,1.001,EUR,too fine',
      '2006,2007,1.00,EUR,fine',
      'me,you,,,nothing right',
      '2006,2007,-5,EUR,backwards',
    )
    const {code, stdout, stderr} = await create(['--from', '-', '--yes'], rows)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    for (const words of [
      '4 rows of stdin',
      'row 2 (line 3), fromAccountId: is missing',
      'row 3 (line 4), amount',
      'row 5 (line 6), fromAccountId',
      'row 5 (line 6), currency: is missing',
      'row 6 (line 7), amount: is negative',
    ])
      expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/row [14] /)
    const json = await create(['--from', '-', '--yes', '--json'], rows)
    const {data} = JSON.parse(json.stderr).error
    expect(new Set(data.problems.map(({row}: {row: number}) => row))).toEqual(new Set([2, 3, 5, 6]))
    expect(await sent()).toBe(0)
  })

  it.each([
    ['no rows', 'from,to,amount,currency\n'],
    ['nothing', ''],
    ['a decimal comma between commas', 'from,to,currency,amount\n2006,2007,EUR,12,50\n'],
    ['a column too few', 'from,to,amount\n2006,2007,1\n'],
    ['a field too many', 'from,to,amount,currency\n2006,2007,1,EUR,x\n'],
    ['an open quote', 'from,to,amount,currency\n2006,2007,1,"EUR\n'],
    ['broken JSON', '{"from":"2006"\n'],
    ['bytes that are no UTF-8', Buffer.from([0x66, 0xff, 0xfe, 0x0a])],
  ])('refuses a file with %s', async (_, stdin) => {
    const {code, stdout} = await create(['--from', '-', '--yes'], {stdin})
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(await sent()).toBe(0)
  })

  it.each([
    [[]],
    [['--transfer', '2006:2007:1']],
    [['--transfer', '']],
    [['--from', '/nowhere/transfers.csv', '--yes']],
    [['--wait-timeout', '3s', '--transfer', '2006:2007:1:EUR']],
  ])('refuses %j', async argv => {
    expect((await create(argv)).code).toBe(2)
  })

  it('tells count and totals, and sends nothing without a yes', async () => {
    const {code, stdout, stderr} = await create(['--transfer', '2006:2007:12.50:EUR:rent'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('sandbox (embedded): send 1 transfer: EUR 12.50. Money moves at once')
    expect(stderr).toContain('Add --yes')
    expect(await sent()).toBe(0)
  })
})

describe('following a batch', () => {
  it('ends with 11 and a table of what failed, on stderr', async () => {
    const before = (await balance('2006')) + (await balance('2007'))
    const {code, stdout, stderr} = await create(['--from', '-', '--yes', '--wait'], MIXED)
    expect(code).toBe(11)
    expect(stdout).toBe('')
    expect(stderr).toContain('2 of the 4 transfers')
    expect(stderr).toMatch(/FAILED\s+2006\s+9999\s+EUR 2\.00/)
    expect(stderr).toMatch(/FAILED\s+2007\s+2008\s+EUR 3\.00/)
    expect(stderr).not.toContain('88001-1 ')
    // What failed was reversed: no money is made or lost.
    expect((await balance('2006')) + (await balance('2007'))).toBe(before)
  })

  it('gives the failed items as data under --json', async () => {
    const {code, stdout, stderr} = await create(['--from', '-', '--yes', '--wait', '--json', '-q'], MIXED)
    expect(code).toBe(11)
    expect(JSON.parse(stdout)).toMatchObject([{status: 'COMPLETED_WITH_ERRORS', failedTransferItems: 2}])
    const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({code: 'PARTLY_DONE', effect: 'done'})
    expect(error.data.failed).toHaveLength(2)
  })

  it('can begin later: watch, status, get --all, list', async () => {
    const transfers = Array.from({length: 60}, (_, at) => `2006,2007,0.${at + 10},EUR,${at}`)
    const {stdout} = await create(['--from', '-', '--yes', '-o', 'json'], csv(...transfers))
    const [{id, status}] = JSON.parse(stdout)
    expect(status).toBe('IN_PROGRESS')
    const watched = await home.json<{status: string}>(['a2a', 'watch', id])
    expect(watched.status).toBe('COMPLETED')
    expect(await home.json(['a2a', 'status', id])).toEqual(watched)
    const page = await home.json<{transfers: {items: unknown[]; lastEvaluatedKey?: unknown}}>([
      'a2a',
      'get',
      id,
    ])
    expect(page.transfers.items).toHaveLength(25)
    expect(page.transfers.lastEvaluatedKey).toBeDefined()
    for (const size of ['7', '50']) {
      const argv = ['a2a', 'get', id, '--all', '--page-size', size]
      const {transfers: all} = await home.json<{transfers: {items: {id: string}[]}}>(argv)
      expect(all.items).toHaveLength(60)
      expect(new Set(all.items.map(item => item.id)).size).toBe(60)
    }
    expect(withoutDemo(await home.json<{id: string}[]>(['a2a', 'list']))).toHaveLength(1)
  })

  it('pages through the list of batches', async () => {
    for (let at = 1; at <= 5; at++) await create(['--transfer', `2006:2007:${at}:EUR`, '--yes'])
    const all = await home.json<{id: string}[]>(['a2a', 'list', '--all', '--page-size', '2'])
    expect(new Set(withoutDemo(all).map(({id}) => id)).size).toBe(5)
    const {stdout, stderr} = await home.run(['a2a', 'list', '--limit', '3', '-o', 'json'])
    expect(JSON.parse(stdout)).toEqual(all.slice(0, 3))
    expect(stderr).toContain('There is more')
  })

  it.each(['watch', 'status', 'get'])('a2a %s of an unknown batch ends with 5', async verb => {
    expect((await home.run(['a2a', verb, '99999'])).code).toBe(5)
  })

  it('ends with 12 when the time is over first', async () => {
    const batch = {id: '8001', status: 'IN_PROGRESS', startTime: '2026-01-01T00:00:00', transferItemCount: 1}
    const service = await openService(() => reply(200, {...batch, totalAmount: {EUR: 1}}))
    try {
      await home.json(['profiles', 'add', 'slow', '--kind', 'test', '--base-url', service.url])
      let now = Date.now()
      const sleep = {now: () => (now += 1000)}
      const {code, stdout, stderr} = await home.run('a2a watch 8001 --within 1m -p slow'.split(' '), sleep)
      expect(code).toBe(12)
      expect(stdout).toBe('')
      expect(stderr).toContain('ITEMS_IN_PROGRESS')
      expect(service.requests.length).toBeGreaterThan(2)
    } finally {
      await service.close()
    }
  })
})
