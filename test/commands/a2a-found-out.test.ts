// Transfers of which nobody got the response: the same command, typed again, leads to what became of them.
import {setTimeout} from 'node:timers/promises'
import {afterEach, beforeEach, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {withoutDemo} from '../sandbox/helpers/without-demo.ts'

const CREATE = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent']
const DOWN = '\u001b[B'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const lost = async (drop: 'before' | 'after') => {
  const fault = ['sandbox', 'faults', 'add', '--operation', 'a2a.create.v1', '--count', '1', '--drop', drop]
  expect((await home.run(fault)).code).toBe(0)
  expect((await home.run([...CREATE, '--yes'])).code).toBe(10)
}
const batches = async () => withoutDemo(await home.json<{id: string}[]>(['a2a', 'list', '--all']))
const open = () => home.json<unknown[]>(['requests', 'list', '--state', 'unknown'])
const words = (text: string) => text.replaceAll(/\s+/g, ' ')

it('asks who has looked, and then sends what was not sent', async () => {
  await lost('before')
  const {code, stderr} = await home.run(CREATE, {
    typed: [
      ['What now?', ''],
      ['What became of it?', DOWN],
      ['What did you check?', 'Not in the list of batches'],
      ['Continue?', 'y'],
      // The next question listens in a moment.
      ['To 2007', () => setTimeout(300, 'y')],
    ],
  })
  expect(words(stderr)).toContain('send 1 transfer, EUR 12.50')
  expect(words(stderr)).toMatch(/Its newest batch is 88000 of .*, 3 transfers, EUR 42\.80\./)
  expect([code, (await batches()).length, (await open()).length]).toEqual([0, 1, 0])
})

it('finds a batch that was made, and sends none', async () => {
  await lost('after')
  const {code, stderr} = await home.run(CREATE, {typed: [['What now?', '']]})
  expect(words(stderr)).toMatch(/They were sent: Batch \d+ carries this request's reference/)
  expect(stderr).toContain('ALREADY_SENT')
  expect([code, (await batches()).length, (await open()).length]).toEqual([14, 1, 0])
})

it.each([
  [
    'who does not know',
    [
      ['What now?', ''],
      ['What became of it?', `${DOWN.repeat(3)}`],
    ],
  ],
  ['who wants to send nothing', [['What now?', DOWN]]],
] as const)('leaves it open to a person %s', async (_, typed) => {
  await lost('before')
  const {code} = await home.run(CREATE, {typed})
  expect([code, (await batches()).length, (await open()).length]).toEqual([10, 0, 1])
})

it('asks nobody with --yes or without a terminal', async () => {
  await lost('before')
  expect((await home.run([...CREATE, '--yes'], {typed: []})).code).toBe(10)
  expect((await home.run([...CREATE, '--yes'])).code).toBe(10)
})

it('requests resolve asks the same, and records the answer', async () => {
  await lost('before')
  const {code, stderr} = await home.run(['requests', 'resolve', 'last'], {
    typed: [
      ['What became of it?', `${DOWN}${DOWN}`],
      ['What did you check?', 'In the ledger'],
      ['Continue?', 'y'],
    ],
  })
  expect(code).toBe(0)
  expect(words(stderr)).toContain('had effect')
  expect(await open()).toEqual([])
})
