// Reports of a shift and of a batch: what they hold, in every format, and that they hold no secret.
import {readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const NOW = Date.UTC(2026, 6, 15, 12)
const HOUR = 3_600_000

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Shift {
  readonly writes: number
  readonly disclosures: number
  readonly reveals: number
  readonly failed: number
  readonly open: number
  readonly auditUsers: readonly string[]
  readonly money: readonly unknown[]
  readonly entries: readonly {readonly operation: string; readonly kind: string; readonly state: string}[]
}

const at = (now: number) => ({now: () => now})
const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
const create = [
  'a2a',
  'create',
  '--transfer',
  '2006:2007:1234.50:EUR',
  '--transfer',
  '2006:9999:2:EUR',
  '--yes',
]

const named = create.map(word => (word === '2006:2007:1234.50:EUR' ? `${word}:Rent` : word))

/** A morning: a change, a refusal, a PIN, a batch and a request without an answer. */
async function morning(): Promise<void> {
  const now = at(NOW - 2 * HOUR)
  await home.run([...patch, '--ticket', 'SUP-1', '--note', '<b>by phone</b>'], at(NOW - 9 * HOUR))
  await home.run([...patch, '--ticket', 'SUP-1', '--note', '<b>by phone</b>'], now)
  await home.run(['accounts', 'patch', '2999', '--type', 'credit', '-F', 'creditLimit=1'], now)
  await home.run(['pin', 'view', '3001', '--reveal', '--yes', '--audit-user', 'aino'], now)
  await home.run(create, now)
  await home.run(
    ['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', '--drop', 'after', '--count', '1'],
    now,
  )
  await home.run(['a2a', 'create', '--transfer', '2006:2007:3:EUR', '--yes'], now)
}

describe('report shift', () => {
  it('counts what was done since then, with what is open, what failed and the money', async () => {
    await morning()
    const shift = await home.json<Shift>(['report', 'shift', '--since', '8h'], at(NOW))
    expect(shift).toMatchObject({
      writes: 4,
      disclosures: 1,
      reveals: 1,
      failed: 1,
      open: 1,
      money: [{currency: 'EUR', transfers: 2, total: '1236.50'}],
    })
    expect(shift.auditUsers).toContain('aino')
    expect(shift.entries.map(({kind, state}) => `${kind} ${state}`).sort()).toEqual([
      'disclose done',
      'disclose done',
      'reveal done',
      'write done',
      'write done',
      'write refused',
      'write unknown',
    ])
  })

  it('tells what failed of a batch from what was sent, unless it asks nobody', async () => {
    await morning()
    const now = at(NOW)
    await home.json(['sandbox', 'clock', 'advance', '1m'], now)
    const sums = [
      {status: 'COMPLETED', currency: 'EUR', count: 1, total: '1234.50'},
      {status: 'FAILED', currency: 'EUR', count: 1, total: '2.00'},
    ]
    const shift = await home.json<Shift>(['report', 'shift'], now)
    expect(shift).toMatchObject({sums, accepted: 0})
    expect(shift.entries).toContainEqual(expect.objectContaining({replyId: '88001', sums}))
    const {stdout} = await home.run(['report', 'shift'], {...now, columns: 120})
    expect(stdout).toMatch(/Transfers sent +EUR 1\u202f236\.50 \(2 transfers\)\n/)
    expect(stdout).toMatch(/Transfers failed +EUR 2\.00 \(1 transfer\)\n/)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('failed: EUR')
    const local = await home.json<Shift>(['report', 'shift', '--local'], now)
    expect(local).toMatchObject({sums: [], accepted: 0, failedBatches: 1, money: shift.money})
  })

  it('has the journal alone if the service does not respond', async () => {
    await morning()
    const fault = ['sandbox', 'faults', 'add', '--operation', 'a2a.get.v1', '--status', '403']
    await home.json(fault, at(NOW))
    const {code, stdout, stderr} = await home.run(['report', 'shift'], {...at(NOW), columns: 80})
    expect(code).toBe(0)
    expect(stderr).toContain('Could not read what became of the transfers')
    expect(stdout).toMatch(/Without a known end +1/)
  })

  it('can be of one person or one ticket, and of the shift before', async () => {
    await morning()
    const by = await home.json<Shift>(['report', 'shift', '--by', 'aino'], at(NOW))
    expect([by.writes, by.disclosures, by.reveals]).toEqual([0, 1, 1])
    const ticket = await home.json<Shift>(['report', 'shift', '--ticket', 'SUP-1', '--since', '1d'], at(NOW))
    expect(ticket).toMatchObject({ticket: 'SUP-1', entries: {length: 2}})
    // A page of one ticket must not be taken for that of the whole shift.
    const page = join(home.folder, 'ticket.html')
    const filtered = ['report', 'shift', '--ticket', 'SUP-1', '--by', 'aino', '--html', page]
    expect((await home.run(filtered, at(NOW))).stdout).toMatch(/Only +ticket SUP-1, what aino did/)
    expect(await readFile(page, 'utf8')).toContain('ticket SUP-1, what aino did')
    expect((await home.run(['report', 'shift'], at(NOW))).stdout).not.toMatch(/^ *Only/m)
    const before = await home.json<Shift>(['report', 'shift', '--since', '10h', '--until', '8h'], at(NOW))
    expect(before.writes).toBe(1)
  })

  it.each([40, 80, 120])('fits %d columns, with the open ends first', async columns => {
    await morning()
    const {stdout} = await home.run(['report', 'shift'], {...at(NOW), columns})
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(columns)
    expect(stdout).toMatch(/1 open[\s\S]*Open: find out with[\s\S]*Failed[\s\S]*What was done/)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('EUR 1 236.50 (2 transfers)')
  })

  it('says in words what was done, as the history does', async () => {
    await morning()
    const {stdout} = await home.run(['report', 'shift'], {...at(NOW), columns: 260})
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toContain('change the limit of')
    expect(text).toContain('send transfers from 2006 to 2007, 9999 → batch 88001')
    expect(text).not.toContain('.patchCredit.')
  })

  it('names what an entry has as history and requests show do', async () => {
    await morning()
    const {entries} = await home.json<Shift>(['report', 'shift'], at(NOW))
    const [batch] = await home.json<object[]>(['history', 'batch', '88001'], at(NOW))
    const {sent: _, ...entry} = batch as {sent: unknown; request: string}
    expect(entry).toMatchObject({state: 'done', replyId: '88001', osUser: 'tester'})
    expect(entries).toContainEqual(expect.objectContaining({...entry, totals: 'EUR 1236.50'}))
    expect(await home.json(['requests', 'show', entry.request], at(NOW))).toMatchObject({
      state: 'done',
      replyId: '88001',
    })
    expect(entries.find(({state}) => state === 'refused')).toHaveProperty('said')
  })

  it('as CSV has a row for each entry', async () => {
    await morning()
    const {stdout} = await home.run(
      ['report', 'shift', '-o', 'csv', '--columns', 'kind,state,ticket'],
      at(NOW),
    )
    expect(stdout.trim().split('\n')).toHaveLength(8)
    expect(stdout).toContain('write,done,SUP-1')
  })

  it('of a time without work says so', async () => {
    const {code, stdout} = await home.run(['report', 'shift'], {...at(NOW), columns: 80})
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('nothing open')})
  })

  it('says what was never sent of a bulk job that was cancelled', async () => {
    const run = ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-', '--yes', '--concurrency', '1']
    const rows = `id,creditLimit\n${[1, 2, 3, 4, 5, 6].map(at => `2001,${at}`).join('\n')}\n`
    const fault = ['--operation', 'accounts.patchCredit.v4', '--match', '/creditLimit=3', '--status', '422']
    await home.run(['sandbox', 'faults', 'add', ...fault])
    expect((await home.run(run, {stdin: rows})).code).not.toBe(0)
    const [job] = await home.json<{job: string}[]>(['bulk', 'list'])
    expect(await home.run(['bulk', 'cancel', job?.job ?? '', '--yes'])).toMatchObject({code: 0})
    const {stdout} = await home.run(['report', 'shift'], {columns: 200})
    expect(stdout).toMatch(/2001 \(1\), 2001 \(1 → 2\); refused: 2001/)
    expect(stdout).toMatch(/2 done, 1 refused, cancelled$/m)
    expect(stdout).toContain('; cancelled, 3 rows never sent)')
  })

  it('counts a new PIN as the one write that it is', async () => {
    await home.run(['pin', 'set', '3004', '--yes'], {stdin: '8253\n'})
    const {writes, disclosures, entries} = await home.json<Shift>(['report', 'shift'])
    expect([writes, disclosures, entries.length]).toEqual([1, 0, 3])
  })

  it('has bulk jobs with rows left as open, on the page and as data', async () => {
    const rows = 'id,creditLimit\n2001,1\n2001,2\n2001,3\n2001,4\n2001,5\n2001,6\n2001,7\n2001,8\n'
    await home.run(['sandbox', 'faults', 'add', '--operation', 'accounts.patchCredit.v4', '--status', '503'])
    const run = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', '-', '--concurrency', '1']
    await home.run([...run, '--retries', '0', '--rate', 'off', '--yes'], {stdin: rows})
    const [job] = await home.json<{job: string; left: number}[]>(['bulk', 'list'])
    expect(job?.left).toBeGreaterThan(0)
    const shift = await home.json<Shift & {openJobs: readonly unknown[]}>(['report', 'shift'])
    expect(shift).toMatchObject({openJobs: [{job: job?.job, rows: 8, left: job?.left}]})
    expect(shift.open).toBeGreaterThan(0)
    const page = join(home.folder, 'shift.html')
    const {stdout} = await home.run(['report', 'shift', '--html', page], {columns: 160})
    for (const text of [stdout, await readFile(page, 'utf8')]) {
      expect(text).not.toContain('nothing open')
      expect(text).toContain(`${job?.left} of 8 rows not sent`)
      expect(text).toContain('bulk resume')
    }
  })

  it('has a bulk job as a line, values with parts, and problems without the words of the wire', async () => {
    const rows = 'id,creditLimit\n2001,1\n2001,2\n2002,3\n'
    const run = [
      'bulk',
      'run',
      'accounts',
      'patch',
      '--type',
      'credit',
      '--from',
      '-',
      '--rate',
      'off',
      '--yes',
    ]
    await home.run(run, {stdin: rows})
    const limits = {usageLimits: [{code: 'DAILY', values: [{code: 'RETAIL', sumAmount: 3500}]}]}
    const patch = ['accounts', 'patch', '2001', '--type', 'credit', '--data', JSON.stringify(limits)]
    expect(await home.run(patch)).toMatchObject({code: 0})
    const page = join(home.folder, 'shift.html')
    const {stdout} = await home.run(['report', 'shift', '--html', page], {columns: 240})
    for (const text of [stdout, await readFile(page, 'utf8')]) {
      expect(text).toContain('change the limit of credit accounts 2001 (1), 2001 (1 → 2); refused: 2002 (')
      expect(text).toContain('2 done, 1 refused')
      expect(text).toContain('4, 1 of them failed')
      expect(text).toContain(': usageLimits (DAILY RETAIL 3\u202f500)')
      expect(text).toContain('The account is not of type CREDIT')
      expect(text).not.toContain('PATCH /')
    }
    expect(await home.json<Shift>(['report', 'shift'])).toMatchObject({entries: {length: 4}})
    expect((await home.run(['report', 'shift', '--rows'], {columns: 240})).stdout).not.toContain('3 rows')
  })

  it('says of a bulk job which accounts were blocked, how many, and which were not', async () => {
    const rows = `id\n${[2006, 2007, 2001, 2010].join('\n')}\n`
    const run = ['bulk', 'run', 'accounts', 'patch', '--type', 'debit', '-F', 'status=ACCOUNT_BLOCKED']
    await home.run([...run, '--from', '-', '--rate', 'off', '--yes'], {stdin: rows})
    const page = join(home.folder, 'shift.html')
    const {stdout} = await home.run(['report', 'shift', '--html', page], {columns: 240})
    for (const text of [stdout, await readFile(page, 'utf8')]) {
      expect(text).toContain('block debit accounts 2006, 2007, 2010; refused: 2001 (')
      expect(text).toContain('The account is not of type DEBIT)')
      expect(text).toContain('3 done, 1 refused')
    }
  })

  it('says between which accounts money was sent, and before it is, that the account was blocked from here', async () => {
    await home.run(['accounts', 'block', '2006', '--type', 'debit', '--yes'])
    const {stderr} = await home.run(['a2a', 'create', '--transfer', '2006:2007:5:EUR', '--yes'])
    expect(stderr).toContain('Account 2006 was set to ACCOUNT_BLOCKED from this machine')
    expect(stderr).toContain('transfers from it are sent all the same')
    const other = await home.run(['a2a', 'create', '--transfer', '2007:2006:5:EUR', '--yes'])
    expect(other.stderr).not.toContain('ACCOUNT_BLOCKED')
    const {stdout} = await home.run(['report', 'shift'], {columns: 200})
    expect(stdout).toContain('send transfers from 2006 to 2007 → batch 88001 (EUR 5.00)')
  })

  it('shows a batch whose transfers failed as failed', async () => {
    await home.run([...create, '--wait'])
    await home.run(['a2a', 'create', '--transfer', '2006:9998:2:EUR', '--yes', '--wait'])
    const page = join(home.folder, 'shift.html')
    const {stdout} = await home.run(['report', 'shift', '--html', page], {columns: 160})
    for (const text of [stdout, await readFile(page, 'utf8')]) {
      expect(text).toContain('nothing open, 2 batches with failed transfers')
      expect(text).toContain('1 of 2 failed')
      expect(text).toContain('all failed')
    }
  })
})

describe('the failed transfers of a shift', () => {
  it('are named above everything else, five of them, and how many more there are', async () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].flatMap(at => ['--transfer', `2006:999${at}:${at}:EUR:Rent ${at}`])
    await home.run(['a2a', 'create', ...rows, '--yes', '--wait'])
    const page = join(home.folder, 'failed.html')
    const {stdout} = await home.run(['report', 'shift', '--html', page], {columns: 160})
    for (const text of [stdout, await readFile(page, 'utf8')]) {
      const start = text.indexOf('Failed transfers')
      const named = text.slice(start, text.indexOf('What was done', start))
      for (const at of [1, 5]) {
        expect(named).toContain(`999${at}`)
        expect(named).toContain(`EUR ${at}.00`)
        expect(named).toContain(`Rent ${at}`)
      }
      expect(named).toContain('88001')
      expect(named.toLowerCase()).toContain('account')
      expect(named).not.toContain('9996')
      expect(named).toContain('And 2 more transfers of 7')
    }
  })
})

describe('the words of a page that others read', () => {
  const pages = async (...argv: string[]) => {
    const file = join(home.folder, `${argv.at(-1)}.html`)
    const {stdout} = await home.run([...argv, '--html', file], {columns: 240})
    return [stdout, await readFile(file, 'utf8')]
  }

  it('count all batches with failed transfers, and those that were sent again', async () => {
    await home.run([...create, '--wait'])
    await home.run(['a2a', 'create', '--transfer', '2006:9998:2:EUR', '--yes', '--wait'])
    const file = join(home.folder, 'failed.csv')
    await home.run(['a2a', 'get', '88001', '--failed-to', file])
    await writeFile(file, (await readFile(file, 'utf8')).replace('9999', '2007'))
    expect((await home.run(['a2a', 'create', '--from', file, '--yes', '--wait'])).code).toBe(0)
    for (const text of await pages('report', 'shift')) {
      expect(text).toContain('2, of which 1 sent again')
      expect(text).toContain('1 batch with failed transfers not sent again')
    }
    expect(await home.json(['report', 'shift'])).toMatchObject({failedBatches: 1})
    const [, page] = await pages('report', 'batch', '88001')
    expect(page).toContain('<h1>Batch 88001: completed with errors</h1>')
    expect(page).toContain('by the clock of the service, which names no time zone')
  })

  it('say what a person saw, each fact once, and not where somebody lives', async () => {
    await home.run(['pin', 'view', '3001', '--reveal', '--yes'])
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    await home.run(['accounts', 'limit', '9999', '7', '--type', 'credit'])
    const lines = {city: 'Turku', address1: 'Kauppiaskatu 1', zipCode: '20100', country: 'FIN'}
    const address = JSON.stringify({address: lines})
    await home.run(['accounts', 'patch', '2001', '--type', 'credit', '--data', address])
    for (const text of await pages('report', 'shift')) {
      expect(text).toMatch(/show to a person: the PIN\s*[ <]/)
      expect(text).toContain('show to a person: the number and security code of card 3001')
      expect(text).not.toMatch(/person: [^<\n]*encrypted/)
      expect(text).toContain('The sandbox has no such account.')
      expect(text).not.toContain('ound nothing (404)')
      expect(text).toMatch(/2001: address\s+\(city, address1, zipCode, country set\)/)
      expect(text).not.toMatch(/Turku|Kauppiaskatu/)
    }
  })

  it('name the parts of an address that were changed and cleared, and say that a close is for good', async () => {
    const patch = (address: object) =>
      home.run([
        'accounts',
        'patch',
        '2001',
        '--type',
        'credit',
        '--data',
        JSON.stringify({address}),
        '--yes',
      ])
    await patch({address1: 'Kauppiaskatu 1', address2: 'B', city: 'Turku', zipCode: '20100', country: 'FIN'})
    await patch({address1: 'Kauppiaskatu 1', city: 'Turku', zipCode: '20101', country: null})
    await home.run(['accounts', 'close', '2001', '--type', 'credit', '--confirm', 'ACCOUNT_TO_CLOSE'])
    for (const text of await pages('report', 'shift')) {
      const words = text.replaceAll(/\s+/g, ' ')
      expect(words).toContain('2001: address (zipCode changed; country, address2 cleared)')
      expect(words).toContain('close credit account 2001 for good')
      expect(words).not.toMatch(/Turku|Kauppiaskatu|2010/)
    }
  })
})

describe('report batch', () => {
  it('has states, sums, failures, and who sent it for which ticket', async () => {
    await home.run([...named, '--wait', '--ticket', 'SUP-2', '--audit-user', 'aino'])
    const report = await home.json(['report', 'batch', '88001'])
    expect(report).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      sent: {auditUser: 'aino', ticket: 'SUP-2'},
      sums: [
        {status: 'COMPLETED', currency: 'EUR', count: 1, total: '1234.50'},
        {status: 'FAILED', currency: 'EUR', count: 1, total: '2.00'},
      ],
    })
    const {stdout} = await home.run(['report', 'batch', '88001'], {columns: 80})
    expect(stdout).toMatch(/FAILED +1 +EUR 2\.00[\s\S]*Account not found/)
    expect(stdout).toMatch(/COMPLETED +2006 +2007 +EUR 1\u202f234\.50 +Rent/)
    expect(stdout).toMatch(/^ *Reference +ref:[a-z]{20}$/m)
    expect(stdout.match(/ref:/g)).toHaveLength(1)
    const csv = await home.run([
      'report',
      'batch',
      '88001',
      '-o',
      'csv',
      '--no-header',
      '--columns',
      'from,amount,text,status',
    ])
    expect(csv.stdout.split('\n').sort()).toEqual(['', '2006,1234.50,Rent,COMPLETED', '2006,2.00,,FAILED'])
  })

  it('of a batch that this machine did not send says so', async () => {
    await home.run(create)
    const later = at(Date.now() + 30 * 24 * HOUR)
    await home.run(['requests', 'prune', '--older-than', '1d', '--yes', '--clock-is-right'], later)
    const {stdout} = await home.run(['report', 'batch', '88001'], {...later, columns: 80})
    expect(stdout).toContain('not from the journal of this machine')
    expect(await home.run(['report', 'batch', '89999'])).toMatchObject({code: 5})
  })
})

describe('a batch whose request has an unknown effect', () => {
  const DROP = ['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', '--drop', 'after', '--count', '1']
  const flat = async (...argv: string[]) =>
    (await home.run(argv, {columns: 200, ...at(NOW)})).stdout.replaceAll(/\s+/g, ' ')

  it('names the request that probably made it, in the report and the history', async () => {
    await home.run(DROP)
    expect((await home.run(['a2a', 'create', '--transfer', '2006:2007:3:EUR:Tea', '--yes'])).code).toBe(10)
    const [request] = await home.json<{id: string}[]>(['requests', 'list'])
    const text = await flat('report', 'batch', '88001')
    expect(text).toContain('Sent by probably')
    expect(text).toContain(`Request ${request?.id}`)
    expect(text).toContain('EUR 3.00 Tea')
    expect(await home.json(['report', 'batch', '88001'])).toMatchObject({
      sent: {request: request?.id, state: 'unknown'},
    })
    const history = await home.run(['history', 'batch', '88001'], {columns: 200})
    expect(history.stdout).toMatch(/send transfers from 2006 to 2007 +unknown/)
    expect(history.stderr).toContain(`the reference of request ${request?.id}, which probably made it`)
    expect(history.stderr).toContain(`cardctl requests resolve ${request?.id}`)
    const others = await home.run(['history', 'batch', '88001', '--local'], {columns: 200})
    expect(others.stdout).toContain('One of which the effect is unknown may have')
    expect(others.stderr).toContain(`cardctl requests resolve ${request?.id}`)
    await home.run(['requests', 'resolve', 'last'])
    expect(await flat('report', 'batch', '88001')).not.toContain('probably')
  })

  it('is not said to be of one with another reference', async () => {
    await home.run(['a2a', 'create', '--transfer', '2006:2007:4:EUR', '--yes'])
    await home.run(DROP)
    await home.run(['a2a', 'create', '--transfer', '2006:2007:3:EUR', '--yes'])
    expect(await flat('report', 'batch', '88001')).not.toContain('probably')
    expect(await flat('history', 'batch', '88001')).toContain('done')
  })
})

it('every page that is kept has dates', async () => {
  await morning()
  for (const argv of [
    ['report', 'shift'],
    ['report', 'batch', '88001'],
    ['history', 'account', '2001'],
  ]) {
    const {stdout} = await home.run(argv, at(NOW))
    expect(stdout).toMatch(/2026-07-15 \d\d:\d\d/)
    expect(stdout).not.toMatch(/today|yesterday| ago\b/)
  }
})

describe('--html', () => {
  const pageOf = async (argv: readonly string[]): Promise<string> => {
    const file = join(home.folder, 'report.html')
    expect(
      await home.run([...argv, '--html', file], {...at(NOW), env: {TZ: 'Europe/Helsinki'}}),
    ).toMatchObject({code: 0})
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    return readFile(file, 'utf8')
  }

  it('writes one page that loads and runs nothing, names the zone and escapes what was typed', async () => {
    await morning()
    const page = await pageOf(['report', 'shift', '-q'])
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`)
    expect(page).not.toMatch(/<script|<img|<link|<iframe|\shref=|\ssrc=|\son\w+=|@import|url\(/i)
    expect(page).toContain('SUP-1: &lt;b&gt;by phone&lt;/b&gt;')
    expect(page).toContain('2026-07-15 15:00 UTC+3')
  })

  it('never replaces a file, and does not begin if it cannot write', async () => {
    await home.run(create)
    const page = await pageOf(['report', 'batch', '88001'])
    expect(page).toContain('EUR 1\u202f234.50')
    const file = join(home.folder, 'report.html')
    const again = await home.run(['report', 'batch', '88001', '--html', file])
    expect(again).toMatchObject({code: 3, stdout: '', stderr: expect.stringContaining('exists already')})
    expect(await readFile(file, 'utf8')).toBe(page)
  })

  it('has no secret in any format', async () => {
    const {stdout: pin} = await home.run(['pin', 'view', '3001', '--reveal', '--yes', '-o', 'json'], at(NOW))
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'], at(NOW))
    const digits = /"pin": ?"(\d{4,})"/.exec(pin)?.[1] ?? 'none'
    const outputs = [await pageOf(['report', 'shift'])]
    for (const format of ['table', 'json', 'csv', 'yaml']) {
      outputs.push((await home.run(['report', 'shift', '-o', format], at(NOW))).stdout)
    }
    for (const output of outputs) {
      expect(output).not.toMatch(/4111111111111111/)
      expect(output).not.toMatch(new RegExp(`(?<![\\d.:])${digits}(?![\\d:])`))
    }
  })
})
