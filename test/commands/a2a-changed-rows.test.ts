// A row changed in the file after its batch was sent isn't a new transfer: sending it would pay twice.
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'

const HEADER = 'from,to,amount,currency,text\n'
const rows = (...lines: readonly string[]) => `${HEADER}${lines.join('\n')}\n`
const SENT = ['2006,2007,1.10,EUR,Rent', '2006,2007,13.50,EUR,Pay 3', '2006,2005,4,EUR,Power']
const CHANGED = rows(SENT[0] ?? '', '2006,2007,13.55,EUR,Pay 3', SENT[2] ?? '')
const CREATE = ['a2a', 'create', '--from', '-', '-p', 'sandbox']
const DAY = 86_400_000

let home: Home
beforeEach(async () => {
  home = await openHome()
  expect((await send(rows(...SENT))).code).toBe(0)
})
afterEach(() => home.remove())

const send = (stdin: string, flags: readonly string[] = ['--yes'], options: Partial<RunOptions> = {}) =>
  home.run([...CREATE, ...flags], {stdin, ...options})
const transferFlags = (csv: string): readonly string[] =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .flatMap(line => ['--transfer', line.replaceAll(',', ':')])
const batches = async () => (await home.json<unknown[]>(['a2a', 'list', '--all', '-p', 'sandbox'])).length
const READING = /row 2: from 2006 to 2007, EUR 13\.55, Pay 3; sent: from 2006 to 2007, EUR 13\.50/

describe('a row that was changed since', () => {
  test('is named with what was sent, and is not offered as new', async () => {
    const {code, stderr} = await send(CHANGED)
    expect([code, stderr]).toEqual([14, expect.stringMatching(READING)])
    expect(stderr).toContain('1 of these 3 transfers may have been sent already with another amount or text')
    expect(stderr).not.toContain('--only-new')
  })

  test('is not sent with --only-new, also when the texts are no longer kept', async () => {
    const before = await batches()
    for (const options of [{}, {now: () => Date.now() + 2 * DAY}]) {
      const {code, stderr} = await send(CHANGED, ['--yes', '--only-new'], options)
      expect([code, stderr]).toEqual([14, expect.stringMatching(READING)])
      expect(stderr).toContain(
        'leave row 2 out of the file; if not, send it as a file of its own with --again',
      )
    }
    expect(await batches()).toBe(before)
  })

  test('is sent as a file of its own with --again, and is known from then on', async () => {
    expect((await send(rows('2006,2007,13.55,EUR,Pay 3'), ['--yes', '--again'])).code).toBe(0)
    const {code, stderr} = await send(CHANGED, ['--yes', '--only-new'])
    expect([code, stderr]).toEqual([14, expect.stringContaining('None is left to send')])
  })
})

describe.each([
  ['recipient', '2006,2005,13.50,EUR,Pay 3'],
  ['payer', '2005,2007,13.50,EUR,Pay 3'],
])('a row of which only the %s was changed since', (_, changed) => {
  const corrected = rows(SENT[0] ?? '', changed, SENT[2] ?? '')
  const WAS =
    /1 of these 3 transfers may have been sent already with another account: row 2 .*sent: from 2006 to 2007, EUR 13\.50/

  test('is named, and is not sent with --only-new, also when the texts are no longer kept', async () => {
    const before = await batches()
    for (const options of [{}, {now: () => Date.now() + 2 * DAY}])
      for (const flags of [['--yes'], ['--yes', '--only-new']]) {
        const {code, stderr} = await send(corrected, flags, options)
        expect([code, stderr]).toEqual([14, expect.stringMatching(WAS)])
      }
    expect(await batches()).toBe(before)
  })

  test('is asked about in a terminal', async () => {
    const before = await batches()
    const typed = [['What do you want to send?', '']] as const
    const {stderr} = await home.run(['a2a', 'create', '-p', 'sandbox', ...transferFlags(corrected)], {typed})
    expect(stderr).toContain('may have been sent already with another account')
    expect(await batches()).toBe(before)
  })
})

test('a row that another one of the file accounts for is new beside it', async () => {
  const stdin = rows(...SENT, '2006,2005,13.50,EUR,Pay 3')
  expect((await send(stdin, ['--yes', '--only-new'])).code).toBe(0)
})

test.each([
  ['beside all that was sent', rows(...SENT, '2006,2007,13.55,EUR,Pay 3')],
  [
    'between other accounts, with another amount',
    rows(SENT[0] ?? '', '2006,2005,13.55,EUR,Pay 3', SENT[2] ?? ''),
  ],
  ['with another amount and text', rows(SENT[0] ?? '', '2006,2007,20,EUR,Fee', SENT[2] ?? '')],
])('a new row %s is sent with --only-new', async (_, stdin) => {
  const {code, stderr} = await send(stdin, ['--yes', '--only-new'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('They are left out')])
})

test('a file that shares no row with the batch is sent as it is', async () => {
  expect((await send(rows('2006,2007,13.55,EUR,Pay 3'))).code).toBe(0)
})
