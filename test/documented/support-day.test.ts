// What docs/support.md promises of notes, tickets, times and reports.
import {readFile, stat, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {hostileTexts} from '../helpers/hostile-texts.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const CHANGE = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000', '-o', 'json']

interface Entry {
  readonly note?: string
  readonly ticket?: string
}

interface Shift {
  readonly writes: number
  readonly disclosures: number
  readonly reveals: number
  readonly failed: number
  readonly open: number
  readonly money: {currency: string; transfers: number; total: string}[]
  readonly entries: Entry[]
}

const shift = (home: Home, ...more: string[]) => home.json<Shift>(['report', 'shift', ...more])

describe('notes and tickets', () => {
  test('never go to the service, but to the journal and the sealed trail', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    const told = ['--note', 'Asked-by-phone', '--ticket', 'SUP-12', '-p', 'staging']
    expect((await home.run([...CHANGE, ...told])).code).toBe(0)
    expect((await home.run(['pin', 'view', '3001', ...told])).code).toBe(0)
    expect((await home.run(['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes', ...told])).code).toBe(
      0,
    )
    const sent = service.requests
      .map(({url, headers, body}) => url + JSON.stringify(headers) + String(body))
      .join()
    expect(sent).not.toMatch(/Asked|by-phone|SUP-12/)
    for (const list of ['requests', 'audit']) {
      const entries = await home.json<Entry[]>([list, 'list', '--ticket', 'SUP-12', '-p', 'staging'])
      expect(entries.length).toBeGreaterThan(2)
      for (const entry of entries) expect(entry).toMatchObject({note: 'Asked-by-phone', ticket: 'SUP-12'})
    }
    expect((await home.run(['audit', 'verify'])).code).toBe(0)
    expect(await home.json(['requests', 'list', '--ticket', 'SUP-1', '-p', 'staging'])).toEqual([])
  })

  test.each([
    ['--note', 'x'.repeat(500), 0],
    ['--note', 'x'.repeat(501), 2],
    ['--ticket', 'x'.repeat(100), 0],
    ['--ticket', 'x'.repeat(101), 2],
    ['--note', '', 2],
    ['--ticket', ' ', 2],
    ['--note', 'The card 4111 1111 1111 1111', 2],
    ['--ticket', '4111111111111111', 2],
  ])('%s of %j ends with %i', async (flag, text, code) => {
    const home = await newHome()
    expect((await home.run([...CHANGE, flag, text])).code).toBe(code)
    expect(await home.json(['requests', 'list'])).toHaveLength(code === 0 ? 1 : 0)
  })

  test('of a bulk job are on each row, and resume keeps them', async () => {
    const home = await newHome()
    await home.run([
      'sandbox',
      'faults',
      'add',
      '--operation',
      'accounts.patchCredit.v4',
      '--status',
      '404',
      '--count',
      '1',
    ])
    const bulk = [
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
      '--ticket',
      'SUP-9',
    ]
    const seen = await home.run([...bulk, '--concurrency', '1'], {stdin: 'id,creditLimit\n2001,1\n2001,2\n'})
    expect(seen.code).toBe(11)
    expect((await home.run(['bulk', 'resume', 'last', '--retry-failed', '--rate', 'off'])).code).toBe(0)
    const all = await home.json<Entry[]>(['requests', 'list'])
    expect(all.map(({ticket}) => ticket)).toEqual(all.map(() => 'SUP-9'))
    expect(all.length).toBeGreaterThan(1)
  })

  test('a required ticket is asked for before every write and disclosure, and for no read', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    expect((await home.run(['profiles', 'edit', 'staging', '--require-ticket'])).code).toBe(0)
    const run = (...argv: string[]) => home.run([...argv, '-p', 'staging', '--yes'])
    for (const argv of [
      CHANGE,
      ['accounts', 'block', '2001', '--type', 'credit'],
      ['a2a', 'create', '--transfer', '2006:2007:1:EUR'],
      ['pin', 'view', '3001'],
      ['cards', 'payment-info', '3001', '--reveal'],
      ['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=1'],
    ]) {
      const seen = await run(...argv)
      expect([argv[0], seen.code]).toEqual([argv[0], 2])
      expect(seen.stderr).toContain('--ticket')
    }
    expect(writesOf(service)).toEqual([])
    expect((await run('cards', 'get', '3001')).code).toBe(0)
    expect((await run(...CHANGE, '--ticket', 'SUP-1')).code).toBe(0)
    expect(writesOf(service)).toHaveLength(1)
  })
})

describe('times', () => {
  // A Wednesday.
  const now = () => Date.UTC(2026, 5, 17, 14, 0)
  const meant = async (since: string, zone = 'UTC') => {
    const home = await newHome()
    const report = await home.run(['report', 'shift', '--since', since, '-o', 'json'], {now, env: {TZ: zone}})
    return report.code === 0 ? (JSON.parse(report.stdout) as {since: string}).since : report.code
  }

  test.each([
    ['8h', '2026-06-17T06:00:00.000Z'],
    ['2d', '2026-06-15T14:00:00.000Z'],
    ['today', '2026-06-17T00:00:00.000Z'],
    ['yesterday', '2026-06-16T00:00:00.000Z'],
    ['yesterday 14:00', '2026-06-16T14:00:00.000Z'],
    ['monday', '2026-06-15T00:00:00.000Z'],
    ['Monday 08:30', '2026-06-15T08:30:00.000Z'],
    ['13:02', '2026-06-17T13:02:00.000Z'],
    ['2026-06-15', '2026-06-15T00:00:00.000Z'],
    ['2026-06-15T14:02', '2026-06-15T14:02:00.000Z'],
    ['2026-06-15T14:02Z', '2026-06-15T14:02:00.000Z'],
    ['2026-06-15T14:02+02:00', '2026-06-15T12:02:00.000Z'],
  ])('%s is %s', async (since, moment) => {
    expect(await meant(since)).toBe(moment)
  })

  test.each([
    'tomorrow',
    '2026-02-30',
    '25:00',
    '8',
    '-8h',
    '8x',
    '',
    'yesterday 25:00',
    '2026-13-01',
    'mon day',
    '1e3h',
  ])('%j is an error, and nothing is listed', async since => {
    expect(await meant(since)).toBe(2)
  })

  test('without a zone are in your zone, of which a table tells on stderr', async () => {
    expect(await meant('2026-06-15', 'Asia/Tokyo')).toBe('2026-06-14T15:00:00.000Z')
    expect(await meant('today', 'America/New_York')).toBe('2026-06-17T04:00:00.000Z')
    expect(await meant('2026-06-15T14:02Z', 'Asia/Tokyo')).toBe('2026-06-15T14:02:00.000Z')
    const home = await newHome()
    const seen = await home.run(['requests', 'list', '--since', 'yesterday'], {now, env: {TZ: 'Asia/Tokyo'}})
    expect(seen.stderr).toContain('2026-06-16 00:00 UTC+9')
  })

  test('take the same values everywhere', async () => {
    const home = await newHome()
    for (const argv of [
      ['requests', 'list'],
      ['audit', 'list'],
      ['history', 'card', '3001'],
      ['report', 'shift'],
      ['webhook', 'events', 'list'],
    ]) {
      for (const since of ['8h', 'yesterday 14:00', '2026-06-15T14:02Z']) {
        const seen = await home.run([...argv, '--since', since], {now})
        expect([argv[0], since, seen.code, seen.stderr]).toEqual([argv[0], since, 0, expect.any(String)])
      }
      expect((await home.run([...argv, '--since', 'whenever'], {now})).code).toBe(2)
    }
  })
})

describe('report shift', () => {
  test('counts writes, disclosures, reveals, failures and open ends, and sums transfers by currency', async () => {
    const home = await newHome()
    await home.run([...CHANGE, '--ticket', 'SUP-1'])
    await home.run(['accounts', 'patch', '2001', '--type', 'debit', '-F', 'name=x'])
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    const transfers = ['--transfer', '2006:2007:0.10:EUR', '--transfer', '2006:2007:0.20:EUR']
    await home.run(['a2a', 'create', ...transfers, '--transfer', '2005:2006:5:JPY', '--yes'])
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
    await home.run(['a2a', 'create', '--transfer', '2006:2007:99:EUR', '--yes'])
    const report = await shift(home)
    expect(report).toMatchObject({disclosures: 1, reveals: 1, failed: 1, open: 1})
    expect(report.money).toContainEqual({currency: 'EUR', transfers: 2, total: '0.30'})
    expect(report.money).toContainEqual({currency: 'JPY', transfers: 1, total: '5'})
    expect((await shift(home, '--ticket', 'SUP-1')).entries).toHaveLength(1)
    expect((await shift(home, '--ticket', 'SUP-1')).money).toEqual([])
    expect((await shift(home, '--by', 'nobody')).entries).toEqual([])
    expect((await shift(home, '--since', '2h', '--until', '1h')).entries).toEqual([])
  })

  test('holds no secret in any form', async () => {
    const home = await newHome()
    await home.run(['pin', 'set', '3001', '--yes'], {stdin: '8253\n'})
    await home.run(['pin', 'view', '3001', '--reveal', '--yes'])
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    const page = join(home.folder, 'shift.html')
    const texts = [(await home.run(['report', 'shift', '--html', page])).stdout, await readFile(page, 'utf8')]
    for (const format of ['json', 'csv', 'yaml'])
      texts.push((await home.run(['report', 'shift', '-o', format])).stdout)
    for (const text of texts) {
      expect(text).toContain('3001')
      expect(text).not.toMatch(/\b8253\b|4111111111111111|4111 1111 1111 1111/)
    }
  })

  test('as a page runs and loads nothing, whatever a note says', async () => {
    const home = await newHome()
    for (const note of Object.values(hostileTexts)) {
      if (!note.includes('\0') && note.length <= 500) await home.run([...CHANGE, '--note', note])
    }
    const page = join(home.folder, 'shift.html')
    expect((await home.run(['report', 'shift', '--html', page])).code).toBe(0)
    const html = await readFile(page, 'utf8')
    expect((await stat(page)).mode & 0o777).toBe(0o600)
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|javascript:|url\(/i)
    expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  test('never writes over a file and follows no link', async () => {
    const home = await newHome()
    const [file, link] = [join(home.folder, 'a.html'), join(home.folder, 'b.html')]
    await writeFile(file, 'mine')
    await symlink(join(home.folder, 'target.html'), link)
    for (const path of [file, link]) {
      const seen = await home.run(['report', 'shift', '--html', path, '-o', 'json'])
      expect([seen.code, errorCode(seen)]).toEqual([3, 'OUTPUT_UNWRITABLE'])
    }
    expect(await readFile(file, 'utf8')).toBe('mine')
    await expect(stat(join(home.folder, 'target.html'))).rejects.toThrow()
  })
})

test('report batch says who sent it for which ticket, and has a row for each transfer', async () => {
  const home = await newHome()
  const transfers = ['--transfer', '2006:2008:5:EUR', '--transfer', '2006:2007:7.25:EUR:=1+1']
  await home.run(['a2a', 'create', ...transfers, '--wait', '--yes', '--ticket', 'SUP-7'])
  const {stdout} = await home.run(['report', 'batch', '88001'])
  for (const text of ['SUP-7', 'tester', 'EUR 7.25', 'EUR 5.00', 'Account is closed'])
    expect(stdout).toContain(text)
  const csv = (await home.run(['report', 'batch', '88001', '-o', 'csv'])).stdout.trimEnd().split('\n')
  expect(csv).toHaveLength(3)
  expect((await home.run(['report', 'batch', '999'])).code).toBe(5)
})

test('cards list --status shows those alone, from all pages', async () => {
  const home = await newHome()
  const list = (...more: string[]) =>
    home.json<{status: string}[]>(['cards', 'list', '--customer', '1003', ...more])
  const all = await list('--all')
  const ok = all.filter(({status}) => status === 'CARD_OK').length
  expect(await list('--status', 'CARD_OK')).toHaveLength(ok)
  const both = await list('--status', 'CARD_OK', '--status', 'CARD_BLOCKED')
  expect(both).toHaveLength(all.filter(({status}) => /OK|BLOCKED/.test(status)).length)
})
