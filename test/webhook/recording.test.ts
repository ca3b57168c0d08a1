import {readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {AuthCall} from '../../src/contract/auth-call.ts'
import {scenarios} from '../../src/contract/scenarios.ts'
import {callNumber} from '../../src/webhook/call-fingerprint.ts'
import {DecisionFault} from '../../src/webhook/decide.ts'
import type {Found} from '../../src/webhook/earlier-decisions.ts'
import {
  type AuthEvent,
  approveAll,
  type Decider,
  declineAll,
  type Exchange,
  openRecording,
  type Recorder,
} from '../../src/webhook/index.ts'
import {runs} from '../helpers/whole.ts'
import {callOf} from './calls.ts'
import {listener} from './listener.ts'
import {exchangeOf, NOON, recordingRoom} from './recordings.ts'

test.each(['process', 'power'] as const)('%s: what was answered can be read by others', async durability => {
  const room = recordingRoom()
  const {post} = await listener({recorder: room.recorder({durability})})
  for (let count = 1; count <= 3; count++) {
    await Promise.all(Array.from({length: 5}, (_, at) => post('/auth', callOf('chip', `${count}-${at}`))))
    expect(room.recorded()).toHaveLength(5 * count)
  }
  await post('/auth', '{"no')
  expect(room.recorded()[0]).toMatchObject({
    event: {type: 'rejected', status: 400},
    request: {method: 'POST', path: '/auth', body: '{"no'},
    reply: {status: 400},
  })
  expect(statSync(room.file).mode & 0o777).toBe(0o600)
})

test('the recording has what was reported, for any call and outcome', async () => {
  const room = recordingRoom()
  const decider: Decider = {
    decide: request => {
      if (request.summary.id === 'fault') throw new DecisionFault('nobody is here')
      return request.summary.id === 'late' ? new Promise(() => {}) : approveAll.decide(request)
    },
  }
  const {post, exchanges} = await listener({recorder: room.recorder(), decider, deadlineMs: 300})
  for (const name of Object.keys(scenarios)) await post('/auth', callOf(name, name))
  for (const id of ['fault', 'late', 'fault']) await post('/auth', callOf('chip', id))
  await post('/auth', {...callOf('chip', 'new'), channel: 'MOON', merchantData: {id: '4111111111111111'}})
  await post('/auth', {...callOf('chip', 'no amount'), transactionData: {transactionType: 'RETAIL'}})
  await post('/auth', {metadata: {id: 'broken'}})
  await post('/auth', 'no JSON')
  await post('/warm-up', {type: 'WARM_UP', timestamp: new Date(NOON).toISOString()})
  expect(new Set(exchanges.map(({event}) => event.type)).size).toBe(4)
  const told = JSON.parse(JSON.stringify(exchanges)) as Exchange[]
  expect(room.recorded()).toEqual(told.reverse())
})

test('a call that is undecided when the server ends is late, recorded and reported', async () => {
  const room = recordingRoom()
  const asked = Promise.withResolvers<void>()
  const decider: Decider = {
    decide: () => {
      asked.resolve()
      return new Promise(() => {})
    },
  }
  const {post, events, close} = await listener({recorder: room.recorder(), decider})
  const answer = post('/auth', callOf('chip', 'a'))
  await asked.promise
  await close()
  expect(await answer).toMatchObject({status: 503})
  expect(events).toEqual([expect.not.objectContaining({callerGone: true})])
  expect(room.recorded()).toMatchObject([{event: {type: 'late', id: 'a'}}])
})

test('relaxed: the answer is sent first, and the record is there when the server has closed', async () => {
  const room = recordingRoom()
  const recorder = room.recorder({durability: 'relaxed'})
  await recorder.record(exchangeOf(1))
  expect(room.recorded()).toEqual([])
  await recorder.close()
  expect(room.recorded()).toEqual([exchangeOf(1)])
})

test('card numbers are recorded nowhere', async () => {
  const room = recordingRoom()
  const decider: Decider = {
    decide: ({note, summary: {id}}) => {
      note({by: 'rules', said: 'card 4111111111111111'})
      const transactionData = {authResponseCode: {code: '00'}, note: 'for 4111111111111111'}
      const answer =
        id === 'a'
          ? ({kind: 'raw', status: 200, body: 'for 4111111111111111'} as const)
          : ({kind: 'reply', reply: {transactionData}} as const)
      return {answer, by: 'rules'}
    },
  }
  const recorder = room.recorder()
  const {post} = await listener({recorder, decider})
  const call = callOf('chip', 'a', {cardEntryMode: '4111111111111111'})
  call.merchantData.name = 'Shop 4111 1111 1111 1111'
  await fetchText(post('/auth', {...call, pan: '4111111111111111'}))
  await post('/auth', callOf('chip', 'b'))
  await post('/auth', 'my card is 4111111111111111')
  await post('/auth', '{"number":"\\u0034111111111111111","cvv2":"987","password":"sesame-open"')
  await post('/auth', 'user=shop&password=open-sesame')
  await post('/auth/4111111111111111', {})
  await recorder.close()
  const bytes = readFileSync(room.file, 'latin1')
  expect(bytes).toContain('e_1')
  expect(bytes).not.toMatch(/4111 ?1111 ?1111|"987|sesame-open|open-sesame/)
})

/** A broken answer is no JSON. */
const fetchText = (answer: Promise<unknown>) => answer.catch(() => undefined)

/** What is recorded of the call that `exchangeOf` makes under that id. */
const answerTo = (recorder: Recorder, id: string) =>
  recorder.earlier?.(id, exchangeOf(1, {id}).request.body as AuthCall).decision as Found | undefined

test('the same id gets the same answer from the next server too', async () => {
  const room = recordingRoom()
  const first = await listener({recorder: room.recorder(), decider: declineAll('51')})
  const answer = await first.post('/auth', callOf('chip', 'a'))
  const next = await listener({recorder: room.recorder(), decider: approveAll})
  expect((await next.post('/auth', callOf('chip', 'a'))).body).toEqual(answer.body)
  expect((await next.post('/auth', callOf('chip', 'b'))).body).not.toEqual(answer.body)
  expect(next.events).toMatchObject([
    {id: 'a', code: '51', by: 'decline', repeated: true},
    {id: 'b', code: '00', by: 'approve', repeated: false},
  ])
})

test('another call under a recorded id is decided again, and keeps its own answer from then on', async () => {
  const room = recordingRoom()
  const coffee = callOf('chip', 'a')
  const casino = callOf('chip', 'a', {transactionAmount: {amount: 200, currency: 'EUR'}})
  const before = await listener({recorder: room.recorder()})
  await before.post('/auth', coffee)
  await before.close()
  const next = await listener({recorder: room.recorder(), decider: declineAll('57')})
  await next.post('/auth', casino)
  await next.post('/auth', coffee)
  expect(next.events).toMatchObject([
    {code: '57', repeated: false, reusedId: 'e_1'},
    {code: '00', repeated: true},
  ])
  await next.close()
  const last = await listener({recorder: room.recorder()})
  await last.post('/auth', casino)
  expect(last.events).toMatchObject([{code: '57', repeated: true}])
  expect(room.recorded().map(({event}) => (event as AuthEvent).reusedId)).toEqual([
    undefined,
    undefined,
    'e_1',
    undefined,
  ])
})

test('by a clock that cannot be believed no call is too old', async () => {
  const room = recordingRoom()
  const first = room.recorder()
  await first.record(exchangeOf(1))
  await first.close()
  const newest: (number | undefined)[] = []
  const later = room.recorder({
    keepMs: 1000,
    now: () => NOON + 1e12,
    earliest: last => {
      newest.push(last())
      return NOON
    },
  })
  await expect.poll(() => newest).toEqual([NOON + 1])
  await later.close()
  expect(room.recorded()).toEqual([exchangeOf(1)])
})

test('servers that write to one file know what the others have answered', async () => {
  const room = recordingRoom()
  const [one, other] = [room.recorder(), room.recorder()]
  expect(answerTo(other, 'call-1')).toBeUndefined()
  await one.record(exchangeOf(1))
  await expect.poll(() => answerTo(other, 'call-1')).toBeDefined()
  using recording = openRecording(room.file)
  expect(await recording.prune(NOON + 1000)).toBe(1)
  expect(await recording.prune(NOON + 2000)).toBe(0)
  await one.record(exchangeOf(2))
  await expect.poll(() => answerTo(other, 'call-2')).toBeDefined()
  for (const recorder of [one, other]) expect(answerTo(recorder, 'call-1')).toBeUndefined()
  expect(room.recorded()).toEqual([exchangeOf(2)])
  const numbers = Array.from({length: 10}, (_, at) => 3 + at)
  for (const number of numbers) await (number % 2 === 0 ? one : other).record(exchangeOf(number))
  for (const recorder of [one, other]) {
    await expect.poll(() => numbers.every(number => answerTo(recorder, `call-${number}`))).toBe(true)
  }
})

test('two ids whose numbers are the same are still two', async () => {
  // The best-known pair of FNV-1a.
  const ids = ['costarring', 'liquid']
  expect(new Set(ids.map(callNumber)).size).toBe(1)
  const room = recordingRoom()
  const recorder = room.recorder()
  await recorder.record(exchangeOf(1, {id: 'costarring'}))
  expect(answerTo(recorder, 'costarring')).toBeDefined()
  expect(answerTo(recorder, 'liquid')).toBeUndefined()
  await recorder.record(exchangeOf(2, {id: 'liquid'}))
  expect(answerTo(recorder, 'liquid')).toBeDefined()
})

test('a repeated answer is the one that was sent, unless a mask has changed it', () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  const record = (number: number, more: object, reply?: Exchange['reply']) => {
    const {reply: _, ...rest} = exchangeOf(number, more)
    void recorder.record(reply ? {...rest, reply} : rest)
  }
  record(1, {outcome: 'broken', code: '500'}, {status: 500, body: 'oops'})
  record(2, {outcome: 'none'})
  record(3, {outcome: 'broken', code: '200'}, {status: 200, body: '411111••••••1111'})
  record(4, {type: 'late'}, {status: 503, body: {}})
  record(5, {type: 'rejected', status: 502}, {status: 502, body: {}})
  record(6, {}, exchangeOf(6).reply)
  record(7, {id: 'call-6', code: '51'}, {status: 200, body: {}})
  return recorder.close().then(() => {
    const again = room.recorder()
    const answers = [1, 2, 3, 4, 5, 6, 8].map(number => answerTo(again, `call-${number}`)?.answer)
    expect(answers).toEqual([
      {kind: 'raw', status: 500, body: 'oops'},
      {kind: 'none'},
      undefined,
      undefined,
      undefined,
      {kind: 'reply', reply: exchangeOf(6).reply?.body},
      undefined,
    ])
    return again.close()
  })
})

test('a locked recording costs no answer: it is reported once, and written when the lock is gone', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  const other = new DatabaseSync(room.file)
  other.exec('BEGIN IMMEDIATE')
  const {post} = await listener({recorder})
  for (const id of ['a', 'b', 'c']) expect((await post('/auth', callOf('chip', id))).status).toBe(200)
  expect(room.troubles).toMatchObject([{kind: 'failing', reason: {code: 'FILE_LOCKED'}}])
  expect(room.recorded()).toEqual([])
  other.exec('ROLLBACK')
  other.close()
  await recorder.close()
  expect(room.troubles.slice(1)).toEqual([{kind: 'over', late: 3, lost: 0}])
  expect(room.recorded()).toHaveLength(3)
})

test('what still waits when the recording is closed is counted as lost', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  const other = new DatabaseSync(room.file)
  other.exec('BEGIN IMMEDIATE')
  await recorder.record(exchangeOf(1))
  await recorder.record(exchangeOf(2))
  await recorder.close()
  expect(room.troubles.slice(1)).toEqual([{kind: 'over', late: 0, lost: 2}])
  other.close()
})

test('a damaged file is refused, named and kept', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  for (let number = 0; number < 50; number++) void recorder.record(exchangeOf(number))
  await recorder.close()
  truncateSync(room.file, 5000)
  const bytes = readFileSync(room.file)
  for (const content of [bytes, Buffer.from('these are my notes '.repeat(100))]) {
    writeFileSync(room.file, content)
    for (const open of [room.recorder, () => openRecording(room.file)]) {
      expect(open).toThrow(
        expect.objectContaining({code: 'STORE_DAMAGED', message: expect.stringContaining(room.file)}),
      )
    }
    expect(readFileSync(room.file)).toEqual(content)
  }
})

test('two servers write to one file', async () => {
  const room = recordingRoom()
  const recorders = [room.recorder(), room.recorder()]
  await Promise.all(
    Array.from({length: 60}, (_, number) => recorders[number % 2]?.record(exchangeOf(number))),
  )
  expect(room.recorded().map(({event}) => event.event)).toEqual(
    Array.from({length: 60}, (_, number) => exchangeOf(59 - number).event.event),
  )
  await Promise.all(recorders.map(recorder => recorder.close()))
  expect(room.troubles).toEqual([])
})

test('calls that are too old are removed at the start, others stay', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  for (let number = 0; number < 1200; number++) void recorder.record(exchangeOf(number))
  await recorder.close()
  const later = room.recorder({keepMs: 1000, now: () => NOON + 2000})
  await expect.poll(() => room.recorded()).toHaveLength(200)
  await later.close()
  using recording = openRecording(room.file)
  expect(await recording.prune(NOON + 1100)).toBe(100)
  expect(recording.get('e_001099')).toBeUndefined()
  expect(recording.get('e_001100')).toEqual(exchangeOf(1100))
})

test('lists choose as a filter over everything would', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  const merchants = ['Kahvila Aino', 'HOTELL ÄRLA', 'Fuel 24']
  const kinds = [
    {outcome: 'approved'},
    {outcome: 'declined', code: '51'},
    {outcome: 'none'},
    {outcome: 'broken'},
    {type: 'late'},
    {type: 'rejected', status: 502},
    {type: 'warm-up'},
  ]
  const all = Array.from({length: 100}, (_, number) =>
    exchangeOf(
      number,
      {merchant: merchants[number % 3], ...kinds[number % 7]} as object,
      Math.floor(number / 4),
    ),
  )
  for (const exchange of all) void recorder.record(exchange)
  await recorder.close()
  using recording = openRecording(room.file)
  const moment = fc.option(fc.integer({min: NOON - 1, max: NOON + 26}), {nil: undefined})
  fc.assert(
    fc.property(
      fc.record({
        since: moment,
        until: moment,
        types: fc.option(fc.subarray(['auth', 'late', 'rejected', 'warm-up'] as const), {nil: undefined}),
        outcomes: fc.option(fc.subarray(['approved', 'declined', 'none', 'broken']), {nil: undefined}),
        failed: fc.boolean(),
        search: fc.constantFrom(undefined, 'ärla', 'kahvila AINO', 'call-1', 'e_000020', 'nobody'),
        limit: fc.option(fc.integer({min: 1, max: 120}), {nil: undefined}),
      }),
      filter => {
        const wanted = all.filter(({event}) => {
          const {since = 0, until = Number.POSITIVE_INFINITY, types, outcomes, failed, search} = filter
          const outcome = event.type === 'auth' ? event.outcome : undefined
          const id = 'id' in event ? event.id : ''
          const text = 'merchant' in event ? `${event.merchant}`.toLowerCase() : ''
          const words = search?.toLowerCase().split(' ') ?? []
          return (
            event.at >= since &&
            event.at < until &&
            (types?.includes(event.type) ?? true) &&
            (outcomes === undefined || (outcome !== undefined && outcomes.includes(outcome))) &&
            (!failed ||
              ['late', 'rejected'].includes(event.type) ||
              ['none', 'broken'].includes(outcome ?? '')) &&
            words.every(word => word === event.event || word === id || text.includes(word))
          )
        })
        expect([...recording.iterate(filter)]).toEqual(wanted.reverse().slice(0, filter.limit))
      },
    ),
    {numRuns: runs(100)},
  )
})

test('a file that is removed while a server writes to it is reported', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  await recorder.record(exchangeOf(1))
  rmSync(room.file)
  await expect.poll(() => room.troubles).toEqual([{kind: 'removed', file: room.file}])
  await recorder.close()
})

test('a file without its table is reported as damaged', async () => {
  const room = recordingRoom()
  const recorder = room.recorder()
  const other = new DatabaseSync(room.file)
  other.exec('DROP TABLE call_group')
  other.close()
  await recorder.record(exchangeOf(1))
  expect(answerTo(recorder, 'call-1')).toBeUndefined()
  expect(room.troubles).toMatchObject([{kind: 'failing', reason: {code: 'STORE_DAMAGED'}}])
  await recorder.close()
})
