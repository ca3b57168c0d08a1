import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const DAY = 86_400_000
const SPLIT = ['a2a', 'create', '--from', '-', '--yes', '--batch-size', '2']
/** Five transfers of 1.10 to 5.10, EUR 15.50 in all. */
const FIVE = `from,to,amount,currency\n${[1, 2, 3, 4, 5].map(n => `2006,2007,${n}.10,EUR\n`).join('')}`

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const send = (argv: readonly string[], stdin = FIVE, now?: () => number) =>
  home.run(argv, {stdin, ...(now ? {now} : {})})
const batches = async () =>
  withoutDemo(
    await home.json<{id: string; transferItemCount: number; description: string}[]>(['a2a', 'list', '--all']),
  )
const counts = async () =>
  (await batches()).map(({transferItemCount, description}) =>
    `${transferItemCount} ${description.replace(/^.*\/| rows:\w+$/g, '')}`.trim(),
  )
const fault = (...flags: string[]) =>
  home.run(['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', ...flags])
const newest = async () => {
  const [entry] = await home.json<{id: string; job: string}[]>(['requests', 'list'])
  return entry ?? {id: '', job: ''}
}

describe('a split', () => {
  test.each([
    ['2', 3],
    ['9', 1],
  ])('of %s a batch is a list of batches as JSON, and so is a single batch', async (size, count) => {
    for (const wait of [[], ['--wait'], ['--show-change']]) {
      const argv = ['a2a', 'create', '--from', '-', '--yes', '--batch-size', size, '--again', ...wait]
      const {code, stdout} = await send([...argv, '-o', 'json'])
      expect([code, JSON.parse(stdout).length]).toEqual([0, count])
      expect(
        (await send([...argv, '--query', '[].id', '-o', 'ndjson'])).stdout.trim().split('\n'),
      ).toHaveLength(count)
    }
  })

  test('that is followed prints all batches, also if transfers of some of them failed', async () => {
    const rows = 'from,to,amount,currency\n2006,9999,1,EUR\n2006,2007,2,EUR\n2006,9998,3,EUR\n'
    const argv = ['a2a', 'create', '--from', '-', '--yes', '--batch-size', '1', '--wait', '--again']
    const {code, stdout, stderr} = await send([...argv, '-o', 'json', '-q'], rows)
    expect(code).toBe(11)
    const statuses = (JSON.parse(stdout) as {status: string}[]).map(({status}) => status)
    expect(statuses).toEqual(['FAILED', 'COMPLETED', 'FAILED'])
    const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error.data.batches.map(({failed}: {failed: unknown[]}) => failed.length)).toEqual([1, 1])
    const forPeople = await send(argv, rows)
    expect(forPeople.stdout).toMatch(/COMPLETED/)
    expect(forPeople.stderr).toContain('--failed-to FILE')
  })

  test('is shown first and sent in order, as one job', async () => {
    const {code, stderr} = await send(SPLIT)
    expect(code).toBe(0)
    expect(stderr).toContain('5 transfers: EUR 15.50')
    expect(
      stderr.indexOf(
        'in 3 batches: 1 of 3 with 2 transfers, 2 of 3 with 2 transfers, 3 of 3 with 1 transfer',
      ),
    ).toBeLessThan(stderr.indexOf('request r_'))
    expect((await counts()).sort()).toEqual(['1 3of3', '2 1of3', '2 2of3'])
    const jobs = await home.json<{job: string}[]>(['requests', 'list'])
    expect(new Set(jobs.map(({job}) => job)).size).toBe(1)
    expect(jobs[0]?.job).toMatch(/^j_[0-9a-f]{24}$/)
  })

  test('that broke off goes on with what was not sent', async () => {
    await fault('--status', '422', '--count', '1', '--probability', '1')
    const broken = await send(SPLIT)
    expect(broken.code).toBe(6)
    expect(broken.stderr).toMatch(/Batch 1 of 3: .*\. Nothing was sent after it\.\n/)
    expect(broken.stderr).toMatch(/run the same command again: cardctl a2a create --from - .*-p sandbox\n/)
    // The first had no effect, so that all three are still to be sent.
    expect((await send([...SPLIT, '--rest'])).code).toBe(0)
    expect((await send(SPLIT)).code).toBe(14)
    const over = await send([...SPLIT, '--rest'])
    expect(over.stderr).toContain('All of these transfers were sent already')
  })

  test('whose second batch is lost waits for requests resolve', async () => {
    await fault('--drop', 'after', '--count', '1', '-F', 'match={"/transfers/0/amount":3.1}')
    const broken = await send([...SPLIT, '-o', 'json'])
    expect(broken.code).toBe(10)
    expect(JSON.parse(broken.stdout), 'the batch that was made').toHaveLength(1)
    expect(broken.stderr).toContain('Batch 2 of 3')
    expect(broken.stderr).toContain(
      'Then send what is left: cardctl a2a create --from - --yes --batch-size 2 -o json --rest',
    )
    expect(broken.stderr).toContain(
      'Batch 1 was accepted as 88001: 2 transfers, EUR 3.20. The effect of batch 2 is unknown: 2 transfers, EUR 7.20. Not sent: 1 transfer, EUR 5.10 (batch 3). Nothing was sent after it.',
    )
    const {id} = await newest()
    const tooEarly = await send([...SPLIT, '--rest'])
    expect(tooEarly.code).toBe(10)
    expect(tooEarly.stderr).toContain(`requests resolve ${id}`)
    expect((await send(SPLIT)).code, 'nor the whole').toBe(10)
    expect((await home.run(['requests', 'resolve', id])).code).toBe(0)
    const rest = await send([...SPLIT, '--rest'])
    expect(rest.code).toBe(0)
    expect(rest.stderr).toMatch(/as batch 3 of 3/i)
    expect((await counts()).sort()).toEqual(['1 3of3', '2 1of3', '2 2of3'])
  })

  test('with a key of yours has the same keys and contents on every machine, and --dry-run shows them', async () => {
    const argv = [...SPLIT, '--idempotency-key', 'nightly', '--dry-run', '-o', 'json']
    type Sent = {headers: Record<string, string>; body: unknown}
    const shown = JSON.parse((await send(argv)).stdout) as Sent[]
    const elsewhere = await openHome()
    try {
      const other = await elsewhere.run(argv, {stdin: FIVE})
      expect(JSON.parse(other.stdout)).toEqual(shown)
    } finally {
      await elsewhere.remove()
    }
    expect(new Set(shown.map(({headers}) => headers['x-idempotency-key'])).size).toBe(3)
    expect((await send([...SPLIT, '--idempotency-key', 'nightly'])).code).toBe(0)
    const requests = await home.json<{key: string}[]>(['requests', 'list', '--operation', 'a2a.create.v1'])
    expect(requests.map(({key}) => key).sort()).toEqual(
      shown.map(({headers}) => headers['x-idempotency-key']).sort(),
    )
  })

  test('that is followed prints what was made, also if the service does not say how it goes', async () => {
    await home.run('sandbox faults add --operation a2a.status.v1 --status 403'.split(' '))
    const {code, stdout, stderr} = await send([...SPLIT, '--wait', '-o', 'json'])
    expect([code, stderr]).toEqual([12, expect.stringContaining('"effect":"done"')])
    expect((JSON.parse(stdout) as {id: string}[]).map(({id}) => id).toSorted()).toEqual(
      (await batches()).map(({id}) => id).toSorted(),
    )
  })
})

test('a batch that is followed is printed, also if the time to wait is over first', async () => {
  const batch = {id: '8001', status: 'IN_PROGRESS', startTime: '2026-01-01T00:00:00', transferItemCount: 1}
  const service = await openService(() => reply(200, {...batch, totalAmount: {EUR: 1}}))
  try {
    await home.json(['profiles', 'add', 'slow', '--kind', 'test', '--base-url', service.url])
    const line = 'a2a create --transfer 2006:2007:1:EUR --yes --wait --wait-timeout 0s -p slow'
    const forPrograms = await home.run([...line.split(' '), '-o', 'json'])
    expect([forPrograms.code, JSON.parse(forPrograms.stdout)]).toMatchObject([12, [{id: '8001'}]])
    const forPeople = await home.run([...line.split(' '), '--again'])
    expect([forPeople.code, forPeople.stdout]).toEqual([12, expect.stringContaining('8001')])
  } finally {
    await service.close()
  }
})

describe('the same transfers again', () => {
  const ONE = ['a2a', 'create', '--from', '-', '--yes']

  test('are refused for 7 days, in any order, naming the earlier batch', async () => {
    await send(ONE)
    const [batch] = await batches()
    const [header, ...rows] = FIVE.trim().split('\n')
    const turned = `${[header, ...rows.reverse()].join('\n')}\n`
    const refused = await send(ONE, turned)
    expect(refused.code).toBe(14)
    expect(refused.stderr).toContain(`batch ${batch?.id}`)
    expect((await send([...ONE, '--batch-size', '2'])).code, 'another split is the same set').toBe(14)
    expect(await batches()).toHaveLength(1)
    expect((await send([...ONE, '--again'])).code).toBe(0)
    expect((await send([...ONE, '--clock-is-right'], FIVE, () => Date.now() + 7 * DAY + 1000)).code).toBe(0)
    expect(await batches()).toHaveLength(3)
  })

  test('may go out after a refusal, and others at any time', async () => {
    await fault('--status', '422', '--count', '1')
    expect((await send(ONE)).code).toBe(6)
    expect((await send(ONE)).code).toBe(0)
    expect((await send(ONE, FIVE.replaceAll('.10', '.11'))).code).toBe(0)
  })
})

describe('count and totals', () => {
  const ONE = ['a2a', 'create', '--from', '-']

  test.each([
    [['--confirm-count', '4', '--confirm-total', 'EUR:15.50'], 'There are 5 transfers, not 4'],
    [['--confirm-count', '5', '--confirm-total', 'EUR:15.51'], 'The total is EUR 15.50, not 15.51'],
    [['--confirm-count', '5', '--confirm-total', 'NOK:15.50'], 'no total in NOK'],
    [['--yes', '--confirm-count', '4'], 'There are 5 transfers, not 4'],
  ])('%j are refused', async (flags, words) => {
    const {code, stderr} = await send([...ONE, ...flags])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect(await batches()).toEqual([])
  })

  test('are shown with each of two rows', async () => {
    const two = 'from,to,amount,currency,text\n2006,2007,1,EUR,Rent\n2006,2007,2,EUR,Power\n'
    const {stderr} = await send([...ONE, '--yes'], two)
    expect(stderr).toMatch(
      /First: from 2006 to 2007, EUR 1\.00, Rent\s+Last: from 2006 to 2007, EUR 2\.00, Power/,
    )
  })

  test('stand for --yes when they are right, however they are written', async () => {
    expect((await send([...ONE, '--confirm-count', '5', '--confirm-total', 'EUR:15.5'])).code).toBe(0)
  })

  test('are needed on a live profile without a terminal', async () => {
    const folder = join(home.folder, 'conf')
    await home.run(
      ['profiles', 'add', 'prod', '--kind', 'live', '--base-url', 'https://127.0.0.1:9', '--auth', 'none'],
      {env: {CARDCTL_CONFIG_DIR: folder}},
    )
    await writeFile(join(home.folder, 'five.csv'), FIVE)
    const run = (...flags: string[]) =>
      home.run(
        [
          'a2a',
          'create',
          '--from',
          join(home.folder, 'five.csv'),
          '-p',
          'prod',
          '--audit-user',
          'aino',
          ...flags,
        ],
        {
          env: {CARDCTL_CONFIG_DIR: folder},
        },
      )
    const refused = await run('--yes')
    expect(refused.stderr).toContain('--confirm-count')
    expect(refused.code).toBe(2)
    // Nobody listens there: what passed the confirmation ends without a connection.
    expect((await run('--confirm-count', '5', '--confirm-total', 'EUR:15.50')).code).toBe(9)
  })
})

test('the same transfers sent by two commands at once are sent once', async () => {
  for (let round = 0; round < 3; round++) {
    const rows = `from,to,amount,currency\n2006,2007,${round + 1}.00,EUR\n`
    const argv = ['a2a', 'create', '--from', '-', '--yes']
    const codes = (await Promise.all([send(argv, rows), send(argv, rows)])).map(({code}) => code)
    expect(codes).toContain(0)
    expect(codes.filter(code => [10, 14, 17].includes(code))).toHaveLength(1)
    expect(await batches()).toHaveLength(round + 1)
  }
})

describe('what is left of a split', () => {
  /** A split whose first two batches were sent, and whose third was refused. */
  async function broken(): Promise<void> {
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":5.1}')
    expect((await send(SPLIT)).code).toBe(11)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
  }

  test.each([
    ['a split', SPLIT, ['--confirm-count', '5', '--confirm-total', 'EUR:15.50']],
    ['a split, with equals signs', SPLIT, ['--confirm-total=EUR:15.50', '--confirm-count=5']],
  ])('goes by the suggested line, which agrees to what is left of %s', async (_, argv, agreed) => {
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":5.1}')
    const {code, stderr} = await send([...argv.filter(word => word !== '--yes'), ...agreed, '-o', 'json'])
    expect(code).toBe(11)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    const {commands} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
    const {argv: line} = commands.find((one: {argv: string[]}) => one.argv.includes('--only-new'))
    expect(line.join(' ')).toContain('--confirm-count 1 --confirm-total EUR:5.10')
    const sent = await send(line)
    expect(sent.code, sent.stderr).toBe(0)
  })

  test('is agreed to with the whole as long as nobody knows what it is', async () => {
    await fault('--drop', 'after', '-F', 'match={"/transfers/0/amount":5.1}')
    const agreed = ['--confirm-count', '5', '--confirm-total', 'EUR:15.50']
    const {code, stderr} = await send([...SPLIT, ...agreed])
    expect(code).toBe(10)
    expect(stderr.slice(stderr.indexOf('Then send what is left'))).toContain(
      '--confirm-count 5 --confirm-total EUR:15.50',
    )
  })

  test.each([[[]], [['--no-reference']]])('is open in the report of the shift, with %j', async flags => {
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":5.1}')
    expect((await send([...SPLIT, ...flags])).code).toBe(11)
    const report = ['report', 'shift', '--local']
    const {openJobs} = await home.json<{openJobs: {next: string}[]}>(report)
    expect(openJobs).toMatchObject([{batches: 3, left: 1, next: expect.stringContaining('--rest')}])
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    expect((await send([...SPLIT, ...flags, '--rest'])).code).toBe(0)
    expect(await home.json(report)).toMatchObject({openJobs: []})
  })

  test.each([[[]], [['--no-reference']]])(
    'is finished by --only-new, which says so, with %j',
    async flags => {
      await fault('--status', '422', '-F', 'match={"/transfers/0/amount":5.1}')
      expect((await send([...SPLIT, ...flags])).code).toBe(11)
      const report = ['report', 'shift', '--local']
      type Shift = {open: number; openJobs: unknown[]; entries: {did: string; replyId?: string}[]}
      const begun = await home.json<Shift>(report)
      expect(begun.openJobs).toHaveLength(1)
      await home.run(['sandbox', 'faults', 'clear', '--yes'])
      expect((await send([...SPLIT, ...flags, '--only-new'])).code).toBe(0)
      const {open, openJobs, entries} = await home.json<Shift>(report)
      expect([open, openJobs]).toEqual([0, []])
      const first = begun.entries.find(({replyId}) => replyId !== undefined)?.replyId
      expect(entries.at(-1)?.did).toContain(`, the rest of the set of batches ${first} to `)
      const [listed] = await home.json<{did: string}[]>(['requests', 'list'])
      expect(listed?.did).toContain(`, the rest of the set of batches ${first} to `)
    },
  )

  test('is open as long as --only-new has not sent all that was new', async () => {
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":3.1}')
    expect((await send([...SPLIT])).code).toBe(11)
    const only = SPLIT.map(word => (word === '2' ? '1' : word))
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":5.1}')
    expect((await send([...only, '--only-new'])).code).toBe(11)
    const report = ['report', 'shift', '--local']
    expect((await home.json<{openJobs: unknown[]}>(report)).openJobs.length).toBeGreaterThan(0)
    await home.run(['sandbox', 'faults', 'clear', '--yes'])
    expect((await send([...only, '--only-new'])).code).toBe(0)
    expect(await home.json(report)).toMatchObject({open: 0, openJobs: []})
  })

  test('is announced, confirmed and sent without what was sent before', async () => {
    await broken()
    const rest = [...SPLIT, '--rest']
    expect((await send([...rest, '--confirm-count', '5'])).stderr).toContain('There is 1 transfer, not 5')
    const {code, stderr} = await send([...rest, '--confirm-count', '1', '--confirm-total', 'EUR:5.10'])
    expect(code).toBe(0)
    expect(stderr).toContain('1 of 5 transfers left to send')
    expect(stderr).toContain('1 transfer: EUR 5.10')
    expect(stderr).not.toContain('5 transfers:')
  })

  test('is not told of a file in another order, whose batches hold others', async () => {
    await broken()
    const [header, ...rows] = FIVE.trim().split('\n')
    const turned = `${[header, ...rows.reverse()].join('\n')}\n`
    const {code, stderr} = await send([...SPLIT, '--rest'], turned)
    expect(code).toBe(2)
    expect(stderr).toContain('in another split or order')
    expect(await batches()).toHaveLength(2)
  })

  test('nor of batches of another size, as many as they are', async () => {
    const eight = `from,to,amount,currency\n${[1, 2, 3, 4, 5, 6, 7, 8].map(n => `2006,2007,${n}.10,EUR\n`).join('')}`
    const ten = `${eight}2006,2007,9.10,EUR\n2006,2007,10.10,EUR\n`
    const cut = (size: string) => [...SPLIT.slice(0, -1), size]
    await fault('--status', '422', '-F', 'match={"/transfers/0/amount":4.1}')
    expect((await send(cut('3'), ten)).code).toBe(11)
    expect((await send([...cut('4'), '--rest'], ten)).code).toBe(2)
    expect(await batches()).toHaveLength(1)
  })

  test('is nothing after a batch that had them all', async () => {
    expect((await send(['a2a', 'create', '--from', '-', '--yes'])).code).toBe(0)
    for (const flags of [[], ['--batch-size', '2']]) {
      const {code, stderr} = await send(['a2a', 'create', '--from', '-', '--yes', '--rest', ...flags])
      expect(code).toBe(14)
      expect(stderr).toContain('All of these transfers were sent already')
    }
  })
})

test.each([
  [
    {from: [2006], to: '2007', amount: 1, currency: 'EUR'},
    'fromAccountId: is neither text nor a whole number',
  ],
  [{from: '2006', to: true, amount: 1, currency: 'EUR'}, 'toAccountId: is neither text nor a whole number'],
  [{from: 2006, to: '2007', amount: [1], currency: 'EUR'}, 'amount: is neither text nor a number'],
  [{from: '2006', to: '2007', amount: 1, currency: ['EUR']}, 'currency: is not text'],
  [{from: '2006', to: '2007', amount: 1, currency: 'EUR', text: {a: 1}}, 'text: is not text'],
])('a transfer such as %j is refused', async (transfer, words) => {
  const {code, stderr} = await send(['a2a', 'create', '--from', '-', '--yes'], JSON.stringify(transfer))
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(await batches()).toEqual([])
})

test('ids may be whole numbers', async () => {
  const transfer = {from: 2006, to: 2007, amount: 1.5, currency: 'EUR'}
  expect((await send(['a2a', 'create', '--from', '-', '--yes'], JSON.stringify(transfer))).code).toBe(0)
})

test('a file that never ends its line is refused', async () => {
  const {code, stderr} = await home.run(['a2a', 'create', '--from', '/dev/zero', '--yes'])
  expect(code).toBe(2)
  expect(stderr).toContain('/dev/zero is no file of transfers: it is longer than 64 MiB')
})

test('names what comes next after several batches, as after one', async () => {
  const {stderr} = await home.run(SPLIT, {stdin: FIVE, columns: 80})
  expect(stderr).toMatch(/Next: cardctl a2a watch \d+ \d+ \d+ -p sandbox\s\(follows them to their ends\)/)
})

test('a service that is down for now: no transfer was made, and the same line comes next', async () => {
  const body = {type: 'about:blank', title: 'Locked', status: 503}
  const down = reply(503, body, {'content-type': 'application/problem+json', 'retry-after': '1'})
  const service = await openService(({method}) => (method === 'POST' ? down : undefined))
  const machine = await openHome()
  try {
    await machine.json([
      'profiles',
      'add',
      'other',
      '--kind',
      'sandbox',
      '--base-url',
      service.url,
      '--auth',
      'none',
    ])
    const line = ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '-p', 'other', '--yes', '--wait']
    const {code, stderr} = await machine.run(line)
    expect([code, stderr]).toEqual([8, expect.stringContaining('No transfer was made.')])
    expect(stderr).toContain(`\n  Next, when the service is up again: cardctl ${line.join(' ')}\n`)
  } finally {
    await service.close()
    await machine.remove()
  }
})
