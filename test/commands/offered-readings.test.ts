// Only readings of a number that are accepted are named and offered: no hint leads to another refusal.
import {writeFile} from 'node:fs/promises'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

async function fileWith(amount: string, currency = 'EUR'): Promise<string> {
  const from = `${home.folder}/amounts.csv`
  await writeFile(from, `from;to;amount;currency\n2006;2007;${amount};${currency}\n`)
  return from
}

const NUMBERS = ['1,000', '1.000', '1.250', '6,125', '12.345,678.9', '20,00 CR', 'DR 20,00', '1,2,3']

it.each(NUMBERS.flatMap(number => ['EUR', 'KWD', 'JPY'].map(currency => [number, currency] as const)))(
  'each sign that the refusal of %s %s in a file names reads it',
  async (number, currency) => {
    const from = await fileWith(number, currency)
    const {stderr} = await home.run(['a2a', 'create', '--from', from, '--yes'])
    for (const [, sign = ''] of stderr.matchAll(/--decimal (\w+)/g)) {
      const result = await home.run(['a2a', 'create', '--from', from, '--decimal', sign, '--dry-run'])
      expect(result.code, result.stderr).toBe(0)
    }
  },
)

it.each(['1,000', '1.250', '6,125'])(
  'each way that the refusal of --transfer %s names is taken',
  async typed => {
    const create = (number: string, ...flags: string[]) =>
      home.run(['a2a', 'create', '--transfer', `2006:2007:${number}:EUR`, ...flags, '--dry-run'])
    const {stderr} = await create(typed)
    const ways = [...stderr.matchAll(/write (\d[\d.]*\d|\d)|--decimal (\w+)/g)]
    expect(ways.length).toBeGreaterThan(0)
    for (const [, number, sign] of ways) {
      const result = await (sign === undefined ? create(number ?? '') : create(typed, '--decimal', sign))
      expect(result.code, result.stderr).toBe(0)
    }
  },
)

it('what is beside a number is named', async () => {
  const from = await fileWith('20,00 CR')
  const {stderr} = await home.run(['a2a', 'create', '--from', from, '--yes'])
  expect(stderr).toContain('The number has CR beside it, which is no currency')
})

it('a person chooses among signs that read the numbers', async () => {
  const from = await fileWith('1,000')
  const {code, stderr} = await home.run(['a2a', 'create', '--from', from, '-p', 'sandbox'], {
    columns: 200,
    questionsAt: {columns: 200, rows: 30},
    typed: [
      ['How are decimals written in', ''],
      ['Continue?', 'y'],
    ],
  })
  expect(stderr).toContain('send 1 transfer: EUR 1\u202f000.00')
  expect(code).toBe(0)
})
