// A failed transfer that was corrected and sent is never sent once more as it was: by whom and by whatever way.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

const HEADER = 'from,to,amount,currency,text\n'
const THREE = `${HEADER}2006,2007,1.10,EUR,Rent\n2006,9999,12.50,EUR,Cellar\n2006,9998,3,EUR,Power\n`

/** Places where it is tried: one machine with its sandbox, and two machines with a live service. */
let service: Service | undefined
let one: Home
let other: Home
beforeEach(async () => {
  one = await openHome()
})
afterEach(async () => {
  if (other !== one) await other?.remove()
  await one.remove()
  await service?.close()
  service = undefined
})

async function onOneMachine(): Promise<void> {
  other = one
}

async function onTwoMachines(): Promise<void> {
  service = await openService()
  other = await openHome()
  for (const home of [one, other])
    await home.json([
      ...['profiles', 'add', 'live', '--kind', 'live', '--base-url', service.url],
      ...['--profile-audit-user', 'aino'],
    ])
}

const run = (home: Home, argv: readonly string[], options?: RunOptions) =>
  home.run([...argv, '-p', service === undefined ? 'sandbox' : 'live'], options)
const json = <Read>(home: Home, argv: readonly string[]) =>
  home.json<Read>([...argv, '-p', service === undefined ? 'sandbox' : 'live'])

const agree = (count: number, total: string) => [
  ...['--confirm-count', String(count), '--confirm-total', `EUR:${total}`],
]
const create = (home: Home, stdin: string, count: number, total: string, ...flags: string[]) =>
  run(home, ['a2a', 'create', '--from', '-', ...agree(count, total), ...flags], {stdin})

/** The first row is booked, the others fail. @returns the id of the batch */
async function failing(): Promise<string> {
  const {stdout} = await create(one, THREE, 3, '16.60', '--wait', '-o', 'json')
  const [batch] = JSON.parse(stdout) as [{id: string; failedTransferItems: number}]
  expect(batch.failedTransferItems).toBe(2)
  return batch.id
}

/** Writes the failed transfers of a batch to a file. */
async function failedFile(
  home: Home,
  batch: string,
): Promise<{rows: string[]; file: string; stderr: string}> {
  const file = join(home.folder, 'failed.csv')
  const {stderr} = await run(home, ['a2a', 'get', batch, '--failed-to', file])
  return {rows: (await readFile(file, 'utf8')).trimEnd().split('\n'), file, stderr}
}

/** Corrects the first failed row, leaves the other one out, and sends the file. */
async function correctFirst(home: Home, batch: string): Promise<void> {
  const {rows, file} = await failedFile(home, batch)
  await writeFile(file, `${rows[0]}\n${rows[1]?.replace('9999', '2007').replace('12.5', '12.4')}\n`)
  const sent = await run(home, ['a2a', 'create', '--from', file, ...agree(1, '12.40'), '--wait'])
  expect(sent).toMatchObject({code: 0})
}

const retry = (home: Home, batch: string, count: number, total: string, ...flags: string[]) =>
  run(home, ['a2a', 'create', '--retry-failed', batch, ...agree(count, total), ...flags])

/** What was sent to an account, or tried. */
async function sentTo(account: string): Promise<number> {
  const batches = await json<{id: string}[]>(one, ['a2a', 'list', '--all'])
  let count = 0
  for (const {id} of batches) {
    const {transfers} = await json<{transfers: {items: {toId: string}[]}}>(one, ['a2a', 'get', id, '--all'])
    count += transfers.items.filter(({toId}) => toId === account).length
  }
  return count
}

describe.each([
  ['on one machine', onOneMachine],
  ['on two machines', onTwoMachines],
])('%s, what was corrected in a file of the failed ones', (_, open) => {
  beforeEach(open)

  test('is left out of a retry, which sends the others', async () => {
    const batch = await failing()
    await correctFirst(other, batch)
    const {code, stderr} = await retry(one, batch, 1, '3')
    expect(stderr).toContain('1 failed transfer is left out: sent from a file already')
    expect(code).toBe(0)
    expect([await sentTo('9999'), await sentTo('9998')]).toEqual([1, 2])
  })

  test('is left out of the next file of the failed ones', async () => {
    const batch = await failing()
    await correctFirst(other, batch)
    const {rows, stderr} = await failedFile(one, batch)
    expect(rows.slice(1).map(row => row.split(',')[1])).toEqual(['9998'])
    expect(stderr).toContain('1 failed transfer is left out')
  })

  test('is not sent once more, corrected otherwise, from a file that was written before', async () => {
    const batch = await failing()
    const {rows} = await failedFile(one, batch)
    await correctFirst(other, batch)
    const before = await sentTo('2005')
    const second = `${rows[0]}\n${rows[1]?.replace('9999', '2005')}\n`
    const {code, stderr} = await create(one, second, 1, '12.50')
    expect([code, stderr]).toEqual([
      14,
      expect.stringContaining(`failed transfers of batch ${batch} were sent`),
    ])
    expect(await sentTo('2005')).toBe(before)
    expect((await create(one, second, 1, '12.50', '--again')).code).toBe(0)
  })

  test('is no new row of the first file', async () => {
    const batch = await failing()
    await correctFirst(other, batch)
    const {code, stderr} = await create(one, THREE, 1, '3', '--only-new')
    expect(stderr).toContain('failed before, and was sent since from a file of the failed ones')
    expect(code).toBe(0)
    expect([await sentTo('9999'), await sentTo('9998')]).toEqual([1, 2])
  })
})

describe.each([
  ['on one machine', onOneMachine],
  ['on two machines', onTwoMachines],
])('%s, what was corrected in a file of its own', (_, open) => {
  beforeEach(open)
  const CORRECTED = `${HEADER}2006,2007,12.50,EUR,Cellar\n`
  const READINGS =
    /failed before, and may have been sent since with another account: row \d in batch \d+.*\(row \d: from 2006 to 9999, EUR 12\.50(?:, Cellar)?; sent: from 2006 to 2007, EUR 12\.50/

  test.each([
    ['--retry-failed', (batch: string) => retry(one, batch, 2, '15.50')],
    ['--only-new', () => create(one, THREE, 2, '15.50', '--only-new')],
    ['a part of the first file', () => create(one, `${HEADER}2006,9999,12.50,EUR,Cellar\n`, 1, '12.50')],
  ])('is refused for %s, with both readings', async (_, send) => {
    const batch = await failing()
    await create(other, CORRECTED, 1, '12.50', '--wait')
    const {code, stderr} = await send(batch)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(READINGS)
    expect(code).toBe(14)
    expect(await sentTo('9999')).toBe(1)
  })

  test('is asked about on a terminal, and left out', async () => {
    await failing()
    await create(other, CORRECTED, 1, '12.50', '--wait')
    const rows = THREE.trimEnd().split('\n').slice(1)
    const transfers = rows.flatMap(row => ['--transfer', row.replaceAll(',', ':')])
    const {code, stderr} = await run(one, ['a2a', 'create', ...transfers, '--only-new'], {
      typed: [
        ['Was row 2 corrected and sent there?', ''],
        service === undefined ? ['Continue?', 'y'] : ['to confirm', '3.00'],
      ],
    })
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(READINGS)
    expect(code).toBe(0)
    expect([await sentTo('9999'), await sentTo('9998')]).toEqual([1, 2])
  })

  test('is no doubt if that failed too, or was sent with another text', async () => {
    const batch = await failing()
    await create(other, CORRECTED.replace('2007', '9997'), 1, '12.50', '--wait')
    if (other === one) await create(other, CORRECTED.replace('Cellar', 'Garage'), 1, '12.50', '--wait')
    expect((await retry(one, batch, 2, '15.50')).code).toBe(0)
  })
})

describe.each([
  ['on one machine', onOneMachine],
  ['on two machines', onTwoMachines],
])('%s, what is corrected while the question stands', (_, open) => {
  beforeEach(open)
  const CELLAR = '2006:9999:12.50:EUR:Cellar'
  const correct = async (): Promise<void> => {
    const row = `${HEADER}2006,2007,12.50,EUR,Cellar\n`
    expect((await create(other, row, 1, '12.50', '--wait')).code).toBe(0)
  }
  const ask = (argv: readonly string[], meanwhile: () => Promise<void>, amount = '12.50', more = {}) => {
    const live = service !== undefined
    const answered = async (): Promise<string> => {
      await meanwhile()
      return live ? amount : 'y'
    }
    return run(one, argv, {typed: [[live ? 'to confirm' : 'Continue?', answered]], ...more})
  }
  const refused = ({code, stderr}: {code: number; stderr: string}, words: string) =>
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      14,
      expect.stringMatching(
        `While the question stood here, others sent\\. .*${words}.* Nothing was sent now`,
      ),
    ])
  const CORRECTED = 'failed before, and may have been sent since with another account'

  const plan = async (): Promise<string[]> => {
    const file = join(one.folder, 'p.plan')
    expect((await run(one, ['a2a', 'plan', '--transfer', CELLAR, '--out', file])).code).toBe(0)
    return ['apply', file]
  }
  test.each([
    ['a2a create', async () => ['a2a', 'create', '--transfer', CELLAR]],
    ['apply', plan],
    [
      'api',
      async () => {
        const transfers = [
          {fromAccountId: '2006', toAccountId: '9999', amount: 12.5, currency: 'EUR', text: 'Cellar'},
        ]
        return ['api', 'POST', '/v1/a2a/batches', '--data', JSON.stringify({transfers})]
      },
    ],
  ])('is not sent by %s as it failed', async (_, prepare) => {
    await failing()
    refused(await ask(await prepare(), correct), CORRECTED)
    expect(await sentTo('9999')).toBe(1)
  })

  test('is not sent by --retry-failed as it failed', async () => {
    const batch = await failing()
    refused(await ask(['a2a', 'create', '--retry-failed', batch], correct, '2'), CORRECTED)
    expect(await sentTo('9999')).toBe(1)
  })

  test('in a file of the failed ones, is not sent by --retry-failed either', async () => {
    const batch = await failing()
    const retry = ['a2a', 'create', '--retry-failed', batch]
    refused(await ask(retry, () => correctFirst(other, batch), '2'), 'sent already, perhaps corrected')
    expect(await sentTo('9999')).toBe(1)
  })

  test('exactly or with others, is not sent a second time', async () => {
    const both = `${HEADER}2006,2007,12.50,EUR,Cellar\n2006,2007,4,EUR,Garage\n`
    const meanwhile = async (): Promise<void> => {
      expect((await create(other, both, 2, '16.50', '--wait')).code).toBe(0)
    }
    const send = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:Cellar']
    refused(await ask(send, meanwhile), '1 of these 1 transfers')
  })

  test('is no reason to refuse what has nothing to do with it', async () => {
    await failing()
    const send = ['a2a', 'create', '--transfer', '2006:2003:7:EUR:Fee']
    expect((await ask(send, correct, '7.00')).code).toBe(0)
  })
})

test('a payment with a text of its own is none that failed, where that text is known', async () => {
  await onTwoMachines()
  const pay = async (home: Home, amount: string, text: string): Promise<number> => {
    const row = `${HEADER}2006,2007,${amount},EUR,${text}\n`
    return (await create(home, row, 1, amount, '--wait')).code
  }
  const sent = await sentTo('2007')
  // More than the account has.
  await pay(one, '20000', 'July')
  expect(await pay(one, '5', 'August')).toBe(0)
  expect(await pay(one, '20000', 'July')).toBe(14)
  expect(await pay(one, '20000', '')).toBe(14)
  expect(await pay(other, '20000', 'September')).toBe(14)
  expect(await sentTo('2007')).toBe(sent + 2)
  expect(await pay(one, '20000', 'September')).not.toBe(14)
  expect(await sentTo('2007')).toBe(sent + 3)
})

test('a plan keeps which failed transfers its rows replace', async () => {
  other = one
  const batch = await failing()
  const {rows} = await failedFile(one, batch)
  const plan = join(one.folder, 'p.plan')
  const stdin = `${rows[0]}\n${rows[1]?.replace('9999', '2007')}\n`
  expect((await run(one, ['a2a', 'plan', '--from', '-', '--out', plan], {stdin})).code).toBe(0)
  await correctFirst(one, batch)
  const {code, stderr} = await run(one, ['apply', plan, '--yes'])
  expect([code, stderr]).toEqual([14, expect.stringContaining('were sent already')])
})

test('many rows are named by their batch alone', async () => {
  other = one
  const many = Array.from({length: 60}, (_, at) => `2006,9${String(at).padStart(3, '0')},${at + 1},EUR,x\n`)
  const total = String((60 * 61) / 2)
  const {stdout} = await create(one, `${HEADER}${many.join('')}`, 60, total, '--wait', '-o', 'json')
  const [{id}] = JSON.parse(stdout) as [{id: string}]
  const {file, rows} = await failedFile(one, id)
  await writeFile(file, `${rows.slice(0, 41).join('\n')}\n`)
  const sum = String((40 * 41) / 2)
  expect((await run(one, ['a2a', 'create', '--from', file, ...agree(40, sum)])).code).toBe(0)
  const [newest] = await json<{description: string}[]>(one, ['a2a', 'list'])
  expect(newest?.description).toMatch(new RegExp(`^fixes:${id} ref:`))
  expect(newest?.description.length).toBeLessThanOrEqual(255)
  const again = await retry(one, id, 60, total)
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('Some of the failed transfers')])
})

test('another machine says that it sends or writes failed transfers without their texts', async () => {
  await onTwoMachines()
  const batch = await failing()
  const here = await failedFile(one, batch)
  expect(here.stderr).not.toContain('without a text')
  const words = 'failed transfers are'
  expect((await failedFile(other, batch)).stderr.replaceAll(/\s+/g, ' ')).toContain(
    `${words} written without a text`,
  )
  const {code, stderr} = await retry(other, batch, 2, '15.50')
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining(`2 ${words} sent without a text: which one it had is not known here`),
  ])
})

test('a row that was changed after it was sent leaves no rest, and the way to what is left is named', async () => {
  await onOneMachine()
  const rows = `${HEADER}2006,2007,1.10,EUR,Rent\n2006,2007,2.20,EUR,Gas\n`
  expect((await create(one, rows, 2, '3.30')).code).toBe(0)
  const more = `${rows.replace('Gas', 'Gas of May')}2006,2007,4,EUR,Water\n`
  const {code, stderr} = await create(one, more, 3, '7.30', '--rest')
  expect(code).toBe(2)
  expect(stderr).toContain('No batch of just these transfers was sent from this machine')
  expect(stderr).toContain('If a row was changed since a part was sent')
  expect(stderr).toContain('Nothing was sent.')
})
