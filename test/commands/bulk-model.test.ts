import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

const PATCH = 'accounts.patchCredit.v4'
const HOUR = 3_600_000

interface Job {
  readonly job: string
  readonly rows: number
  readonly done: number
  readonly failed: number
  readonly unknown: number
  readonly waiting: number
  readonly sent: number
  readonly again: number
}

/** What must have happened at the service, whatever broke. */
interface Model {
  /** Rows of each job. */
  readonly rows: number[]
  /** Effects that may be there twice: what was sent again after its key had died, because a person said so. */
  repeated: number
}

/** The tool, the embedded service behind it, and the clock of both. */
interface Real {
  readonly home: Home
  now: number
}

type Command = fc.AsyncCommand<Model, Real>

const at = (real: Real) => ({now: () => real.now})
const json = <T>(real: Real, ...argv: string[]) => real.home.json<T>(argv, at(real))
const jobsOf = (real: Real) => json<Job[]>(real, 'bulk', 'list')

// Clocks that were set back shuffle the jobs.
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)

/** The sandbox and the journal against the model. */
async function compare(model: Model, real: Real): Promise<void> {
  const jobs = await jobsOf(real)
  expect(sorted(jobs.map(({rows}) => rows))).toEqual(sorted(model.rows))
  let [done, open] = [0, 0]
  for (const job of jobs) {
    const {rows, failed, waiting, again, sent, unknown} = job
    expect(job.done + failed + waiting + again + sent + unknown, 'no row is lost').toBe(rows)
    done += job.done
    open += sent + unknown
  }
  const {effects} = await json<{effects: number}>(real, 'sandbox', 'state', 'show', 'account', '2001')
  expect(effects, 'what is done had its effect').toBeGreaterThanOrEqual(done)
  expect(effects, 'and nothing else had').toBeLessThanOrEqual(done + open + model.repeated)
  expect((await real.home.run(['audit', 'verify'], at(real))).code).toBe(0)
}

class Run implements Command {
  readonly rows: number
  readonly fault: readonly string[]

  constructor(rows: number, fault: readonly string[]) {
    this.rows = rows
    this.fault = fault
  }

  check = () => true

  async run(model: Model, real: Real): Promise<void> {
    const {home} = real
    if (this.fault.length > 0)
      await home.run(['sandbox', 'faults', 'add', '--operation', PATCH, ...this.fault])
    const line = (_: unknown, row: number) => `2001,${1000 + row}\n`
    const stdin = `id,creditLimit\n${Array.from({length: this.rows}, line).join('')}`
    const argv = ['bulk', 'run', PATCH, '--from', '-', '--rate', 'off', '--concurrency', '2', '--unordered']
    const {code} = await home.run(argv, {...at(real), stdin})
    expect([0, 6, 8, 9, 10, 11]).toContain(code)
    await home.run(['sandbox', 'faults', 'clear', '--yes'], at(real))
    model.rows.push(this.rows)
    await compare(model, real)
  }

  toString = () => `run(${this.rows}, ${this.fault.join(' ')})`
}

class Resume implements Command {
  check = (model: Readonly<Model>) => model.rows.length > 0

  async run(model: Model, real: Real): Promise<void> {
    for (const {job, sent, again, waiting} of await jobsOf(real)) {
      if (sent + again + waiting === 0) continue
      const resume = ['bulk', 'resume', job, '--rate', 'off']
      const asked = await real.home.run(resume, at(real))
      expect([0, 2, 6, 8, 9, 10, 11]).toContain(asked.code)
      if (asked.code !== 2) continue
      expect(asked.stderr).toContain('forgotten their keys')
      model.repeated += sent
      expect([0, 6, 8, 9, 10, 11]).toContain((await real.home.run([...resume, '--yes'], at(real))).code)
    }
    await compare(model, real)
    for (const job of await jobsOf(real)) expect(job.sent + job.again + job.waiting).toBe(0)
  }

  toString = () => 'resume'
}

class Jump implements Command {
  readonly ms: number

  constructor(ms: number) {
    this.ms = ms
  }

  check = () => true

  async run(model: Model, real: Real): Promise<void> {
    real.now += this.ms
    await compare(model, real)
  }

  toString = () => `jump(${this.ms / HOUR} h)`
}

const fault = fc.constantFrom(
  [],
  ['--drop', 'after', '--count', '7'],
  ['--drop', 'before', '--count', '7'],
  ['--drop', 'after', '--probability', '0.4'],
  ['--status', '503', '--probability', '0.7'],
  ['--status', '422', '--count', '2'],
  ['--status', '429', '--count', '30'],
)
const commands = fc.commands(
  [
    fc.tuple(fc.integer({min: 1, max: 9}), fault).map(([rows, with_]) => new Run(rows, with_)),
    fc.constant(new Resume()),
    fc.constantFrom(HOUR, -HOUR, 25 * HOUR, -20 * HOUR).map(ms => new Jump(ms)),
  ],
  {maxCommands: 7},
)

test('whatever breaks, in whatever order, the journal agrees with the service', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async some => {
      const home = await openHome()
      try {
        const start = () => ({model: {rows: [], repeated: 0}, real: {home, now: Date.now()}})
        await fc.asyncModelRun(start, some)
      } finally {
        await home.remove()
      }
    }),
    {numRuns: Number(process.env.MODEL_RUNS ?? 8)},
  )
}, 180_000)
