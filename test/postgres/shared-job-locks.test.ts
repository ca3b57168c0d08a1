// What a worker of a shared job says when it can't use the tables of the jobs.
import pg from 'pg'
import {expect, onTestFinished, test} from 'vitest'
import {startCluster} from '../helpers/postgres.ts'
import {ACCOUNTS, openMachines, PRICES, prepare, pricesOf, prompt, witness} from '../helpers/team.ts'
import {isWhole} from '../helpers/whole.ts'

/** A server of this test alone, so that what a test locks is in nobody's way. */
function ownDatabase(): string {
  const cluster = startCluster()
  if (cluster === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => cluster.remove())
  return cluster.url
}

test('a worker that the database refuses gives its rows back, with what became of them', async () => {
  const database = ownDatabase()
  const client = new pg.Client({connectionString: database})
  await client.connect()
  onTestFinished(() => client.end())
  const {service, rows} = await witness(async row => {
    if (row !== '3') return
    await client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''full''; END';
      CREATE TRIGGER refuse BEFORE UPDATE ON cardctl_jobs.rows
        FOR EACH ROW WHEN (NEW.status = 200) EXECUTE FUNCTION refuse()`)
  })
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(6))
  const {code, stderr} = await one.team(['bulk', 'work', job, '--concurrency', '1'], {sleep: prompt})
  await client.query('DROP FUNCTION refuse CASCADE')
  expect(code, stderr).toBe(9)
  // Where a response can't be recorded, what became of the row can.
  expect(stderr).toContain(' 3 of 6 rows done, 0 failed, 3 left.\n')
  expect(stderr).toMatch(/^ {2}Next, when the database can be used: cardctl bulk resume sj_\w+ -p team$/m)
  expect(await one.teamJson(['bulk', 'status', job])).toMatchObject({done: 3, open: 0, left: 3})
  const {code: others} = await two.team(['bulk', 'work', job], {sleep: prompt})
  expect([others, rows.toSorted()]).toEqual([0, ['1', '2', '3', '4', '5', '6']])
}, 90_000)

/** Holds what the statement locks until the result is called, as a person does who forgot psql. */
async function hold(database: string, sql: string): Promise<() => Promise<void>> {
  const client = new pg.Client({connectionString: database, application_name: 'forgotten'})
  // The server is removed at the end of the test.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`BEGIN; ${sql}`)
  return () => client.end()
}

const limitsOf = (count: number) =>
  `id,creditLimit\n${Array.from({length: count}, (_, at) => `${3000 + at},${at + 1}\n`).join('')}`

const HELD = /^Waiting: process \d+ \(forgotten, idle in transaction\) holds the table rows\.$/gm

test('a worker that waits for a lock says who holds it, and goes on when it is free', async () => {
  const database = ownDatabase()
  const {service, rows} = await witness()
  const [one] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(3))
  const letGo = await hold(database, 'LOCK TABLE cardctl_jobs.rows')
  setTimeout(() => void letGo(), 9_000)
  const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
  expect(stderr.match(HELD), stderr).toHaveLength(1)
  expect([code, rows.length]).toEqual([0, 3])
}, 90_000)

test.runIf(isWhole)(
  'the progress of a worker has the rows that it sent itself while a lock keeps it from counting',
  async () => {
    const database = ownDatabase()
    let letGo: (() => Promise<void>) | undefined
    const {service} = await witness(async row => {
      if (row !== '20') return
      letGo = await hold(database, 'LOCK TABLE cardctl_jobs.rows')
      setTimeout(() => void letGo?.(), 13_000)
    })
    const [one] = await openMachines(2, {database, url: service.url})
    const {job} = await prepare(one, ACCOUNTS, limitsOf(40))
    const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
    expect(code, stderr).toBe(0)
    const told = [...stderr.matchAll(/^Bulk job sj_\w+: (\d+) of 40 rows done/gm)].map(([, done]) =>
      Number(done),
    )
    expect(Math.max(...told.slice(0, -1)), stderr).toBeGreaterThanOrEqual(19)
  },
  120_000,
)

test.runIf(isWhole)(
  'a worker that is stopped while a lock keeps it from recording rows ends soon, and says what it sent',
  async () => {
    const database = ownDatabase()
    const stop = new AbortController()
    let letGo: (() => Promise<void>) | undefined
    let stoppedAt = 0
    const {service} = await witness(async row => {
      if (row !== '20') return
      letGo = await hold(database, 'LOCK TABLE cardctl_jobs.rows')
      setTimeout(() => {
        stoppedAt = performance.now()
        stop.abort('SIGTERM')
      }, 3_000)
    })
    const [one] = await openMachines(2, {database, url: service.url})
    const {job} = await prepare(one, ACCOUNTS, limitsOf(40))
    const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt, signal: stop.signal})
    const took = performance.now() - stoppedAt
    await letGo?.()
    expect(code, stderr).toBe(143)
    expect(stderr).toMatch(/This worker sent (\d+) rows: \1 done, 0 failed/)
    expect(took).toBeLessThan(45_000)
  },
  240_000,
)

test.runIf(isWhole)(
  'a worker that a lock keeps from its rows for too long names who holds it, and what to run',
  async () => {
    const database = ownDatabase()
    const {service, rows} = await witness()
    const [one] = await openMachines(2, {database, url: service.url})
    const {job} = await prepare(one, PRICES, pricesOf(3))
    const letGo = await hold(database, 'LOCK TABLE cardctl_jobs.rows')
    const {code, stderr} = await one.team(['bulk', 'work', job], {sleep: prompt})
    await letGo()
    expect([code, rows.length]).toEqual([9, 0])
    expect(stderr).toMatch(
      /process \d+ \(forgotten, idle in transaction\) holds the table rows\. What is not/,
    )
    expect(stderr).toContain('pg_terminate_backend(PROCESS)')
    expect(stderr).toMatch(/^ {2}Next, when the database can be used: cardctl bulk work sj_\w+ -p team$/m)
  },
  120_000,
)
