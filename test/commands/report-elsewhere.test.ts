// What one machine left open and another one finished: no report calls it open.
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

interface Shift {
  readonly open: number
  readonly failedBatches: number
  readonly accepted: number
  readonly openJobs: readonly {left: number}[]
  readonly waiting: readonly unknown[]
}

let service: Service
let left: number
let one: Home
let other: Home
beforeEach(async () => {
  left = Number.POSITIVE_INFINITY
  service = await openService(({method}) =>
    method === 'POST' && left-- <= 0 ? reply(422, {title: 'Not now', status: 422}) : undefined,
  )
  one = await openHome()
  other = await openHome()
  for (const home of [one, other])
    await home.json([
      ...['profiles', 'add', 'live', '--kind', 'live', '--base-url', service.url],
      ...['--profile-audit-user', 'aino'],
    ])
})
afterEach(() => Promise.all([service.close(), one.remove(), other.remove()]))

const ROWS = [1, 2, 3, 4].map(n => `2006,2007,${n},EUR,${n}\n`).join('')
const send = (home: Home, count: number, total: number, ...argv: string[]) =>
  home.run(
    [
      ...['a2a', 'create', '--from', '-', '--batch-size', '1', '-p', 'live', ...argv],
      ...['--confirm-count', String(count), '--confirm-total', `EUR:${total}`],
    ],
    {stdin: `from,to,amount,currency,text\n${ROWS}`},
  )
const shift = (home: Home, ...argv: string[]) => home.json<Shift>(['report', 'shift', '-p', 'live', ...argv])
let files = 0
/** The signed report of the other machine, which the first one trusts. */
const signed = async (...argv: string[]) => {
  // Digits at random may look like a card number, which no command line may have.
  files += 1
  const file = join(other.folder, `${files}.report`)
  expect(await other.run(['report', 'shift', '-p', 'live', '--signed', file, ...argv])).toMatchObject({
    code: 0,
  })
  const [key] = await other.json<{key: string}[]>(['data', 'keys'])
  return ['--with', file, '--trust', key?.key ?? '']
}

test('a set of which another machine sent the rest, on both', async () => {
  left = 2
  expect((await send(one, 4, 10)).code).toBe(11)
  left = 1
  expect((await send(other, 2, 7, '--rest')).code).toBe(11)
  expect(await shift(one)).toMatchObject({open: 1, openJobs: [{left: 1}]})
  left = 9
  expect((await send(other, 1, 4, '--rest')).code).toBe(0)
  expect(await shift(one)).toMatchObject({open: 0, openJobs: []})
  expect(await shift(other)).toMatchObject({open: 0, openJobs: []})
  expect(await shift(one, '--local'), 'nobody was asked').toMatchObject({openJobs: [{left: 2}]})
  const joined = await shift(one, '--local', ...(await signed('--local')))
  expect(joined, 'the reports settle each other').toMatchObject({open: 0, openJobs: []})
})

test('but not by another set of as many batches', async () => {
  left = 2
  expect((await send(one, 4, 10)).code).toBe(11)
  left = 9
  expect((await send(other, 4, 10, '--again')).code).toBe(0)
  expect(await shift(one, ...(await signed()))).toMatchObject({open: 1, openJobs: [{left: 2}]})
})

test('failed transfers that another machine sent again', async () => {
  const row = ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '-p', 'live', '--confirm-count', '1']
  const move = (from: string, to: string) => [
    ...['a2a', 'create', '--transfer', `${from}:${to}:10000:EUR`, '--confirm-count', '1', '--wait'],
    ...['--confirm-total', 'EUR:10000', '-p', 'live'],
  ]
  expect((await one.run(move('2006', '2002'))).code).toBe(0)
  expect((await one.run([...row, '--confirm-total', 'EUR:1', '--wait'])).code).toBe(11)
  const [batch] = await one.json<{id: string}[]>(['a2a', 'list', '-p', 'live'])
  expect((await one.run(move('2002', '2006'))).code).toBe(0)
  expect(await shift(one)).toMatchObject({failedBatches: 1})
  const retry = ['a2a', 'create', '--retry-failed', batch?.id ?? '', '-p', 'live', '--confirm-count', '1']
  expect((await other.run([...retry, '--confirm-total', 'EUR:1', '--wait'])).code).toBe(0)
  const {stdout} = await one.run(['report', 'shift', '-p', 'live'], {columns: 300})
  expect(stdout).toMatch(/sent again: 1 transfer in batch \d+, done/)
  expect(await shift(one)).toMatchObject({failedBatches: 0})
  const files = await signed('--local')
  expect(await shift(one, '--local', ...files)).toMatchObject({failedBatches: 0})
})

test('batches that had not ended when the other machine wrote its report', async () => {
  const row = ['a2a', 'create', '--transfer', '2006:2007:1:EUR', '-p', 'live', '--confirm-count', '1']
  // A look afterwards would show its end.
  expect((await other.run([...row, '--confirm-total', 'EUR:1', '--no-service-check'])).code).toBe(0)
  const files = await signed('--local')
  expect(await shift(one, '--local', ...files)).toMatchObject({accepted: 1})
  expect((await other.run(['a2a', 'watch', 'last', '-p', 'live'])).code).toBeDefined()
  await expect.poll(() => shift(one, ...files)).toMatchObject({accepted: 0})
})
