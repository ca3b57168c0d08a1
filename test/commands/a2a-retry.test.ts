// The failed transfers of a batch: as a file, and sent again once.
import {readFile, stat, writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const ROWS =
  'from,to,amount,currency,description\n2006,2007,1.10,EUR,rent\n2006,9999,1234.50,EUR,"cellar, May"\n2007,9998,3,EUR,\n'
const CREATE = ['a2a', 'create', '--from', '-', '--yes', '--wait']

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Batch {
  readonly id: string
  readonly status: string
  readonly description: string
  readonly transferItemCount: number
}

const batches = async () => withoutDemo(await home.json<Batch[]>(['a2a', 'list', '--all']))
const newest = async () =>
  (await home.json<{id: string; replyId?: string}[]>(['requests', 'list', '--limit', '1']))[0]

/** A batch with one transfer that is booked and two that fail. */
async function failing(stdin = ROWS): Promise<string> {
  expect(await home.run(CREATE, {stdin})).toMatchObject({code: 11})
  return (await newest())?.replyId ?? ''
}

const retry = (batch: string, ...flags: string[]) =>
  home.run(['a2a', 'create', '--retry-failed', batch, '--yes', ...flags])

describe('--failed-to', () => {
  it.each(['get', 'watch'])(
    'of a2a %s writes what a2a create takes, with the reasons, for its owner alone',
    async verb => {
      const batch = await failing()
      const file = join(home.folder, 'failed.csv')
      await home.run(['a2a', verb, batch, '--failed-to', file])
      const reason = (number: number) =>
        `credit: Account not found; debit reversed (${batch}-${number}-reversal)`
      expect(await readFile(file, 'utf8')).toBe(
        'from,to,amount,currency,text,reason,replaces\n' +
          `2006,9999,1234.5,EUR,"cellar, May",${reason(2)},${batch}#${batch}-2\n` +
          `2007,9998,3,EUR,,${reason(3)},${batch}#${batch}-3\n`,
      )
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const {code} = await home.run(['a2a', 'create', '--from', file, '--dry-run'])
      expect(code).toBe(0)
    },
  )
})

it('a2a get -o csv has a row for each transfer', async () => {
  const batch = await failing()
  const {stdout} = await home.run([
    'a2a',
    'get',
    batch,
    '-o',
    'csv',
    '--columns',
    'status,fromId,toId,amount',
  ])
  expect(stdout.split('\n').sort()).toEqual([
    '',
    'COMPLETED,2006,2007,1.1',
    'FAILED,2006,9999,1234.5',
    'FAILED,2007,9998,3',
    'status,fromId,toId,amount',
  ])
  const {stderr} = await home.run(['a2a', 'get', batch, '-o', 'csv', '--page-size', '1'])
  expect(stderr).toContain('--all for all 3 transfers')
})

describe('the advice after a failure', () => {
  it('leads to a corrected file, not to the same failure again', async () => {
    const {stderr} = await home.run(CREATE, {stdin: ROWS})
    const batch = (await newest())?.replyId ?? ''
    expect(stderr).toContain(`a2a get ${batch} --failed-to failed-${batch}.csv`)
    expect(stderr).toContain(`a2a create --from failed-${batch}.csv`)
    expect(stderr).not.toContain('--retry-failed')
    expect(stderr).not.toContain('the effect is done')
  })
})

describe('--retry-failed', () => {
  it('sends what failed, and says what it is first', async () => {
    const batch = await failing()
    const {code, stderr} = await retry(batch)
    expect(code).toBe(0)
    expect(stderr).toContain('2 transfers: EUR 1\u202f237.50')
    expect(stderr).toContain('From 2006: 1 transfer, EUR 1\u202f234.50')
    expect(stderr).toContain('To 9999, 9998')
    const made = (await batches()).find(({id}) => id !== batch)
    expect(made).toMatchObject({
      transferItemCount: 2,
      description: expect.stringMatching(`^retry:${batch} ref:`),
    })
    const view = await home.run(['a2a', 'get', made?.id ?? '', '--all'], {columns: 100})
    expect(view.stdout).toMatch(
      new RegExp(`Retries +failed transfers of batch ${batch}\\n +Reference +ref:[a-z]{20}\\n`),
    )
  })

  it('of one batch happens once, and goes on with the newer one', async () => {
    const batch = await failing()
    await retry(batch)
    const second = (await newest())?.replyId ?? ''
    const again = await retry(batch)
    expect(again).toMatchObject({code: 14, stderr: expect.stringContaining(`batch ${second}`)})
    // It failed once more: the same would fail again.
    expect(again.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `2 of its transfers failed. Write the failed ones to a file: cardctl a2a get ${second} --failed-to`,
    )
    expect(await retry(second)).toMatchObject({code: 0})
    expect(await retry(second)).toMatchObject({code: 14})
    expect(await batches()).toHaveLength(3)
  })

  it('is not advised where nothing failed once more', async () => {
    const batch = await failing()
    const file = join(home.folder, 'failed.csv')
    await home.run(['a2a', 'get', batch, '--failed-to', file])
    const rows = await readFile(file, 'utf8')
    await writeFile(file, rows.replaceAll(/,999[89],/g, ',2003,'))
    expect((await home.run(['a2a', 'create', '--from', file, '--wait', '--yes'])).code).toBe(0)
    const sent = (await newest())?.replyId ?? ''
    const {code, stderr} = await retry(batch)
    const words = stderr.replaceAll(/\s+/g, ' ')
    expect([code, words]).toEqual([2, expect.stringContaining('None of its transfers failed')])
    expect(words).toContain(`a2a get ${sent} --all`)
    expect(words).not.toMatch(/--retry-failed|--failed-to/)
  })

  it('was done already, says who looks at the first batch once more', async () => {
    const batch = await failing()
    await retry(batch)
    const second = (await newest())?.replyId ?? ''
    const {stderr} = await home.run(['a2a', 'watch', batch])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `They were sent again already. See what became of them: cardctl a2a get ${second} --all`,
    )
    expect(stderr).not.toContain('--failed-to')
  })

  it('of a batch of which everything failed is no second sending of the same transfers', async () => {
    const batch = await failing('from,to,amount,currency\n2006,9999,2,EUR\n')
    expect(await retry(batch)).toMatchObject({code: 0})
    expect(await retry(batch)).toMatchObject({code: 14})
  })

  it('is refused while the effect of an earlier one is unknown', async () => {
    const batch = await failing()
    await home.run([
      'sandbox',
      'faults',
      'add',
      '--operation',
      'a2a.create.v1',
      '--drop',
      'after',
      '--count',
      '1',
    ])
    expect(await retry(batch)).toMatchObject({code: 10})
    expect(await retry(batch)).toMatchObject({code: 10, stderr: expect.stringContaining('requests resolve')})
    expect(await batches()).toHaveLength(2)
  })

  it('is refused if another machine did it, or a file of the failed transfers was sent', async () => {
    const batch = await failing()
    const file = join(home.folder, 'failed.csv')
    await home.run(['a2a', 'get', batch, '--failed-to', file])
    const {stdout} = await home.run(['a2a', 'create', '--from', file, '--yes', '-o', 'json'])
    const [byFile] = JSON.parse(stdout) as [Batch]
    expect(await retry(batch)).toMatchObject({code: 2, stderr: expect.stringContaining(`batch ${byFile.id}`)})
    const other = await failing('from,to,amount,currency\n2006,9997,2,EUR\n')
    await home.run([
      'a2a',
      'create',
      '--transfer',
      '2006:2007:1:EUR',
      '--description',
      `retry:${other}`,
      '--yes',
    ])
    const elsewhere = (await newest())?.replyId
    expect(await retry(other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`already sent again, as batch ${elsewhere}`),
    })
  })

  describe('after some of it was sent in another way', () => {
    const TWO = 'from,to,amount,currency\n2006,2007,1.10,EUR\n2006,2007,1.20,EUR\n2006,2005,0.30,EUR\n'
    const move = (transfer: string) => home.run(['a2a', 'create', '--transfer', transfer, '--yes', '--wait'])

    /** All three fail for want of money, and then there is some. */
    async function failedOnce(): Promise<string> {
      await move('2006:2002:10000:EUR')
      const batch = await failing(TWO)
      await move('2002:2006:10000:EUR')
      return batch
    }
    const sendAlso = async (row: string) =>
      expect(await home.run(CREATE, {stdin: `from,to,amount,currency\n${row}\n`})).toMatchObject({code: 0})
    const balance = async () =>
      (await home.json<{balances: {booked: number}[]}>(['sandbox', 'state', 'show', 'account', '2006']))
        .balances[0]?.booked

    it.each([
      ['as it was', '2006,2007,1.20,EUR', '1 of these 3 transfers was sent already: row 2 in batch'],
      [
        'corrected',
        '2006,2007,1.25,EUR',
        '2 of these 3 transfers may have been sent already with another amount or text, between the same accounts: rows 1 and 2 in batch',
      ],
    ])('%s, is refused without a person, and names what is in doubt', async (_, row, words) => {
      const batch = await failedOnce()
      await sendAlso(row)
      const before = await balance()
      const {code, stderr} = await retry(batch)
      expect(stderr).toContain('Error ALREADY_SENT')
      expect(stderr).toContain(words)
      expect(stderr).toContain(`cardctl a2a get ${batch} --failed-to failed-${batch}.csv`)
      expect(code).toBe(14)
      expect(await balance()).toBe(before)
      expect(await retry(batch, '--again', '--wait')).toMatchObject({code: 0})
      expect((await retry(batch, '--again')).stderr, 'once').toContain('The same transfers were sent at')
    })

    it('sends the others for a person who chooses them', async () => {
      const batch = await failedOnce()
      await sendAlso('2006,2007,1.20,EUR')
      const {code} = await home.run(['a2a', 'create', '--retry-failed', batch, '--wait'], {
        typed: [
          ['What do you want to send?', ''],
          ['Continue?', 'y'],
        ],
      })
      expect(code).toBe(0)
      const {stdout} = await home.run([
        'a2a',
        'get',
        (await newest())?.replyId ?? '',
        '-o',
        'csv',
        '--columns',
        'amount',
      ])
      expect(stdout.split('\n').sort()).toEqual(['', '0.3', '1.1', 'amount'])
    })

    it('is no doubt where that failed too, or was sent before the batch', async () => {
      await sendAlso('2006,2007,1.10,EUR')
      await move('2006:2002:9998.90:EUR')
      await home.run([...CREATE, '--again'], {stdin: TWO})
      const batch = (await newest())?.replyId ?? ''
      expect((await home.run(CREATE, {stdin: 'from,to,amount,currency\n2006,2007,1.21,EUR\n'})).code).toBe(11)
      await move('2002:2006:9998.90:EUR')
      expect(await retry(batch, '--wait')).toMatchObject({code: 0})
    })
  })

  it('continues a split with --rest', async () => {
    const batch = await failing()
    const split = ['--batch-size', '1']
    await home.run([
      ...['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', '--status', '422', '--count', '1'],
      ...['-F', 'match={"/transfers/0/toAccountId":"9998"}'],
    ])
    expect(await retry(batch, ...split)).toMatchObject({
      code: 11,
      stderr: expect.stringMatching(
        /Batch 1 was accepted as \d+: 1 transfer, EUR 1\s234\.50\. Batch 2 was refused: 1 transfer, EUR 3\.00\./,
      ),
    })
    expect(await retry(batch, ...split)).toMatchObject({code: 11})
    expect(await retry(batch, ...split, '--rest')).toMatchObject({code: 0})
    expect(await retry(batch, ...split, '--rest')).toMatchObject({code: 14})
    expect((await batches()).filter(({description}) => description.includes(`retry:${batch}`))).toHaveLength(
      2,
    )
  })

  it('takes no batch without failures, and none that has not ended', async () => {
    await home.json(['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes', '--wait'])
    const good = (await newest())?.replyId ?? ''
    expect(await retry(good)).toMatchObject({code: 2, stderr: expect.stringContaining('no failed transfers')})
    expect(await home.run(['a2a', 'create', '--retry-failed', good, '--again'])).toMatchObject({code: 2})
  })
})

it('an id in other capitals is the same batch: its failed transfers are sent once', async () => {
  const id = '3f2b8c1e-aaaa-4bbb-8ccc-1234567890ab'
  const item = {
    id: '1',
    status: 'FAILED',
    type: 'A2A',
    fromId: '2006',
    toId: '9999',
    amount: 5,
    currency: 'EUR',
  }
  const about = {status: 'COMPLETED_WITH_ERRORS', startTime: '2026-01-01T10:00:00', transferItemCount: 1}
  let sent = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') sent++
    const isOne = request.url?.toLowerCase().includes(id)
    const body =
      request.method === 'POST'
        ? {...about, id: 'new', status: 'PENDING'}
        : isOne
          ? {...about, id, transfers: {items: [item], size: 1}}
          : {items: [], size: 0}
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  try {
    const {port} = server.address() as AddressInfo
    const add = ['profiles', 'add', 't', '--kind', 'test', '--base-url', `http://127.0.0.1:${port}`]
    expect(await home.run(add)).toMatchObject({code: 0})
    await retry(id, '-p', 't')
    expect(sent).toBe(1)
    expect(await retry(id.toUpperCase(), '-p', 't')).toMatchObject({code: 14})
    expect(sent).toBe(1)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
