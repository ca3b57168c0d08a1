import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {beforeEach, expect, test} from 'vitest'
import {openRecorder} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {exchangeOf, NOON} from '../webhook/recordings.ts'

let home: Home
const now = () => NOON + 3_600_000
const recordingOf = ({folder}: Home) => join(folder, '.local/share/cardctl/webhook/events.db')

/** A home whose recording holds three calls, as a server that still runs writes them. */
beforeEach(async () => {
  home = await openHome()
  const recorder = openRecorder({
    file: recordingOf(home),
    durability: 'process',
    keepMs: 1e9,
    now,
    onTrouble: trouble => expect(trouble).toBeUndefined(),
  })
  const declined = {
    outcome: 'declined',
    code: '51',
    by: 'rules',
    merchant: 'Hotel Oslo',
    amount: 2300,
    currency: 'NOK',
  }
  await recorder.record(exchangeOf(1))
  await recorder.record({
    ...exchangeOf(2, declined as object, 60_000),
    steps: [{by: 'rules', said: 'rule 2: hotels'}],
  })
  await recorder.record(
    exchangeOf(3, {type: 'rejected', status: 502, reason: 'no usable decision'} as object, 120_000),
  )
  return async () => {
    await recorder.close()
    await home.remove()
  }
})

const ids = async (...flags: string[]) => {
  const events = await home.json<{event: string}[]>(['webhook', 'events', 'list', ...flags], {now})
  return events.map(({event}) => Number(event.slice(2)))
}

test('calls are listed while a server writes, newest first', async () => {
  expect(await ids()).toEqual([3, 2, 1])
  expect(await ids('--limit', '2')).toEqual([3, 2])
  expect(await ids('--since', '59m')).toEqual([3, 2])
  expect(await ids('--since', new Date(NOON + 60_000).toISOString(), '--until', '58m')).toEqual([2])
  expect(await ids('--failed')).toEqual([3])
  expect(await ids('--outcome', 'approved', '--outcome', 'declined')).toEqual([2, 1])
  expect(await ids('--type', 'rejected')).toEqual([3])
  expect(await ids('--search', 'AINO')).toEqual([3, 1])
  expect(await ids('--search', 'kahvila 5814')).toEqual([3, 1])
  expect(await ids('--search', 'call-3')).toEqual([3])
  expect(await ids('--search', 'call')).toEqual([])
  const {stdout} = await home.run(['webhook', 'events', 'list', '--until', '58m'], {now})
  expect(stdout).toMatch(/Hotel Oslo +NOK 2\u202f300.00 +declined 51 +rules +3 ms/)
  expect((await home.run(['webhook', 'events', 'list', '--since', 'noon'])).code).toBe(2)
})

test.each([
  ['list', '--since 1h --until 2h'],
  ['export', '--since 2026-06-15 --until 2026-06-14'],
  ['list', '--since 1h --until 1h'],
])('%s %s is refused: no call can be meant', async (command, flags) => {
  const {code, stdout, stderr} = await home.run(['webhook', 'events', command, ...flags.split(' ')], {now})
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr).toContain('--until is not after --since')
})

test('one call is shown whole', async () => {
  const {stdout} = await home.run(['webhook', 'events', 'show', 'e_000002'], {now})
  expect(stdout).toMatch(/declined 51\n.*rules: rule 2: hotels\n.*3 ms of 2\u202f000 ms\n.*POST \/auth\n \{/s)
  const {event, ...exchange} = exchangeOf(1)
  expect(await home.json(['webhook', 'events', 'show', 'e_000001'])).toEqual({
    ...exchange,
    event: {...event, at: new Date(event.at).toISOString()},
  })
  const [listed] = await home.json<{at: string}[]>(['webhook', 'events', 'list', '--limit', '1'])
  expect(new Date(listed?.at ?? '').toISOString()).toBe(listed?.at)
  expect((await home.run(['webhook', 'events', 'show', 'e_9'])).code).toBe(5)
})

test('calls are exported whole, whatever the format', async () => {
  const exported = async (...flags: string[]) =>
    (await home.run(['webhook', 'events', 'export', ...flags], {now})).stdout
  expect(await exported('--type', 'auth', '--search', 'call-1')).toBe(
    `${JSON.stringify({...exchangeOf(1), event: {...exchangeOf(1).event, at: new Date(exchangeOf(1).event.at).toISOString()}})}\n`,
  )
  expect((await exported('-o', 'json')).split('\n')).toHaveLength(4)
})

test('old calls are removed after a yes', async () => {
  const prune = ['webhook', 'events', 'prune', '--older-than', '59m']
  expect((await home.run(prune, {now})).code).toBe(2)
  expect(await ids()).toEqual([3, 2, 1])
  expect(await home.json([...prune, '--yes'], {now})).toMatchObject({removed: 1, kept: [{count: 2}]})
  expect(await ids()).toEqual([3, 2])
})

test('a recording of that name must be there to be read', async () => {
  const file = join(home.folder, 'other.db')
  expect((await home.run(['webhook', 'events', 'list', '--recording', file])).code).toBe(2)
  expect(existsSync(file)).toBe(false)
  expect(await ids('--recording', recordingOf(home))).toEqual([3, 2, 1])
})
