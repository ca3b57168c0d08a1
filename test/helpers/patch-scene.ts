// A bulk run of one change for each account, killed again and again until all rows are done.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {FIRST_ACCOUNT, type World} from '../sandbox/helpers/world.ts'
import {type KillTimes, killAfter} from './kill-after.ts'

export interface PatchScene {
  readonly rows: number
  /** How many processes to kill; starts jobs until then. */
  readonly kills: number
  readonly times: KillTimes
  readonly concurrency?: number
}

export interface PatchReport {
  readonly jobs: number
  readonly kills: number
  /** Kills that left some rows done and others not. */
  readonly midway: number
  /** Runs that ended with rows left, which a resume then sent. */
  readonly resumed: number
}

interface Job {
  readonly job: string
  readonly state: string
  readonly rows: number
  readonly done: number
  readonly sent: number
}

/** @throws Error when a row was lost, or its account has another number of effects than there were jobs. */
export async function patchScene(world: World, scene: PatchScene): Promise<PatchReport> {
  const {home} = world
  const report = {jobs: 0, kills: 0, midway: 0, resumed: 0}
  const flags = ['--rate', 'off', '--concurrency', String(scene.concurrency ?? 8)]
  const newest = async (): Promise<Job | undefined> => (await home.json<Job[]>(['bulk', 'list']))[0]
  do {
    const file = join(world.folder, `rows-${report.jobs}.csv`)
    await writeFile(file, rowsOf(scene.rows, report.jobs))
    const run = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', file, ...flags]
    const before = (await newest())?.job
    for (let argv = run; ; ) {
      const kill = report.kills < scene.kills ? scene.times() : undefined
      const {code, stderr} = await killAfter(home, argv, kill)
      if (code === null) report.kills++
      else if (code === 11) report.resumed++
      else if (code !== 0) throw new Error(`${argv.slice(0, 3).join(' ')} ended ${code}: ${stderr}`)
      const job = await newest()
      if (job?.state === 'done') break
      if (code === 0) throw new Error(`the run ended 0 and its job is ${job?.state}`)
      // Killed before it had read its rows, it sent nothing: start it again.
      const isBegun = job !== undefined && job.job !== before && job.state !== 'unread'
      if (isBegun && job.done + job.sent > 0) report.midway++
      argv = isBegun ? ['bulk', 'resume', job.job, ...flags] : run
      if (report.resumed > 100) throw new Error('the job does not come to its end')
    }
    report.jobs++
    await mustHold(world, scene.rows, report.jobs, (await newest())?.done)
  } while (report.kills < scene.kills)
  return report
}

const rowsOf = (rows: number, job: number): string =>
  `id,creditLimit\n${Array.from({length: rows}, (_, at) => `${FIRST_ACCOUNT + at},${1000 + job}\n`).join('')}`

async function mustHold(world: World, rows: number, jobs: number, done: number | undefined): Promise<void> {
  if (done !== rows) throw new Error(`${done} of ${rows} rows are done`)
  const effects = await world.effects()
  const wrong = effects.filter(count => count !== jobs)
  if (effects.length !== rows || wrong.length > 0) {
    throw new Error(
      `${wrong.length} of ${effects.length} accounts changed another number of times than ${jobs}`,
    )
  }
}
