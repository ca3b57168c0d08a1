import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const lines = (text: string): string[] => text.trimEnd().split('\n')
const run = (line: string) => home.run(line.split(' '), {columns: 120})

describe('sandbox reset', () => {
  it('says once that the demo data is restored', async () => {
    expect(await run('sandbox reset --yes')).toMatchObject({code: 0, stdout: 'The demo data is restored\n'})
  })

  it('deletes all changes', async () => {
    await home.json(['sandbox', 'state', 'set', 'card', '3001', '-F', 'status=CARD_BLOCKED'])
    await home.json(['sandbox', 'reset', '--yes'])
    expect(await home.json(['cards', 'get', '3001'])).toMatchObject({status: 'CARD_OK'})
  })
})

describe('sandbox faults remove', () => {
  it('removes the one that is named, and no other', async () => {
    const add = (status: string) =>
      home.json<{id: string}>(['sandbox', 'faults', 'add', '--operation', 'cards.get.v4', '--status', status])
    const [first, second] = [await add('429'), await add('503')]
    expect(await run(`sandbox faults remove ${first.id}`)).toMatchObject({
      code: 0,
      stdout: '1 fault removed\n',
    })
    const ids = (await home.json<{id: string}[]>(['sandbox', 'faults', 'list'])).map(({id}) => id)
    expect(ids).toEqual([second.id])
    expect(await run(`sandbox faults remove ${first.id}`)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('fault'),
    })
  })
})

describe('sandbox state', () => {
  it('lists accounts with a line for each currency, amounts at the right', async () => {
    const {stdout} = await run('sandbox state list accounts')
    expect(stdout).not.toMatch(/[{}[\]"]/)
    const [head = '', , ...rows] = lines(stdout)
    const ends = head.indexOf('Booked') + 'Booked'.length
    const booked = rows.map(row => row.slice(0, ends).match(/\w+ -?[\d\u202f.]+$/)?.[0])
    expect(booked).toEqual([
      'EUR 0.00',
      'EUR 2\u202f500.00',
      'EUR 150.00',
      'EUR 0.00',
      'EUR 1\u202f000.00',
      'SEK 5\u202f000.00',
      'NOK 3\u202f000.00',
      'JPY 100\u202f000',
      'EUR 10\u202f000.00',
      'EUR 10\u202f000.00',
      'EUR 0.00',
      'EUR -37.40',
      'EUR 820.00',
    ])
    expect(rows.filter(row => row.includes('2005'))).toHaveLength(4)
  })

  it('shows what is held where something is', async () => {
    await run('sandbox authorizations reverse a_0')
    expect((await run('sandbox state list accounts')).stdout).not.toContain('Held')
    await home.json('sandbox authorize --card 3001 --amount 12.50 --currency EUR'.split(' '))
    const [head, , first] = lines((await run('sandbox state list accounts')).stdout)
    expect(head).toContain('Held')
    expect(first).toMatch(/EUR 0\.00 +EUR 12\.50 +EUR 4\u202f987\.50/)
  })

  it('takes no reference number for a card number, whose check digit some have', async () => {
    const cards = await home.json<{referenceNumber: string}[]>(['sandbox', 'state', 'list', 'cards'])
    expect(cards.map(({referenceNumber}) => referenceNumber)).toContain('900000000003005')
    for (const {referenceNumber} of cards) expect(referenceNumber).toMatch(/^\d{15}$/)
  })

  it('lists price lists with their periods in words', async () => {
    const {stdout} = await run('sandbox state list price-lists')
    expect(stdout).toContain('6001 active, 6002 expired, 6003 future')
  })

  it.each([
    ['accounts', 'account', 10],
    ['balances', 'balance', 13],
    ['plastics', 'plastic', 46],
    ['Price-Lists', 'pricelist', 2],
    ['pricelists', 'pricelist', 2],
    ['periods', 'period', 4],
    ['batches', 'batch', 1],
    ['enrolments', 'enrolment', 1],
    ['customers', 'customer', 4],
  ])('takes %s for %s', async (many, one, count) => {
    const listed = await home.json<unknown[]>(['sandbox', 'state', 'list', many, '--all'])
    expect(listed).toHaveLength(count)
    expect(await home.json(['sandbox', 'state', 'list', one, '--all'])).toEqual(listed)
  })

  it('names the kinds if another one is given', async () => {
    const {code, stderr} = await run('sandbox state list acounts')
    expect(code).toBe(2)
    expect(stderr).toMatch(/account, balance, card.*Did you mean account\?/s)
  })

  it('shows and sets one balance', async () => {
    const before = await home.json('sandbox state show balance 2006-EUR'.split(' '))
    expect(before).toEqual({
      id: '2006-EUR',
      accountId: '2006',
      currency: 'EUR',
      booked: 10000,
      held: 0,
      available: 10000,
    })
    const set = 'sandbox state set balance 2006-EUR -F'.split(' ')
    expect(await home.json([...set, 'booked=12.5'])).toMatchObject({booked: 12.5, available: 12.5})
    expect(await home.json('sandbox state show accounts 2006'.split(' '))).toMatchObject({
      balances: [{currency: 'EUR', booked: 12.5}],
    })
    expect((await home.run([...set, 'booked=0.001'])).code).toBe(6)
    expect((await home.run([...set, 'booked=much'])).code).toBe(6)
    expect((await home.run([...set, 'held=1'])).code).toBe(6)
    expect((await run('sandbox state show balance 2006-SEK')).code).toBe(5)
    expect((await run('sandbox state show balance 2006')).code).toBe(5)
  })
})
