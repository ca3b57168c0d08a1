// Why something was done: --note and --ticket, in the journal and the audit trail, and never at the service.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

interface Why {
  readonly operation: string
  readonly kind?: string
  readonly note?: string
  readonly ticket?: string
}

const requests = (...filter: string[]) => home.json<Why[]>(['requests', 'list', ...filter])
const entries = (...filter: string[]) => home.json<Why[]>(['audit', 'list', ...filter])
const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
const why = ['--note', 'asked for by phone', '--ticket', 'SUP-12']
const WHY = {note: 'asked for by phone', ticket: 'SUP-12'}

it('a write keeps them in the journal and in the sealed trail, and both lists find the ticket', async () => {
  await home.json([...patch, ...why])
  await home.json([...patch, '--ticket', 'SUP-1'])
  expect(await requests('--ticket', 'SUP-12')).toMatchObject([WHY])
  expect(await entries('--ticket', 'SUP-12')).toMatchObject([WHY])
  expect(await entries('--ticket', 'SUP')).toEqual([])
  const list = await home.run(['requests', 'list'], {columns: 120})
  expect(list.stdout).toContain('SUP-12')
  expect((await home.run(['audit', 'list'], {columns: 120})).stdout).toContain('SUP-12')
  expect((await home.run(['audit', 'verify'])).code).toBe(0)
  const [{id} = {id: ''}] = await home.json<{id: string}[]>(['requests', 'list', '--ticket', 'SUP-12'])
  const shown = await home.run(['requests', 'show', id], {columns: 80})
  expect(shown.stdout).toMatch(/Ticket +SUP-12[\s\S]*Note +asked for by phone/)
})

it('every request and the reveal of one command have them', async () => {
  const {code} = await home.run(['pin', 'view', '3001', '--reveal', '--yes', ...why])
  expect(code).toBe(0)
  const kept = await entries('--ticket', 'SUP-12')
  expect(kept.map(({kind, operation}) => `${kind} ${operation}`)).toEqual([
    'reveal pin.view.v3',
    'disclose pin.view.v3',
    'disclose pincontrol.create.v2',
  ])
  expect(kept.every(({note}) => note === WHY.note)).toBe(true)
})

it('all rows of a bulk job have them, and those that are sent later', async () => {
  const file = join(home.folder, 'rows.csv')
  await writeFile(file, 'id,creditLimit\n2001,6000\n9999,1\n')
  expect(await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', file, ...why])).toMatchObject({
    code: 11,
  })
  const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
  await home.run(['bulk', 'resume', job, '--retry-failed'])
  await home.run(['bulk', 'resume', job, '--retry-failed', '--ticket', 'SUP-13'])
  expect(await requests('--ticket', 'SUP-12')).toHaveLength(3)
  expect(await requests('--ticket', 'SUP-13')).toMatchObject([{note: WHY.note}])
})

it('transfers, api and a retry have them; a retry keeps those of its request', async () => {
  await home.json(['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes', ...why])
  await home.json(['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=5000', ...why])
  const [{id} = {id: ''}] = await home.json<{id: string}[]>(['requests', 'list', '--limit', '1'])
  await home.json(['requests', 'retry', id])
  await home.json(['requests', 'retry', id, '--ticket', 'SUP-14'])
  expect((await requests('--ticket', 'SUP-12')).map(({operation}) => operation)).toEqual([
    'accounts.patchCredit.v4',
    'accounts.patchCredit.v4',
    'a2a.create.v1',
  ])
  expect(await requests('--ticket', 'SUP-14')).toMatchObject([{note: WHY.note}])
  const read = await home.run(['api', 'GET', '/v4/3001', '--ticket', 'SUP-1'])
  expect(read).toMatchObject({code: 2, stderr: expect.stringContaining('A read leaves no record')})
})

it('the service gets nothing of them', async () => {
  const service = await openService()
  await home.json(['profiles', 'add', 'test1', '--kind', 'test', '--base-url', service.url])
  await home.json([...patch, ...why, '-p', 'test1'])
  expect(service.requests).toHaveLength(1)
  expect(JSON.stringify(service.requests)).not.toMatch(/SUP-12|by phone/)
  const {stdout} = await home.run([...patch, ...why, '-p', 'test1', '--curl'])
  expect(stdout).not.toMatch(/SUP-12|by phone/)
  await service.close()
})

describe('what is no note', () => {
  it.each([
    ['a card number', ['--note', 'card 4111 1111 1111 1111'], 'SENSITIVE_IN_ARGV'],
    ['a card number as ticket', ['--ticket', '4111111111111111'], 'SENSITIVE_IN_ARGV'],
    ['501 characters', ['--note', 'é'.repeat(501)], '--note has more than 500 characters'],
    ['101 characters of a ticket', ['--ticket', 'x'.repeat(101)], '--ticket has more than 100 characters'],
    ['a line break', ['--note', 'one\ntwo'], '--note has a line break'],
    ['an escape', ['--ticket', 'SUP\u001b[2J'], '--ticket has a line break or another control character'],
    ['nothing', ['--note', '  '], '--note is empty'],
  ])('%s', async (_, flags, words) => {
    const {code, stderr} = await home.run([...patch, ...flags])
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(words)})
    expect(await requests()).toEqual([])
  })

  it('500 characters are one, and a number that is none of a card', async () => {
    await home.json([
      ...patch,
      '--note',
      '💳'.repeat(500),
      '--ticket',
      '4111111111111111',
      '--not-a-card-number',
    ])
    expect(await requests()).toHaveLength(1)
  })
})

describe('a profile that requires a ticket', () => {
  beforeEach(async () => {
    const service = await openService()
    await home.json([
      'profiles',
      'add',
      'desk',
      '--kind',
      'test',
      '--base-url',
      service.url,
      '--require-ticket',
    ])
    return () => service.close()
  })

  it('refuses writes and disclosures without one, before they are sent', async () => {
    for (const argv of [
      patch,
      ['cards', 'payment-info', '3001'],
      ['bulk', 'run', 'accounts.patchCredit.v4', '--from', '-'],
    ]) {
      const {code, stderr} = await home.run([...argv, '-p', 'desk'], {stdin: 'id,creditLimit\n2001,1\n'})
      expect(stderr).toMatch(/Profile desk requires a ticket[\s\S]*Add --ticket ID\./)
      expect(code).toBe(2)
    }
    expect(await requests('-p', 'desk')).toEqual([])
    expect(await home.run([...patch, '-p', 'desk', '--ticket', 'SUP-3'])).toMatchObject({code: 0})
  })

  it('asks for it on a terminal, once, and takes no card number', async () => {
    const {code, stderr} = await home.run([...patch, '-p', 'desk'], {
      typed: [
        ['requires one', '4111111111111111'],
        ['looks like a card number', `${'\u0008'.repeat(16)}SUP-4`],
      ],
    })
    expect({code, stderr}).toEqual({code: 0, stderr: expect.stringContaining('looks like a card number')})
    expect(await requests('-p', 'desk')).toMatchObject([{ticket: 'SUP-4'}])
  })

  it('reads, previews and the sandbox need none', async () => {
    expect(await home.run([...patch, '-p', 'desk', '--dry-run'])).toMatchObject({code: 0})
    expect(await home.run([...patch])).toMatchObject({code: 0})
  })
})
