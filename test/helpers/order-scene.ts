// A bulk run with several rows for each account, at a service that fails at random, killed again and again until all rows
// are done. The requests at the service show whether a row went after a failed or unknown one of its account.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'
import type {Passed} from './cutting-proxy.ts'
import {type KillTimes, killAfter} from './kill-after.ts'

const PATCH = 'accounts.patchCredit.v4'
/** Half of the planted faults leave the effect open; together they meet 15 % of the requests. */
const FAULTS = [
  ['--status', '422', '--probability', '0.0375'],
  ['--status', '503', '--probability', '0.0375'],
  ['--drop', 'before', '--probability', '0.0375'],
  ['--drop', 'after', '--probability', '0.0375'],
]

export interface OrderScene {
  readonly accounts: number
  readonly rowsEach: number
  readonly kills: number
  readonly times: (world: World) => Promise<KillTimes>
}

export interface OrderReport {
  readonly arrivals: number
  /** Those whose response was an error or never came. */
  readonly faulty: number
  readonly runs: number
  readonly kills: number
  readonly resolved: number
  /** The largest number of rows that a run held back. */
  readonly held: number
}

interface Job {
  readonly job: string
  readonly state: string
  readonly rows: number
  readonly done: number
  readonly held: number
}

/** @throws Error when a row went too early, or an account doesn't hold its last row. */
export async function orderScene(scene: OrderScene): Promise<OrderReport> {
  const witness = new Witness()
  const world = await World.open({accounts: scene.accounts, nextFault: () => undefined, passed: witness.look})
  try {
    return await play(world, witness, scene)
  } finally {
    await world.close()
  }
}

class Witness {
  /** Rows without a success, by account. */
  readonly #open = new Map<number, Set<number>>()
  readonly broken: string[] = []
  arrivals = 0
  faulty = 0

  readonly look = ({url, body}: Passed): ((status: number | undefined) => void) => {
    const account = Number(/CREDIT\/(\d+)/.exec(url)?.[1])
    if (Number.isNaN(account)) return () => undefined
    const {creditLimit: row} = JSON.parse(body.toString()) as {creditLimit: number}
    const open = this.#open.get(account) ?? new Set()
    this.#open.set(account, open)
    for (const before of open) {
      if (before < row) this.broken.push(`row ${row} of account ${account} went after row ${before}`)
    }
    open.add(row)
    this.arrivals++
    return status => {
      if (status === 200) open.delete(row)
      else this.faulty++
    }
  }
}

async function play(world: World, witness: Witness, scene: OrderScene): Promise<OrderReport> {
  const {home, folder} = world
  const report = {runs: 0, kills: 0, resolved: 0, held: 0}
  for (const fault of FAULTS)
    await mustRun(world, ['sandbox', 'faults', 'add', '--operation', PATCH, ...fault])
  const file = join(folder, 'rows.csv')
  await writeFile(file, rowsOf(scene))
  const nextKill = await scene.times(world)
  const flags = ['--rate', 'off', '--concurrency', '8']
  let argv = ['bulk', 'run', PATCH, '--from', file, ...flags]
  for (;;) {
    const {code, stderr} = await killAfter(home, argv, report.kills < scene.kills ? nextKill() : undefined)
    report.runs++
    if (code === null) report.kills++
    else if (code !== 0 && code !== 11)
      throw new Error(`${argv.slice(0, 3).join(' ')} ended ${code}: ${stderr}`)
    const [job] = await home.json<Job[]>(['bulk', 'list'])
    if (code === 0 && job?.done === job?.rows) break
    if (job === undefined || job.state === 'unread') continue
    report.held = Math.max(report.held, job.held)
    report.resolved += await resolveSome(world)
    argv = ['bulk', 'resume', job.job, '--retry-failed', ...flags]
    if (report.runs > 200) throw new Error('the job does not come to its end')
  }
  const {broken, arrivals, faulty} = witness
  if (broken.length > 0)
    throw new Error(`${broken.length} rows went too early: ${broken.slice(0, 5).join(', ')}`)
  mustHoldLast(await world.limits(), scene)
  return {arrivals, faulty, ...report}
}

/** The rows of all accounts in turn, so that those of one account are far apart; each sets its own number. */
function rowsOf({accounts, rowsEach}: OrderScene): string {
  const row = (_: unknown, at: number) => `${FIRST_ACCOUNT + (at % accounts)},${at + 1}\n`
  return `id,creditLimit\n${Array.from({length: accounts * rowsEach}, row).join('')}`
}

function mustHoldLast(limits: ReadonlyMap<number, unknown>, {accounts, rowsEach}: OrderScene): void {
  for (let at = 0; at < accounts; at++) {
    const [limit, last] = [limits.get(FIRST_ACCOUNT + at), accounts * (rowsEach - 1) + at + 1]
    if (limit !== last)
      throw new Error(`account ${FIRST_ACCOUNT + at} holds ${limit}, its last row is ${last}`)
  }
}

/** Resolves some of the requests with an unknown effect, as a person would. */
async function resolveSome({home}: World): Promise<number> {
  const open = await home.json<{id: string}[]>(['requests', 'list', '--state', 'unknown', '--limit', '3'])
  for (const {id} of open) await home.run(['requests', 'resolve', id])
  return open.length
}

async function mustRun({home}: World, argv: readonly string[]): Promise<void> {
  const {code, stderr} = await home.run(argv)
  if (code !== 0) throw new Error(`${argv.join(' ')} ended ${code}: ${stderr}`)
}
