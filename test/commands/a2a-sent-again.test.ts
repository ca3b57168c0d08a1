// Failed transfers that were sent again are no longer open: the report and the history say where they are.
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

interface Again {
  readonly batch: string
  readonly transfers: number
  readonly ended: string
}

let service: Service
let one: Home
let other: Home
beforeEach(async () => {
  service = await openService()
  one = await openHome()
  other = await openHome()
  for (const home of [one, other])
    await home.json([
      ...['profiles', 'add', 'live', '--kind', 'live', '--base-url', service.url],
      ...['--profile-audit-user', 'aino'],
    ])
})
afterEach(async () => {
  await Promise.all([service.close(), one.remove(), other.remove()])
})

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')
const on = (home: Home, argv: readonly string[], more = {}) => home.run([...argv, '-p', 'live'], more)
const agreed = (count: number, total: number) => [
  ...['--confirm-count', String(count), '--confirm-total', `EUR:${total}`, '--wait'],
]
const move = (home: Home, amount: number, from: string, to: string) =>
  on(home, ['a2a', 'create', '--transfer', `${from}:${to}:${amount}:EUR`, ...agreed(1, amount), '--again'])
const newest = async () => {
  const [batch] = await one.json<{id: string}[]>(['a2a', 'list', '-p', 'live'])
  return batch?.id ?? ''
}
/** Three transfers of which two fail for want of money, which is there again then. */
const fail = async (): Promise<string> => {
  await move(one, 9_999, '2006', '2002')
  const rows = ['2006:2007:1:EUR:a', '2006:2007:55:EUR:b', '2006:2007:7:EUR:c'].flatMap(row => [
    '--transfer',
    row,
  ])
  expect((await on(one, ['a2a', 'create', ...rows, ...agreed(3, 63)])).code).toBe(11)
  const batch = await newest()
  await move(one, 9_999, '2002', '2006')
  return batch
}
const shift = () =>
  one.json<{failedBatches: number; entries: {replyId?: string; sentAgain?: Again[]}[]}>([
    ...['report', 'shift', '-p', 'live'],
  ])
const report = (home: Home, batch: string) =>
  home.json<{sentAgain: Again[]}>(['report', 'batch', batch, '-p', 'live'])

const shown = async (batch: string, home = one) => {
  const {stdout, stderr} = await on(home, ['report', 'batch', batch], {columns: 100})
  return flat(stdout + stderr)
}

describe('failed transfers', () => {
  test.each([
    ['by --retry-failed', (batch: string) => ['--retry-failed', batch]],
    ['from a file of failed rows', () => ['--from', join(one.folder, 'failed.csv')]],
  ])('that were sent again %s are done', async (_, how) => {
    const batch = await fail()
    expect((await shift()).failedBatches).toBe(1)
    expect(await shown(batch)).toContain('--failed-to')
    await on(one, ['a2a', 'get', batch, '--failed-to', join(one.folder, 'failed.csv')])
    expect((await on(one, ['a2a', 'create', ...how(batch), ...agreed(2, 62)])).code).toBe(0)
    const sentAgain = [{batch: await newest(), transfers: 2, ended: 'done'}]
    const after = await shift()
    expect(after).toMatchObject({failedBatches: 0})
    expect(after.entries.find(({replyId}) => replyId === batch)).toMatchObject({sentAgain})
    expect(await report(one, batch)).toMatchObject({sentAgain})
    expect(await shown(batch)).toContain(`sent again 2 transfers in batch ${await newest()}, done`)
    expect(await shown(batch)).not.toContain('Next')
    const history = flat((await on(one, ['history', 'account', '2006'], {columns: 100})).stdout)
    expect(history).toContain('2 of 3 failed, sent again')
    expect(history).toContain(`Sent again 2 transfers in batch ${await newest()}, done`)
  })

  test.each([
    ['this machine', () => one],
    ['another machine', () => other],
  ])('that %s corrected in a file of them are done on every page', async (_, who) => {
    const batch = await fail()
    const file = join(who().folder, 'failed.csv')
    await on(who(), ['a2a', 'get', batch, '--failed-to', file])
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(',2007,', ',2002,'))
    expect((await on(who(), ['a2a', 'create', '--from', file, ...agreed(2, 62)])).code).toBe(0)
    const again = await newest()
    const sentAgain = [{batch: again, transfers: 2, ended: 'done'}]
    for (const home of [one, other]) {
      expect(await report(home, batch)).toMatchObject({sentAgain})
      expect(await shown(batch, home)).not.toContain('Next')
      expect(await shown(again, home)).toContain(`Replaces 2 failed transfers of batch ${batch}`)
    }
    const after = await shift()
    expect(after).toMatchObject({failedBatches: 0})
    expect(after.entries.find(({replyId}) => replyId === batch)).toMatchObject({sentAgain})
    const history = flat((await on(one, ['history', 'batch', batch], {columns: 100})).stdout)
    expect(history.includes('2 of 3 failed, sent again')).toBe(who() === one)
  })

  test('of which one was sent again are open', async () => {
    const batch = await fail()
    const one55 = ['--transfer', '2006:2007:55:EUR:b', ...agreed(1, 55)]
    expect((await on(one, ['a2a', 'create', ...one55])).code).toBe(0)
    const sentAgain = [{batch: await newest(), transfers: 1, ended: 'done'}]
    const after = await shift()
    expect(after).toMatchObject({failedBatches: 1})
    expect(await report(one, batch)).toMatchObject({sentAgain})
    expect(await shown(batch)).toContain('--failed-to')
    expect((await on(one, ['history', 'account', '2006'], {columns: 100})).stdout).not.toContain(
      'failed, sent again',
    )
  })

  test('that another machine sent again are in the report of the batch', async () => {
    const batch = await fail()
    expect((await on(other, ['a2a', 'create', '--retry-failed', batch, ...agreed(2, 62)])).code).toBe(0)
    const sentAgain = [{batch: await newest(), transfers: 2, ended: 'done'}]
    for (const home of [one, other]) expect(await report(home, batch)).toMatchObject({sentAgain})
  })
})
