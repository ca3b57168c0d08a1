import {setTimeout as pause} from 'node:timers/promises'
import {expect, inject, onTestFinished, test} from 'vitest'
import {Failure} from '../../src/errors/failure.ts'
import {RoundTrips} from '../../src/fleet/pace/round-trips.ts'
import {SharedPacer} from '../../src/fleet/pace/shared-pace.ts'
import {withSharedPause} from '../../src/fleet/pace/shared-pause.ts'
import type {TurnWait} from '../../src/journal/pace.ts'
import {connections} from '../../src/postgres/connect.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {isWhole} from '../helpers/whole.ts'

const database = () => ({url: new Secret(inject('postgres') ?? '')})
const fast = [{limit: 1000, windowMs: 1000}]

let services = 0
const newService = () => `${process.pid}-${services++}`

async function openPacer(
  service: string,
  rates = fast,
  options: Partial<Parameters<typeof SharedPacer.open>[0]> = {},
): Promise<SharedPacer> {
  const pacer = await SharedPacer.open({
    database: database(),
    service,
    rates,
    quota: [],
    sleep: async (ms, signal) => void (await pause(ms, undefined, signal && {signal})),
    random: () => 0,
    ...options,
  })
  onTestFinished(() => pacer.close())
  return pacer
}

/** Times of so many turns, in ms since the first. */
async function timesOf(pacer: SharedPacer, count: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const turn = await pacer.turn()
    times.push(performance.now())
    turn.answered(200)
  }
  return times.map(time => time - (times[0] ?? 0))
}

test('machines that start at once on an empty database create the tables once', async () => {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  const own = {database: {url: new Secret(cluster.url)}}
  const pacers = await Promise.all(Array.from({length: 6}, () => openPacer('one', fast, own)))
  for (const pacer of pacers) (await pacer.turn()).answered(200)
}, 60_000)

test('a 429 to one machine stops all for as long as the service says', async () => {
  const service = newService()
  const [here, there] = [await openPacer(service), await openPacer(service)]
  const turn = await here.turn()
  const began = performance.now()
  turn.answered(429, 900)
  await here.turn()
  expect(performance.now() - began).toBeGreaterThanOrEqual(900)
  const again = await here.turn()
  const second = performance.now()
  again.answered(429, 900)
  await pause(400)
  await there.turn()
  expect(performance.now() - second).toBeGreaterThanOrEqual(900)
})

test('rates share the quota of the service, and services have nothing in common', async () => {
  const service = newService()
  const quota = [{limit: 5, windowMs: 1000}]
  const one = await openPacer(service, [{limit: 5, windowMs: 1000}], {quota})
  const other = await openPacer(service, [{limit: 4, windowMs: 1000}], {quota})
  const elsewhere = await openPacer(newService(), [{limit: 4, windowMs: 1000}], {quota})
  await timesOf(one, 5)
  const here = Promise.all([timesOf(one, 4), timesOf(other, 4)])
  const first = await Promise.race([elsewhere.turn().then(() => 'elsewhere'), here.then(() => 'here')])
  expect(first).toBe('elsewhere')
  const all = await here
  expect(Math.max(...all.flat()), 'eight turns of five a second').toBeGreaterThanOrEqual(600)
})

test('a near machine that goes on after a far one waits for what is still on its way', async () => {
  const service = newService()
  const rates = [{limit: 50, windowMs: 1000}]
  const arrivals: number[] = []
  /** Sends as fast as it may; each request needs so long there, and so long back. */
  const sendAll = async (pacer: SharedPacer, count: number, wayMs: number) => {
    for (let at = 0; at < count; at++) {
      const turn = await pacer.turn()
      void pause(wayMs).then(async () => {
        arrivals.push(performance.now())
        await pause(wayMs)
        turn.answered(200)
      })
    }
  }
  const [far, near] = [await openPacer(service, rates), await openPacer(service, rates)]
  await sendAll(near, 60, 1)
  await sendAll(far, 120, 200)
  await sendAll(near, 60, 1)
  await pause(500)
  const inASecond = arrivals.map(from => arrivals.filter(time => time >= from && time < from + 1000).length)
  expect(arrivals).toHaveLength(240)
  expect(Math.max(...inASecond)).toBeLessThanOrEqual(50)
})

test('an abandoned turn is given back', async () => {
  const service = newService()
  // The second turn is a second away: no slow machine comes to it before it is abandoned.
  const pacer = await openPacer(service, [{limit: 10, windowMs: 10_000}])
  await pacer.turn()
  const abort = new AbortController()
  const second = pacer.turn(abort.signal)
  await pause(30)
  abort.abort(new Error('enough'))
  await expect(second).rejects.toThrow()
  await pacer.turn()
  await pause(50)
  const {pool} = await connections({...database(), connections: 1}, 'test')
  const {rows} = await pool.query(
    'SELECT count(*)::integer AS n FROM cardctl_pace.requests r JOIN cardctl_pace.services s ON s.id = r.service WHERE s.name = $1',
    [service],
  )
  await pool.end()
  expect(rows).toEqual([{n: 2}])
})

// Woken much later than it asked for, it finds the next slot nearer than 50 ms though all is right. Used late, it fails each time.
test.runIf(isWhole)('a turn that its machine comes to too late is not used', {retry: 3}, async () => {
  const service = newService()
  let late = 0
  const pacer = await openPacer(service, [{limit: 10, windowMs: 1000}], {
    sleep: async ms => {
      await pause(late === 0 ? ms + 600 : ms)
      late ||= performance.now()
    },
  })
  await timesOf(pacer, 3)
  // Used at its late end, the second turn would be followed at once by that of the current slot. The second one's own
  // time isn't compared: on a busy machine this test may hear of it late.
  expect(performance.now() - late).toBeGreaterThanOrEqual(50)
})

test('a clock of the database that was set back delays nobody for longer than a window', async () => {
  const service = newService()
  const rates = [{limit: 2, windowMs: 1000}]
  const pacer = await openPacer(service, rates)
  await timesOf(pacer, 2)
  const {pool} = await connections({...database(), connections: 1}, 'test')
  // Everything that was recorded is an hour in the future, as after the clock was set back.
  await pool.query(
    `UPDATE cardctl_pace.requests SET counted_at = counted_at + interval '1 h' WHERE service = (SELECT id FROM cardctl_pace.services WHERE name = $1)`,
    [service],
  )
  await pool.query(
    `UPDATE cardctl_pace.shares SET next_at = next_at + interval '1 h' WHERE service = (SELECT id FROM cardctl_pace.services WHERE name = $1)`,
    [service],
  )
  await pool.end()
  const began = performance.now()
  await pacer.turn()
  expect(performance.now() - began).toBeGreaterThanOrEqual(900)
  expect(performance.now() - began).toBeLessThan(5000)
})

test.each([
  ['not a URL', 'it is not a postgres:// URL'],
  ['postgres://a@db.example/x?sslrootcert=/nowhere/ca.pem', 'the file of its sslrootcert cannot be read'],
])('%s is refused before a connection is made', async (url, why) => {
  const opened = openPacer('one', fast, {database: {url: new Secret(url)}})
  const error = await opened.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({code: 'INPUT_INVALID', message: expect.stringContaining(why)})
})

test('the time to arrive is known after fifty trips, and then what a trip takes longer counts', () => {
  const trips = new RoundTrips()
  for (let at = 0; at < 50; at++) {
    expect(trips.leadMs).toBe(0)
    expect(trips.add(40 + (at % 3))).toEqual({leadMs: 40 + (at % 3), lateMs: 0})
  }
  expect(trips.leadMs).toBe(20)
  expect(trips.add(40)).toEqual({leadMs: 20, lateMs: 0})
  expect(trips.add(100)).toEqual({leadMs: 20, lateMs: 60})
})

test('a pause is told to who waits, shown, and ended for all machines', async () => {
  const service = newService()
  const told: (TurnWait | undefined)[] = []
  const pacer = await openPacer(service, fast, {waits: wait => told.push(wait)})
  const turn = await pacer.turn()
  turn.answered(429, 3_600_000)
  const stop = new AbortController()
  const waiting = pacer.turn(stop.signal).catch(error => error)
  await expect.poll(() => told.length).toBeGreaterThan(0)
  const look = {database: database(), service, now: Date.now}
  const until = await withSharedPause(look, async ({now, clear}) => {
    await clear()
    return now?.until
  })
  expect(told[0]?.pause?.until).toBeGreaterThan(Date.now() + 3_000_000)
  expect(Math.abs((until ?? 0) - (told[0]?.pause?.until ?? 0))).toBeLessThan(1_000)
  expect(await withSharedPause(look, async ({now}) => now)).toBeUndefined()
  // Whoever waits looks again, and gets its turn.
  expect(await waiting).toHaveProperty('answered')
  expect(told.at(-1)).toBeUndefined()
}, 60_000)

test('a pause that is too long fails the turn', async () => {
  const service = newService()
  const limited = new Failure('RATE_LIMITED', {message: 'Too long.'})
  const pacer = await openPacer(service, fast, {
    waits: wait => {
      if (wait?.pause) throw limited
    },
  })
  const turn = await pacer.turn()
  turn.answered(429, 3_600_000)
  await expect(pacer.turn()).rejects.toBe(limited)
}, 60_000)
