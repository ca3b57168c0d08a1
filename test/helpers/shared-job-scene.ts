// Three workers of one shared job, each killed again and again at random moments, until the job has ended.
import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {ProcessHome, type ProcessHomeOptions} from './process-home.ts'

export interface SharedJobScene {
  readonly folder: string
  readonly database: string
  readonly url: string
  readonly operation: string
  /** CSV. */
  readonly rows: string
  /** Kills of each of the three workers. */
  readonly kills: number
  readonly program: NonNullable<ProcessHomeOptions['program']>
  /** How many requests have arrived: kills come while the number grows. */
  readonly arrived: () => number
  readonly random: () => number
}

interface RowResult {
  readonly row: number
  readonly state: string
  readonly request?: string
  readonly key: string
}

export interface SharedJobReport {
  readonly kills: number
  /** Exit codes of the workers that were not killed. */
  readonly codes: readonly (number | null)[]
  readonly results: readonly RowResult[]
  readonly stderr: string
}

const WORKERS = 3
const LEASE = '2s'

export async function sharedJobScene(scene: SharedJobScene): Promise<SharedJobReport> {
  const {folder, database, url, operation, program} = scene
  const env = {
    CARDCTL_PROFILE: 'team',
    TEAM_URL: database,
    TEAM_KEY: Buffer.alloc(32, 9).toString('hex'),
  }
  const machines = await Promise.all(
    Array.from({length: WORKERS}, async (_, at) => {
      const home = join(folder, `machine-${at}`)
      await mkdir(home)
      const machine = new ProcessHome(home, {program, env})
      const flags = ['--kind', 'sandbox', '--base-url', url, '--auth', 'none', '--settle-delay', '50ms']
      const team = ['--team-store', 'env:TEAM_URL', '--team-key', 'env:TEAM_KEY', '--rate', '60/s,3600/min']
      await machine.json(['profiles', 'add', 'team', ...flags, ...team, '--profile-audit-user', 'night'])
      return machine
    }),
  )
  const [first] = machines
  if (first === undefined) throw new Error('no machine')
  const file = join(folder, 'rows.csv')
  await writeFile(file, scene.rows)
  const run = ['bulk', 'run', operation, '--from', file, '--shared', '--prepare', '--lease', LEASE]
  const {job} = await first.json<{job: string}>(run)
  let kills = 0
  let stderr = ''
  const codes: (number | null)[] = []
  const work = async (machine: ProcessHome): Promise<void> => {
    for (let killed = 0; ; ) {
      const child = machine.spawn(['bulk', 'work', job, '--concurrency', '8'])
      let own = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        own += text
        stderr += text
      })
      const isAtWork = (): boolean => /rows? left · /.test(own)
      child.stdout?.resume()
      const ended = once(child, 'close') as Promise<[number | null]>
      if (killed < scene.kills && (await killAtWork(child, isAtWork, scene))) {
        killed++
        kills++
        await ended
        continue
      }
      const [code] = await ended
      codes.push(code)
      return
    }
  }
  await Promise.all(machines.map(work))
  const results = await first.json<RowResult[]>(['bulk', 'results', job])
  return {kills, codes, results, stderr}
}

/** Kills a worker some time after it began to work. */
async function killAtWork(
  child: ChildProcess,
  isAtWork: () => boolean,
  {arrived, random}: Pick<SharedJobScene, 'arrived' | 'random'>,
): Promise<boolean> {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null
  while (!isOver() && !isAtWork()) await pause(5)
  const from = arrived()
  const many = 5 + Math.floor(random() * 40)
  while (!isOver() && arrived() < from + many) await pause(5)
  return !isOver() && child.kill('SIGKILL')
}
