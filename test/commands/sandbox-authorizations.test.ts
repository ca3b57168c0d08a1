import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const run = (line: string) => home.run(line.split(' '))
const json = <T = Record<string, unknown>>(line: string) => home.json<T>(line.split(' '))

const authorise = 'sandbox authorize --card 3001 --amount 12.50 --currency'
const shown = () => json('sandbox authorizations show a_1')
const untouched = {clearedAmount: null, clearings: [], reversals: [], holdStatus: 'HELD'}

describe('refuses what a command does not take, and does nothing', () => {
  it.each([
    ['clear a_1 --currency EUR', /--currency is for a clearing without an authorisation; a_1 has its own/],
    ['clear a_1 --card 3001', /--card is for a clearing without an authorisation; a_1 has its own/],
    ['clear a_1 --amount abc', /--amount is not a plain number/],
    ['clear a_1 --amount 1e1', /--amount is not a plain number/],
    ['clear --card 3001 --amount 5 --currency EUR --not-final', /--not-final keeps the rest of a hold/],
    ['clear', /A clearing without an authorisation needs --card and --amount and --currency/],
    ['clear --amount 5', /needs --card and --currency\.\n.*pass its id/],
    ['reverse a_1 --down-to abc', /--down-to is not a plain number/],
  ])('%s', async (line, message) => {
    await json(`${authorise} EUR`)
    const {code, stdout, stderr} = await run(`sandbox authorizations ${line}`)
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toContain('Error USAGE')
    expect(stderr).toMatch(message)
    expect(await shown()).toMatchObject(untouched)
    expect(await json('sandbox state show balance 2001-EUR')).toMatchObject({booked: 0, held: 12.5})
  })
})

it('takes a clearing without an authorisation from a body too', async () => {
  const body = '{"cardId":"3001","amount":5}'
  const argv = ['sandbox', 'authorizations', 'clear', '--data', body, '-F', 'currency=EUR']
  expect(await home.json(argv)).toMatchObject({status: 'POSTED', cardId: '3001'})
})

it.each([
  ['atmm', 'Unknown scenario. Did you mean atm?'],
  ['nothing', 'Unknown scenario.\n  See cardctl webhook scenarios'],
])('names the scenario that was probably meant by %s', async (scenario, message) => {
  const {code, stderr} = await run(`${authorise} EUR --scenario ${scenario}`)
  expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(message)})
})

it('reverses down to an amount in the currency of the purchase', async () => {
  await json(`${authorise} SEK`)
  const {hold} = await json<{hold: {amount: number}}>('sandbox authorizations reverse a_1 --down-to 6.25')
  expect(hold).toMatchObject({currency: 'EUR'})
  expect(hold.amount).toBeLessThan(1)
  expect((await run('sandbox authorizations reverse --help')).stdout.replace(/\s+/g, ' ')).toContain(
    'Amount to keep held, in the currency of the purchase',
  )
})

describe('a clearing that is refused is shown, and ends with 6', () => {
  it.each([['a_1'], ['--card 3001 --amount 5 --currency EUR']])('%s', async what => {
    await json(`${authorise} EUR`)
    await json('sandbox state set card 3001 -F status=CARD_EXPIRED')
    const {code, stdout, stderr} = await run(`sandbox authorizations clear ${what} -o json`)
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({status: 'REFUSED', reason: 'the card has expired'})
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'REFUSED',
        message: 'The clearing was refused: the card has expired.',
        effect: 'none',
      },
    })
    expect(await json('sandbox state show balance 2001-EUR')).toMatchObject({booked: 0, held: 12.5})
  })
})

describe('the list', () => {
  it('has those of one card with --card', async () => {
    await json(`${authorise} EUR`)
    await json('sandbox authorize --card 3101 --amount 5 --currency EUR')
    const cardIds = (await json<{cardId: string}[]>('sandbox authorizations list --card 3101')).map(
      ({cardId}) => cardId,
    )
    expect(cardIds).toEqual(['3101'])
    expect(await json<unknown[]>('sandbox authorizations list --card 3102')).toEqual([])
  })

  const listed = async (columns: number) => {
    const {stdout} = await home.run(['sandbox', 'authorizations', 'list'], {columns})
    return stdout.trimEnd().split('\n')
  }

  it('has a line for each authorisation in 80 columns, with what matters', async () => {
    await json(`${authorise} EUR`)
    await json('sandbox authorize --card 3001 --amount 250.25 --currency EUR --scenario hotel')
    await run('sandbox authorize --card 3002 --amount 90 --currency EUR')
    const [head, , ...all] = await listed(80)
    const rows = all.slice(0, 3)
    expect(head).toMatch(/^ Id +When \(UTC\) +Merchant +Amount +Decision +Took$/)
    // The last one is of the demo data.
    expect(all[3]).toMatch(/^ a_0 /)
    expect(all).toHaveLength(4)
    const date = /\d{4}-\d\d-\d\d \d\d:\d\d/.source
    expect(rows[0]).toMatch(
      new RegExp(`^ a_3 +${date} +Kahvila Aino +EUR 90\\.00 +declined 62 by service +\\d+ ms$`),
    )
    expect(rows[1]).toMatch(
      new RegExp(`^ a_2 +${date} +Hotel Oslo +EUR 250\\.25 +approved by service +\\d+ ms$`),
    )
    for (const row of [head ?? '', ...rows]) expect(row.length).toBeLessThanOrEqual(80)
  })

  it('stays a table for the longest words', async () => {
    const merchant = 'merchant.name=A_merchant_with_a_very_long_name_indeed'
    await run(`sandbox authorize --card 3001 --amount 99999.99 --currency EUR -F ${merchant}`)
    const [head, , ...all] = await listed(80)
    const rows = all.slice(0, 3)
    expect(head).toMatch(/^ Id +When \(UTC\) +Merchant +Amount +Decision +Took$/)
    expect(rows.join()).toContain('declined 61')
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  })
})

describe('for a person', () => {
  it('a clearing is one line, with its own currency and what is left in that of the account', async () => {
    await json(`${authorise} SEK`)
    const {stdout} = await run('sandbox authorizations clear a_1 --amount 10')
    expect(stdout).toMatch(
      /^POSTED SEK 10\.00 as EUR 0\.\d\d · Kahvila Aino · available EUR 4\u202f999\.\d\d · clearing c_1 of a_1\n$/,
    )
    const alone = await run('sandbox authorizations clear --card 3001 --amount 5 --currency EUR')
    expect(alone.stdout).toMatch(/^POSTED EUR 5\.00 · available EUR 4\u202f994\.\d\d · clearing c_2\n$/)
    const refused = await run('sandbox authorizations clear --card 3006 --amount 5 --currency EUR')
    expect(refused.stdout).toMatch(
      /^REFUSED EUR 5\.00 · the card has expired · available .* · clearing c_3\n$/,
    )
  })

  it('an authorisation has all that came after it', async () => {
    await json(`${authorise} EUR`)
    await json('sandbox authorizations clear a_1 --amount 5 --not-final')
    const reversed = await run('sandbox authorizations reverse a_1 --down-to 3')
    const {stdout} = await run('sandbox authorizations show a_1')
    expect(reversed.stdout).toBe(stdout)
    expect(stdout).not.toMatch(/availableAmount|\w\.amount/)
    for (const line of [
      /Authorisation a_1 +APPROVED/,
      /Merchant +Kahvila Aino/,
      /Amount +EUR 12\.50/,
      /Card +3001, account 2001/,
      /Decision +approved by service/,
      /Took +[\d.]+ ms/,
      /Hold +EUR 3\.00 HELD · until /,
      /Cleared +EUR 5\.00/,
      /Available after +EUR 4\u202f987\.50/,
      /Reversals +EUR 4\.50 · /,
      /Clearings +EUR 5\.00 POSTED · .* · c_1/,
    ]) {
      expect(stdout).toMatch(line)
    }
  })

  it('its times are those of the sandbox clock, and nothing is said by another', async () => {
    await json('sandbox clock advance 12d')
    await json(`${authorise} EUR`)
    const {stdout} = await run('sandbox authorizations show a_1')
    expect(stdout).toMatch(/When +\d{4}-\d\d-\d\d \d\d:\d\d UTC *\n/)
    expect(stdout).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d UTC *\n/)
  })
})
