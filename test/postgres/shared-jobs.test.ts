// Bulk jobs that machines share. Each machine is a home of its own.
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import pg from 'pg'
import {expect, inject, onTestFinished, test} from 'vitest'
import {startCluster} from '../helpers/postgres.ts'
import {openService, reply, type Service} from '../helpers/service.ts'
import {
  ACCOUNTS,
  type Machine,
  numbers,
  openMachine,
  openMachines,
  PRICES,
  prepare,
  pricesOf,
  prompt,
  type SharedJob,
  updated,
  witness,
} from '../helpers/team.ts'

const database = inject('postgres') ?? ''

async function statement<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return (await client.query<Row>(sql, values.length === 0 ? undefined : [...values])).rows
  } finally {
    await client.end()
  }
}

test('three machines work on one job, each row is sent once, and each machine audits what it sent', async () => {
  const {service, rows} = await witness(() => pause(5))
  const [one, two, three] = await openMachines(3, {database, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(120))
  expect(job).toMatch(/^sj_/)
  const ended = await Promise.all(
    [one, two, three].map(machine => machine.team(['bulk', 'work', job], {sleep: prompt})),
  )
  expect(ended.map(({code, stderr}) => [code, stderr.includes('Error')])).toEqual([
    [0, false],
    [0, false],
    [0, false],
  ])
  expect(rows.toSorted()).toEqual(numbers(120).toSorted())
  const audits = await Promise.all(
    [one, two, three].map(machine => machine.json<{request?: string}[]>(['audit', 'list', '--limit', '500'])),
  )
  // A change of a profile has an entry, too.
  const requests = audits.flatMap(list => list.flatMap(({request}) => request ?? []))
  const results = await two.teamJson<{row: number; state: string; request: string; key: string}[]>([
    'bulk',
    'results',
    job,
  ])
  expect(results.map(({row, state}) => `${row} ${state}`)).toEqual(numbers(120).map(row => `${row} done`))
  expect(requests.toSorted()).toEqual(results.map(({request}) => request).toSorted())
  expect(audits.filter(list => list.length > 0).length).toBeGreaterThan(1)
  const keys = service.requests.map(({headers = {}}) => headers['x-idempotency-key'])
  expect(keys.toSorted()).toEqual(results.map(({key}) => key).toSorted())
  expect(await three.teamJson<SharedJob>(['bulk', 'status', 'last', '--shared'])).toMatchObject({
    job,
    state: 'done',
    done: 120,
  })
  expect(await three.teamJson<SharedJob[]>(['bulk', 'list', '--shared'])).toMatchObject([{job, rows: 120}])
  expect((await one.team(['bulk', 'watch', job])).code).toBe(0)
})

test('a row that somebody removed or added in the database is missed at the end', async () => {
  const {service} = await witness()
  const [one, two] = await openMachines(2, {database, url: service.url})
  for (const {change, counts} of [
    {change: 'DELETE FROM cardctl_jobs.rows WHERE row = 2 AND job = $1', counts: '2 of 3 rows done'},
    {
      change: `INSERT INTO cardctl_jobs.rows (job, row, line, key, sealed, state, ready)
        SELECT job, 4, 5, 'k', sealed, 'done', false FROM cardctl_jobs.rows WHERE row = 3 AND job = $1`,
      counts: '4 of 3 rows done',
    },
  ]) {
    const {job} = await prepare(one, PRICES, pricesOf(3))
    const [found] = await statement<{number: number}>('SELECT number FROM cardctl_jobs.jobs WHERE id = $1', [
      job,
    ])
    await statement(change, [found?.number])
    const work = await two.team(['bulk', 'work', job])
    expect(work).toMatchObject({code: 11, stderr: expect.stringContaining(counts)})
    expect((await one.team(['bulk', 'watch', job])).code).toBe(11)
    expect(await one.teamJson<SharedJob>(['bulk', 'status', job])).toMatchObject({rows: 3})
  }
})

test('rows of one resource keep their order over machines', async () => {
  const {service, rows} = await witness(() => pause(3))
  const machines = await openMachines(3, {database, url: service.url})
  const [one] = machines
  const {job} = await prepare(
    one,
    PRICES,
    pricesOf(60, at => at % 5),
  )
  await Promise.all(machines.map(machine => machine.team(['bulk', 'work', job], {sleep: prompt})))
  for (let list = 0; list < 5; list++) {
    const own = rows.map(Number).filter(row => (row - 1) % 5 === list)
    expect(own).toEqual(Array.from({length: 12}, (_, at) => at * 5 + list + 1))
  }
})

test('a row behind a failed one is held on every machine, and sent when that one was sent again', async () => {
  let refuses = true
  const service = await openService(({url, body}) =>
    refuses && String(body).includes('"2"') ? reply(409, {title: 'Conflict', detail: 'no'}) : updated({url}),
  )
  onTestFinished(() => service.close())
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(
    one,
    PRICES,
    pricesOf(5, () => 0),
  )
  const run = await two.team(['bulk', 'work', job])
  expect(run.code).toBe(11)
  expect(run.stderr).toContain('1 of 5 rows done, 1 failed, 0 left, 3 held back')
  const held = await one.teamJson<{row: number; message: string}[]>([
    'bulk',
    'results',
    job,
    '--state',
    'held',
  ])
  expect(held.map(({row}) => row)).toEqual([3, 4, 5])
  expect(held[2]?.message).toBe('Not sent: row 2 of the same resource failed.')
  refuses = false
  expect((await one.team(['bulk', 'resume', job])).code).toBe(11)
  const resumed = await one.team(['bulk', 'resume', job, '--retry-failed'])
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(service.requests.map(({body}) => JSON.parse(String(body)).code)).toEqual([
    '1',
    '2',
    '2',
    '3',
    '4',
    '5',
  ])
})

test('machines with wrong clocks share a job', async () => {
  const {service, rows} = await witness(() => pause(3))
  const machines = await openMachines(2, {database, url: service.url})
  const [one] = machines
  const {job} = await prepare(one, PRICES, pricesOf(60), ['--lease', '1s'])
  const skews = [-7_200_000, 9 * 3_600_000]
  const ended = await Promise.all(
    machines.map((machine, at) =>
      machine.team(['bulk', 'work', job], {sleep: prompt, now: () => Date.now() + (skews[at] ?? 0)}),
    ),
  )
  expect(ended.map(({code}) => code)).toEqual([0, 0])
  expect(rows.toSorted()).toEqual(numbers(60).toSorted())
})

test('refuses a machine that would send something else, and one with another key', async () => {
  const {service, rows} = await witness()
  const {url} = service
  const one = await openMachine({database, url})
  const {job} = await prepare(one, PRICES, pricesOf(2))
  const refusals = [
    [
      {key: Buffer.alloc(32, 8).toString('base64')},
      'PROFILE_INVALID',
      'The teamKey of the profile is not the one',
    ],
    [{auditUser: 'day'}, 'OTHER_WORKER', 'auditUser'],
    [{flags: ['--idempotency', 'all']}, 'OTHER_WORKER', 'idempotency'],
    [{key: 'c2hvcnQ='}, 'PROFILE_INVALID', 'openssl rand -base64 32'],
    [{url: `${url}/other`}, 'OTHER_SERVICE', '/other'],
  ] as const
  for (const [options, code, words] of refusals) {
    const other = await openMachine({database, url, ...options})
    for (const verb of ['work', 'resume']) {
      const run = await other.team(['bulk', verb, job])
      expect([run.code, run.stderr]).toEqual([3, expect.stringContaining(code)])
      expect(run.stderr).toContain(words)
    }
  }
  expect(rows).toEqual([])
  // A list needs no key of the jobs in it.
  const stranger = await openMachine({database, url, key: Buffer.alloc(32, 8).toString('hex')})
  expect(await stranger.teamJson<SharedJob[]>(['bulk', 'list', '--shared'])).toMatchObject([{job}])
  const changed = await openMachine({database, url})
  await statement(`UPDATE cardctl_jobs.jobs SET protection = 'key' WHERE id = $1`, [job])
  expect((await changed.team(['bulk', 'work', job])).stderr).toContain('STORE_DAMAGED')
})

test('refuses a machine with another dialect', async () => {
  const {service} = await witness()
  const {url} = service
  const dialect = fileURLToPath(new URL('../../examples/dialects/harbour.yaml', import.meta.url))
  const [plain, other] = [
    await openMachine({database, url}),
    await openMachine({database, url, flags: ['--dialect', dialect]}),
  ]
  const ours = await prepare(plain, ACCOUNTS, 'id,creditLimit\n2001,5\n')
  const theirs = await prepare(other, ACCOUNTS, 'id,creditLimit\nacc_2001,5\n')
  for (const [machine, {job}] of [
    [other, ours],
    [plain, theirs],
  ] as const) {
    for (const verb of ['work', 'resume']) {
      const {code, stderr} = await machine.team(['bulk', verb, job])
      expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringMatching(/dialect/)})
    }
  }
  expect(service.requests.filter(({method}) => method !== 'GET')).toEqual([])
})

test('machines with the same document share a job of its operations, and no other machine', async () => {
  const service = await openService(() => reply(200, {}))
  onTestFinished(() => service.close())
  const folder = await mkdtemp(join(tmpdir(), 'shared-documents-'))
  onTestFinished(() => rm(folder, {recursive: true, force: true}))
  const open = async (type?: string): Promise<Machine> => {
    const machine = await openMachine({database, url: service.url})
    if (type === undefined) return machine
    const content = {'application/json': {schema: {type: 'object', properties: {n: {type}}}}}
    const parameters = [{name: 'id', in: 'path', required: true, schema: {type: 'string'}}]
    const responses = {200: {content: {'application/json': {}}}}
    const put = {operationId: 'step', tags: ['units'], parameters, requestBody: {content}, responses}
    const document = {openapi: '3.1.0', info: {title: 'T', version: '1'}, paths: {'/units/{id}': {put}}}
    const file = join(folder, `${type}.json`)
    await writeFile(file, JSON.stringify(document))
    await machine.teamJson(['contract', 'import', file, '--name', 'own'])
    return machine
  }
  const [one, two, other, none] = [
    await open('integer'),
    await open('integer'),
    await open('string'),
    await open(),
  ]
  const rows = `id,n\n${numbers(40)
    .map(n => `u${n},${n}\n`)
    .join('')}`
  const {job} = await prepare(one, 'x:own/units/step', rows)
  for (const machine of [other, none]) {
    for (const verb of ['work', 'resume']) {
      const {code, stderr} = await machine.team(['bulk', verb, job])
      expect({code, stderr}).toMatchObject({code: 3, stderr: expect.stringContaining('another document')})
    }
    expect(await machine.teamJson<SharedJob>(['bulk', 'status', job])).toMatchObject({rows: 40, done: 0})
  }
  expect(service.requests).toEqual([])
  const ended = await Promise.all(
    [one, two].map(machine => machine.team(['bulk', 'work', job], {sleep: prompt})),
  )
  expect(ended.map(({code}) => code)).toEqual([0, 0])
  expect(service.requests.map(({url, body}) => `${url} ${body}`).toSorted()).toEqual(
    numbers(40)
      .map(n => `/units/u${n} {"n":${n}}`)
      .toSorted(),
  )
})

test('says which setting is missing', async () => {
  const {service} = await witness()
  const one = await openMachine({database, url: service.url, flags: []})
  await one.json(['profiles', 'edit', 'team', '--unset', 'teamKey'])
  const run = await one.team(['bulk', 'list', '--shared'])
  expect(run.code).toBe(3)
  expect(run.stderr).toContain('The profile team has no teamKey')
  expect(run.stderr).toContain('cardctl profiles edit team --team-key env:TEAM_KEY')
})

/** A service whose token endpoint calls `between`: the row is recorded then, and not sent yet. */
async function lateLogin(between: () => Promise<void>): Promise<{service: Service; rows: string[]}> {
  const rows: string[] = []
  let isFirst = true
  const service = await openService(async ({url, body}) => {
    if (url.startsWith('/token')) {
      if (isFirst) {
        isFirst = false
        await between()
      }
      return reply(200, {access_token: 'token-of-the-night', token_type: 'Bearer', expires_in: 3600})
    }
    const {code, creditLimit} = JSON.parse(String(body)) as {code?: string; creditLimit?: number}
    rows.push(String(code ?? creditLimit))
    return updated({url})
  })
  onTestFinished(() => service.close())
  return {service, rows}
}

const OAUTH = (url: string) => [
  ...['--auth', 'oauth2', '--client-id', 'night', '--secret', 'env:TEAM_KEY'],
  ...['--token-url', `${url}/token`],
]

/** What the database does when the leases of a job run out; under its lock, as a worker would else extend its lease between. */
const expire = (job: string) =>
  statement(
    `BEGIN;
     SELECT cardctl_jobs.lock_job(number, true) FROM cardctl_jobs.jobs WHERE id = '${job}';
     UPDATE cardctl_jobs.workers w SET alive_until = '-infinity' FROM cardctl_jobs.jobs j WHERE w.job = j.number AND j.id = '${job}';
     SELECT cardctl_jobs.remove_dead(number) FROM cardctl_jobs.jobs WHERE id = '${job}';
     COMMIT`,
  )

/** Waits until a worker has noticed that its lease ran out, and has joined its job again. */
async function joinedAgain(job: string): Promise<void> {
  const workers = () =>
    statement(
      'SELECT FROM cardctl_jobs.workers w JOIN cardctl_jobs.jobs j ON j.number = w.job WHERE j.id = $1',
      [job],
    )
  await expect.poll(workers).toHaveLength(1)
  // Time for it to look for rows.
  await pause(300)
}

/** A worker that notices nothing by itself while it waits: nobody asks for rows, and its lease needn't be renewed. */
const LEASE = ['--lease', '1h']
const ALONE = ['--concurrency', '1']
const TWO_HOURS_MS = 7_200_000

test.each([
  ['before', ALONE, async () => undefined],
  ['after', [], joinedAgain],
] as const)(
  'a paused worker, %s it notices that its lease ran out, does not send what others may have',
  async (_, concurrency, wait) => {
    let job = ''
    let slept = 0
    const {service, rows} = await lateLogin(async () => {
      await expire(job)
      const stranded = await other.teamJson<{row: number; key: string; request: string}[]>([
        ...['bulk', 'results', job, '--state', 'unknown'],
      ])
      expect(stranded).toMatchObject([
        {row: 1, key: expect.any(String), request: expect.stringMatching(/^r_/)},
      ])
      // Not even a machine that resumes sends it.
      const resumed = await other.team(['bulk', 'resume', job])
      expect(resumed.code).toBe(10)
      await wait(job)
      expect(rows).toEqual([])
      slept = TWO_HOURS_MS
    })
    const flags = OAUTH(service.url)
    const [paused, other] = await openMachines(2, {database, url: service.url, flags})
    ;({job} = await prepare(paused, PRICES, pricesOf(1), LEASE))
    const now = () => Date.now() + slept
    const run = await paused.team(['bulk', 'work', job, ...concurrency], {sleep: prompt, now})
    expect(run.code, run.stderr).toBe(0)
    // It says that it did not send the row, takes it again and sends it.
    expect(rows).toEqual(['1'])
    const requests = await paused.teamJson<{effect: string}[]>(['requests', 'list'])
    expect(requests.map(({effect}) => effect)).toEqual(['done', 'none'])
  },
)

test('with an honoured key, another machine sends the row of a paused worker, with the same key', async () => {
  let job = ''
  let slept = 0
  const {service, rows} = await lateLogin(async () => {
    await expire(job)
    const worked = await other.team(['bulk', 'work', job])
    expect(worked.code, worked.stderr).toBe(0)
    expect(rows).toEqual(['7000'])
    slept = TWO_HOURS_MS
  })
  const flags = OAUTH(service.url)
  const [paused, other] = await openMachines(2, {database, url: service.url, flags})
  ;({job} = await prepare(paused, ACCOUNTS, 'id,creditLimit\n2001,7000\n', LEASE))
  const now = () => Date.now() + slept
  const run = await paused.team(['bulk', 'work', job, ...ALONE], {sleep: prompt, now})
  expect(run.code, run.stderr).toBe(0)
  // What the other one did is no row of its own.
  expect(run.stderr).toContain(`Bulk job ${job}: 1 of 1 rows done`)
  expect(run.stderr).toMatch(
    /^This worker: 0 done, 0 failed\..* All workers of bulk job sj_\w+: 1 of 1 rows done, 0 failed, 0 left\.$/m,
  )
  expect(rows).toEqual(['7000'])
})

test('a person settles an unknown row from any machine', async () => {
  let drops = true
  const service = await openService(({url, body}) =>
    drops && String(body).includes('"1"') ? {...reply(200, {}), drop: true} : updated({url}),
  )
  onTestFinished(() => service.close())
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(
    one,
    PRICES,
    pricesOf(3, () => 0),
  )
  expect((await one.team(['bulk', 'work', job])).stderr).toContain('2 held back, 1 sent, effect unknown')
  const resolve = ['bulk', 'resolve', job, '--because', 'Its code is still the old one', '--yes']
  expect((await two.team([...resolve, '--row', '2', '--found', 'no-effect'])).stderr).toContain('is held')
  expect((await two.team([...resolve, '--row', '9', '--found', 'no-effect'])).code).toBe(5)
  expect((await two.team([...resolve, '--row', '1', '--found', 'no-effect'])).code).toBe(0)
  drops = false
  const resumed = await two.team(['bulk', 'resume', job])
  expect(resumed.code, resumed.stderr).toBe(0)
  const [found] = await two.json<{request: string; outcome: string}[]>(['audit', 'list', '--outcome', 'none'])
  expect(found).toMatchObject({outcome: 'none', request: expect.stringMatching(/^r_/)})
  expect(service.requests.map(({body}) => JSON.parse(String(body)).code)).toEqual(['1', '1', '2', '3'])
})

test('what requests resolve finds on the machine that sent a row is taken over', async () => {
  const service = await openService(({url, body}) =>
    String(body).includes('"1"') ? {...reply(200, {}), drop: true} : updated({url}),
  )
  onTestFinished(() => service.close())
  const one = await openMachine({database, url: service.url})
  const {job} = await prepare(
    one,
    PRICES,
    pricesOf(2, () => 0),
  )
  expect((await one.team(['bulk', 'work', job])).code).toBe(11)
  await one.teamJson([
    'requests',
    'resolve',
    'last',
    '--found',
    'effect',
    '--because',
    'It is there',
    '--yes',
  ])
  const resumed = await one.team(['bulk', 'resume', job])
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(service.requests).toHaveLength(2)
})

test('a cancelled job sends no more, and prune keeps what still protects', async () => {
  let cancel = async (): Promise<unknown> => undefined
  const {service, rows} = await witness(row => (row === '3' ? cancel().then(() => undefined) : undefined))
  const [one, two] = await openMachines(2, {database, url: service.url})
  const {job} = await prepare(
    one,
    PRICES,
    pricesOf(9, () => 0),
  )
  cancel = () => two.teamJson(['bulk', 'cancel', job])
  const run = await one.team(['bulk', 'work', job], {sleep: prompt})
  expect(run.code).toBe(11)
  expect(rows).toEqual(['1', '2', '3'])
  const prune = ['bulk', 'prune', '--shared', '--older-than', '1s', '--yes']
  await statement(`UPDATE cardctl_jobs.jobs SET worked_at = now() - interval '2 hours' WHERE id = $1`, [job])
  expect((await two.team(prune)).stdout).toContain('worked on in the last 24 hours')
  await statement(`UPDATE cardctl_jobs.jobs SET worked_at = now() - interval '2 days' WHERE id = $1`, [job])
  expect(await two.teamJson(prune)).toMatchObject({removed: 1, rows: 9})
  expect((await one.team(['bulk', 'status', job])).code).toBe(5)
})

function ownCluster() {
  const started = startCluster()
  if (started === undefined) throw new Error('PostgreSQL is not installed')
  onTestFinished(() => started.remove())
  return started
}

test('the database never sees a plain value', async () => {
  const cluster = ownCluster()
  const {service} = await witness()
  const secret = 'Zebedee-Quux'
  const one = await openMachine({database: cluster.url, url: service.url})
  const rows = `id,code\n5071234,${secret}-1\n5071234,${secret}-2\n`
  const note = ['--note', 'Wickersham asked for it', '--ticket', 'TEN-4711']
  const {job} = await prepare(one, PRICES, rows, note)
  expect((await one.team(['bulk', 'work', job])).code).toBe(0)
  expect(service.requests).toHaveLength(2)
  expect(await one.teamJson(['bulk', 'results', job])).toMatchObject([{reply: {description: 'Updated'}}, {}])
  const dump = cluster.run('pg_dump', '--inserts', 'app')
  expect(dump).toContain(job)
  for (const plain of [secret, '5071234', 'Wickersham', 'TEN-4711', 'night', 'Updated']) {
    expect(dump).not.toContain(plain)
    expect(dump).not.toContain(Buffer.from(plain).toString('hex'))
    expect(dump).not.toContain(Buffer.from(plain).toString('base64').replace(/=+$/, ''))
  }
})

test('when the database stops, nothing more is sent, and the job continues later', async () => {
  const cluster = ownCluster()
  const {service, rows} = await witness(row => {
    if (row === '30') cluster.stop('immediate')
  })
  const one = await openMachine({database: cluster.url, url: service.url})
  const {job} = await prepare(one, PRICES, pricesOf(60), ['--lease', '1s'])
  const run = await one.team(['bulk', 'work', job, '--rate', 'off'], {sleep: prompt})
  expect(run.code, run.stderr).toBe(9)
  expect(run.stderr).toMatch(/^Error CONNECTION_FAILED: .*Can't use the database of shared jobs/m)
  // One count: what is not unknown by the numbers is not unknown below them.
  expect(run.stderr).toMatch(
    /This worker sent (\d+) rows: \1 done, 0 failed, 0 without a known effect\. The database has confirmed/,
  )
  expect(run.stderr).not.toContain('the effect is unknown')
  const before = rows.length
  expect(before).toBeLessThan(60)
  expect((await one.team(['bulk', 'work', job])).code).toBe(9)
  expect(rows).toHaveLength(before)
  cluster.start()
  // Its own journal knows how the rows in flight ended.
  await pause(1_100)
  const found = await one.teamJson(['bulk', 'status', job])
  expect(found).toMatchObject({done: before, open: 0, left: 60 - before})
  expect(found).not.toHaveProperty('reasons')
  const resumed = await one.team(['bulk', 'resume', job], {sleep: prompt})
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(rows.toSorted()).toEqual(numbers(60).toSorted())
}, 120_000)

test('without a database nothing is sent, and the message names no password', async () => {
  const {service} = await witness()
  const one = await openMachine({database: 'postgres://app:s3cret-pass@127.0.0.1:1/jobs', url: service.url})
  const run = await one.team(['bulk', 'run', PRICES, '--from', '-', '--shared'], {stdin: pricesOf(2)})
  expect(run.code).toBe(9)
  expect(run.stderr).toContain('127.0.0.1:1/jobs: nothing listens there')
  expect(run.stderr).not.toContain('s3cret')
  expect(service.requests).toEqual([])
})
