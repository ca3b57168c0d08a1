// Rows of one set that are the same transfer, and transfers from an account to itself.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {sameRows} from '../../src/commands/a2a/shared/same-rows.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const HEADER = 'from,to,amount,currency,text\n'
const TWICE = `${HEADER}2006,2007,55.00,EUR,Rent Nov\n2006,2007,7,EUR,\n2006,2007,55,EUR,Rent Nov\n`

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const send = (stdin: string, ...flags: string[]) =>
  home.run(['a2a', 'create', '--from', '-', '--yes', ...flags], {stdin})
const counts = async () =>
  withoutDemo(await home.json<{id: string; transferItemCount: number}[]>(['a2a', 'list', '--all'])).map(
    ({transferItemCount}) => transferItemCount,
  )

describe('rows that are the same', () => {
  test('need their number where nobody is asked, and --yes does not cover it', async () => {
    for (const flags of [[], ['--confirm-count', '3', '--confirm-total', 'EUR:117']]) {
      const {code, stderr} = await send(TWICE, ...flags)
      expect(code).toBe(2)
      expect(stderr).toContain('Rows 1 and 3 are the same: from 2006 to 2007, EUR 55.00, Rent Nov')
      expect(stderr).toContain('--same-rows 1')
    }
    for (const wrong of ['0', '2']) {
      const {code, stderr} = await send(TWICE, '--same-rows', wrong)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`not ${wrong} as --same-rows says`)])
    }
    expect(await counts()).toEqual([])
    expect((await send(TWICE, '--same-rows', '1')).code).toBe(0)
    expect(await counts()).toEqual([3])
  })

  test('are none if accounts, amount, currency or text differ, and then none may be expected', async () => {
    const rows = ['2006,2007,1,EUR,a', '2006,2007,1,EUR,b', '2006,2007,1.01,EUR,a', '2006,2008,1,EUR,a']
    const file = `${HEADER}${rows.join('\n')}\n`
    expect((await send(file, '--same-rows', '1')).stderr).toContain('0 rows repeat an earlier one, not 1')
    expect((await send(file)).code).toBe(0)
  })

  test('are found in every form, and across them', async () => {
    const one = ['--transfer', '2006:2007:55:EUR:Rent']
    const transfer = {fromAccountId: '2006', toAccountId: '2007', amount: 55, currency: 'EUR', text: 'Rent '}
    const forms = [
      [...one, ...one],
      ['--data', JSON.stringify({transfers: [transfer, {...transfer, text: 'Rent'}]})],
    ]
    for (const argv of forms) {
      const {code, stderr} = await home.run(['a2a', 'create', '--yes', ...argv, '-o', 'json'])
      expect(code).toBe(2)
      expect(JSON.parse(stderr).error.data).toEqual({sameRows: [[1, 2]], repeats: 1})
    }
    const both = await send(`${HEADER}2006,2007,55.00,EUR,Rent\n`, ...one)
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--same-rows 1')])
    expect(await counts()).toEqual([])
  })

  test('of a split are counted over all its batches, also for --rest', async () => {
    const fault = 'sandbox faults add --operation a2a.create.v1 --count 1 --status 422'.split(' ')
    await home.run([...fault, '-F', 'match={"/transfers/0/amount":7}'])
    const split = ['--batch-size', '1', '--same-rows', '1']
    expect((await send(TWICE, ...split)).code).toBe(11)
    expect((await send(TWICE, ...split, '--rest')).code).toBe(0)
    expect(await counts()).toEqual([1, 1, 1])
  })

  test('are named in the question', async () => {
    const argv = ['a2a', 'create', ...['1', '2'].flatMap(() => ['--transfer', '2006:2007:55:EUR'])]
    const no = await home.run(argv, {typed: [['Continue?', 'n']]})
    expect(no.stderr).toContain('Rows 1 and 2 are the same: from 2006 to 2007, EUR 55.00')
    expect((await home.run(argv, {typed: [['Continue?', 'y']]})).code).toBe(0)
    expect(await counts()).toEqual([2])
    const unasked = await home.run([...argv, '--yes', '--again'], {typed: []})
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--same-rows 1')])
  })

  test('are named by --dry-run', async () => {
    const {code, stderr} = await send(TWICE, '--dry-run')
    expect([code, stderr]).toEqual([0, expect.stringContaining('Rows 1 and 3 are the same')])
    expect(stderr).toContain('--same-rows 1')
  })

  test('are not all listed if there are many', async () => {
    const rows = (amount: number, times: number) => `2006,2007,${amount},EUR,\n`.repeat(times)
    const {stderr} = await send(HEADER + rows(1, 30) + [2, 3, 4, 5, 6, 7].map(n => rows(n, 2)).join(''))
    expect(stderr).toContain('Rows 1, 2, 3, 4, 5 and 25 more are the same')
    expect(stderr).toContain('2 more rows repeat an earlier one')
    expect(stderr).toContain('--same-rows 35')
  })

  test('of amounts that are written in any way', () => {
    const row = {fromAccountId: '1', toAccountId: '2', currency: 'EUR'}
    const rows = (...amounts: unknown[]) =>
      sameRows(amounts.map(amount => ({...row, amount: amount as number})))
    expect(rows(55, '55.00', '055', '55.')).toMatchObject([{rows: [1, 2, 3, 4]}])
    expect(rows(0.5, '.5', '0.50', 1e21, '1000000000000000000000')).toMatchObject([
      {rows: [1, 3]},
      {rows: [4, 5]},
    ])
    expect(rows(55, '5.5', '550', '-55', 'x')).toEqual([])
  })
})

describe('a transfer from an account to itself', () => {
  test('is refused, with all others', async () => {
    const file = `${HEADER}2006,2006,1,EUR,\n2006,2007,2,EUR,\n2007,2007,0,EUR,\n`
    const {code, stderr} = await send(file, '-o', 'json')
    expect(code).toBe(2)
    const {problems} = JSON.parse(stderr).error.data
    expect(problems.map(({row, column}: {row: number; column: string}) => [row, column])).toEqual([
      [1, 'toAccountId'],
      [3, 'toAccountId'],
      [3, 'amount'],
    ])
    const flags = ['2006:2006:1:EUR', '2006:2007:1:EUR', '2007:02007:1:EUR']
    const typed = await home.run(['a2a', 'create', '--yes', ...flags.flatMap(one => ['--transfer', one])])
    expect(typed.code).toBe(2)
    expect(typed.stderr).toContain('--transfer 1 of 3, to: is the account that the transfer comes from')
    expect(typed.stderr).toContain('--transfer 3 of 3, to:')
    expect(await counts()).toEqual([])
  })

  test('is refused by every other way too, before the first batch', async () => {
    const row = {fromAccountId: '2006', toAccountId: '2007', amount: 1, currency: 'EUR'}
    const body = JSON.stringify({transfers: [row, {...row, toAccountId: '02006'}]})
    for (const argv of [
      ['a2a', 'create', '--data', body, '--batch-size', '1'],
      ['a2a', 'create', '--data', body, '--dry-run'],
      ['api', 'POST', '/v1/a2a/batches', '--data', body],
    ]) {
      const {code, stderr} = await home.run([...argv, '--yes'])
      expect(code).toBe(2)
      expect(stderr).toContain('is the account that the transfer comes from (row 2)')
    }
    expect(await counts()).toEqual([])
  })

  test('is refused with --no-check-input too, which only lets ids that are no numbers pass', async () => {
    const own = ['a2a', 'create', '--transfer', 'ACC-1:ACC-1:1:EUR', '--dry-run', '--no-check-input']
    expect((await home.run(own)).code).toBe(2)
    const transfers = ['--transfer', 'ACC-1:ACC-2:1:EUR']
    const sent = await home.run(['a2a', 'create', ...transfers, '--dry-run', '--no-check-input'])
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining('ACC-1')])
    expect((await send(`${HEADER}ACC-1,ACC-2,1,EUR,\n`, '--dry-run', '--no-check-input')).code).toBe(0)
    expect((await send(`${HEADER}ACC-1,ACC-2,1,EUR,\n`, '--dry-run')).code).toBe(2)
  })
})
