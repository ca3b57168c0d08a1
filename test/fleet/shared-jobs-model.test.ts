// The leases against a model: workers that take, record, send, end, sleep and die in any order.
import {randomUUID} from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import {afterAll, beforeAll, expect, inject, test} from 'vitest'
import {JobsDatabase} from '../../src/fleet/jobs/jobs-database.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {runs} from '../helpers/whole.ts'

const url = inject('postgres') ?? ''
let client: pg.Client

beforeAll(async () => {
  if (url === '') return
  // Creates the tables.
  await (await JobsDatabase.open({url: new Secret(url)}, async () => undefined)).close()
  client = new pg.Client(url)
  await client.connect()
})
afterAll(() => client?.end())

const sql = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
  (await client.query<Row>(text, [...values])).rows

const ROWS = 8
const RESOURCES = 3
const WORKERS = 3

/** A worker's own view: it may be wrong about what it has. */
interface View {
  id: string | undefined
  readonly taken: {readonly row: number; readonly state: string}[]
  /** Recorded, and the worker was told so; with the state that the row had when it was taken. */
  readonly begun: Map<number, {readonly request: string; readonly state: string}>
}

interface Model {
  /** Requests that left, by row, and whether they had an effect. */
  readonly sent: Map<number, {request: string; effect: boolean}[]>
  readonly views: View[]
}

interface Real {
  readonly job: number
  readonly isHonoured: boolean
}

type Command = fc.AsyncCommand<Model, Real>
type Act = (view: View, model: Model, real: Real) => Promise<void>

const isGone = (error: unknown): boolean => (error as {code?: string}).code === 'CW001'

async function unlessGone<T>(view: View, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isGone(error)) throw error
    // It joins again, and still believes to have the rows from before: the database must know better.
    view.id = undefined
    return undefined
  }
}

const command = (name: string, worker: number, act: Act): Command => ({
  check: () => true,
  run: async (model, real) => {
    const view = model.views[worker]
    if (view) await act(view, model, real)
    await compare(model, real)
  },
  toString: () => `${name}(${worker})`,
})

const take: Act = async (view, _, {job}) => {
  view.id ??= (
    await sql<{worker: string}>(`SELECT worker FROM cardctl_jobs.join_job($1, 'model')`, [job])
  )[0]?.worker
  const rows = await unlessGone(view, () =>
    sql<{row: number; state: string}>('SELECT row, state FROM cardctl_jobs.take($1, $2, 2)', [job, view.id]),
  )
  view.taken.push(...(rows ?? []))
}

/** Records the first row that it believes to have. */
const begin: Act = async (view, _, {job}) => {
  const taken = view.taken.shift()
  if (taken === undefined) return
  const {row, state} = taken
  const request = `r_${randomUUID()}`
  const begun = await unlessGone(view, () =>
    sql('SELECT cardctl_jobs.begin_rows($1, $2, $3, $4)', [job, view.id, [row], [request]]),
  )
  if (begun?.length === 1) view.begun.set(row, {request, state})
}

/** Sends what it recorded, even if its lease ran out since: the worst that a pause can do. */
const send: Act = async ({begun}, {sent}, {isHonoured}) => {
  const [row, {request} = {request: undefined}] = [...begun][0] ?? []
  if (row === undefined || request === undefined) return
  const before = sent.get(row) ?? []
  const isNew = !isHonoured || before.every(({effect}) => !effect)
  if (!before.some(one => one.request === request)) sent.set(row, [...before, {request, effect: isNew}])
}

const end =
  (state: 'done' | 'failed' | 'again' | 'unknown'): Act =>
  async ({id, begun}, {sent}, {job, isHonoured}) => {
    const [row, recorded] = [...begun][0] ?? []
    if (row === undefined || recorded === undefined) return
    const {request, state: before} = recorded
    begun.delete(row)
    const left = sent.get(row)?.some(one => one.request === request) ?? false
    // A response tells the truth: what left had its effect, or its fate is unknown.
    const isTrue = left ? state === 'done' || state === 'unknown' : state === 'failed' || state === 'again'
    const truth = isTrue ? state : left ? 'done' : 'again'
    const effect = truth === 'done' ? 'done' : truth === 'unknown' ? 'unknown' : 'none'
    // As the engine does: what may have had an effect before stays open, unless it is done now.
    const isOpen = before === 'sent' && truth !== 'done'
    const kept =
      isOpen && truth === 'failed'
        ? 'unknown'
        : isOpen || (truth === 'unknown' && isHonoured)
          ? 'sent'
          : truth
    const record = {
      row,
      request,
      last: request,
      effect,
      conclusive: false,
      state: kept,
      ready: false,
      keeps: false,
    }
    await sql('SELECT cardctl_jobs.end_rows($1, $2, $3)', [job, id ?? null, JSON.stringify([record])])
  }

/** Its lease runs out. It doesn't know. */
const expire: Act = async ({id}, _, {job}) => {
  await sql(`UPDATE cardctl_jobs.workers SET alive_until = '-infinity' WHERE id = $1`, [id ?? null])
  await sql('SELECT * FROM cardctl_jobs.remove_dead($1)', [job])
}

const die: Act = async (view, model, real) => {
  await expire(view, model, real)
  view.id = undefined
  view.taken.length = 0
  view.begun.clear()
}

const resume: Act = async (_, __, {job}) => {
  await sql('SELECT cardctl_jobs.resume($1, true, false, false)', [job])
}

interface Row {
  readonly row: number
  readonly state: string
  readonly ready: boolean
  readonly worker: string | null
  readonly request: string | null
}

async function compare({sent, views}: Model, {job, isHonoured}: Real): Promise<void> {
  const rows = await sql<Row>(
    'SELECT row, state, ready, worker, request FROM cardctl_jobs.rows WHERE job = $1 ORDER BY row',
    [job],
  )
  expect(rows).toHaveLength(ROWS)
  for (const {row, state, ready, worker, request} of rows) {
    const requests = sent.get(row) ?? []
    const effects = requests.filter(({effect}) => effect).length
    const what = `row ${row}, ${state}`
    expect(effects, `${what} has one effect at most`).toBeLessThanOrEqual(1)
    if (!isHonoured) expect(requests.length, `${what} was sent once at most`).toBeLessThanOrEqual(1)
    if (state === 'done') expect(effects, `${what} had its effect`).toBe(1)
    if (['waiting', 'held', 'failed'].includes(state)) expect(effects, `${what} had none`).toBe(0)
    if (state === 'unknown') expect(request, `${what} is named`).toMatch(/^r_/)
    if (state === 'unknown') expect([ready, worker]).toEqual([false, null])
    // The one before it of its resource.
    const earlier = rows[row - 1 - RESOURCES]
    if (requests.length > 0 && earlier)
      expect(earlier.state, `${what} came after ${earlier.row}`).toBe('done')
  }
  const holders = views.flatMap(({begun}) => [...begun.values()].map(({request}) => request))
  expect(new Set(holders).size).toBe(holders.length)
}

async function newJob(protection: 'key' | 'none'): Promise<number> {
  const [job] = await sql<{number: number}>(
    `INSERT INTO cardctl_jobs.jobs (id, service, operation, contract, protection, key_id, sealed, lease, state)
     VALUES ($1, 'model', 'x', 'x', $2, 'x', '', '1 hour', 'open') RETURNING number`,
    [`sj_${randomUUID()}`, protection],
  )
  await sql(
    `INSERT INTO cardctl_jobs.rows (job, row, line, key, resource, sealed, ready)
     SELECT $1, n, n, n::text, decode('0' || (n % ${RESOURCES})::text, 'hex'), '', n <= ${RESOURCES}
     FROM generate_series(1, ${ROWS}) n`,
    [job?.number],
  )
  return job?.number ?? 0
}

/** How often each act is drawn: work must be likely enough to come to something between the troubles. */
const ACTS: readonly (readonly [weight: number, name: string, act: Act])[] = [
  [6, 'take', take],
  [8, 'begin', begin],
  [8, 'send', send],
  [6, 'done', end('done')],
  [1, 'failed', end('failed')],
  [1, 'again', end('again')],
  [1, 'unknown', end('unknown')],
  [3, 'expire', expire],
  [1, 'die', die],
  [1, 'resume', resume],
]
const drawn = ACTS.flatMap(([weight, name, act]) => Array.from({length: weight}, () => [name, act] as const))
const commands = fc.commands(
  [
    fc
      .tuple(fc.constantFrom(...drawn), fc.integer({min: 0, max: WORKERS - 1}))
      .map(([[name, act], worker]) => command(name, worker, act)),
  ],
  {maxCommands: 120, size: 'max'},
)

test.each(['key', 'none'] as const)(
  'whoever sleeps or dies, with protection "%s" nothing is doubled',
  async protection => {
    await fc.assert(
      fc.asyncProperty(commands, async some => {
        const job = await newJob(protection)
        const views = Array.from({length: WORKERS}, () => ({id: undefined, taken: [], begun: new Map()}))
        const start = () => ({
          model: {sent: new Map(), views},
          real: {job, isHonoured: protection === 'key'},
        })
        await fc.asyncModelRun(start, some)
      }),
      {numRuns: runs(60)},
    )
  },
  120_000,
)
