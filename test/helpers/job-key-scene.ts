// `bulk run --job-key` in a job of a pipeline: killed, and started again on a machine that knows nothing of it.
import {mkdir, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {FIRST_ACCOUNT, type World} from '../sandbox/helpers/world.ts'
import {type KillTimes, killAfter} from './kill-after.ts'
import {ProcessHome, type ProcessHomeOptions} from './process-home.ts'

export interface JobKeyScene extends ProcessHomeOptions {
  readonly rows: number
  /** How many processes to kill; each next one starts on a fresh machine. */
  readonly kills: number
  readonly times: KillTimes
}

export interface JobKeyReport {
  readonly kills: number
  /** Kills after which some rows had their effect and others not. */
  readonly midway: number
  /** Machines that began after a kill at which rows had had their effect. */
  readonly replayed: number
}

/** @throws Error when a row had no effect, or more than one. */
export async function jobKeyScene(
  world: World,
  {rows, kills, times, ...program}: JobKeyScene,
): Promise<JobKeyReport> {
  const report = {kills: 0, midway: 0, replayed: 0}
  const file = join(world.folder, 'rows.csv')
  const lines = Array.from({length: rows}, (_, at) => `${FIRST_ACCOUNT + at},${1000 + at}\n`)
  await writeFile(file, `id,creditLimit\n${lines.join('')}`)
  const command = ['bulk', 'run', 'accounts', 'patch', '--type', 'credit', '--from', file]
  const flags = ['--job-key', 'nightly', '--rate', 'off', '--concurrency', '8']
  let before = 0
  for (let machine = 0; report.kills < kills; machine++) {
    const folder = join(world.folder, `machine-${machine}`)
    await mkdir(folder)
    const env = {CARDCTL_PROFILE: 'world', ...program.env}
    const home = new ProcessHome(folder, {...program, env})
    await home.addProfile('world', world.proxy?.url ?? world.service.url)
    const {code, stderr} = await killAfter(home, [...command, ...flags], times())
    if (code === null) report.kills++
    else if (code !== 0) throw new Error(`bulk run ended ${code}: ${stderr}`)
    if (before > 0) report.replayed++
    before = await mustBeOnce(world)
    if (code === null && before > 0 && before < rows) report.midway++
    await rm(folder, {recursive: true, force: true})
  }
  const home = new ProcessHome(join(world.folder, 'last'), {...program, env: {CARDCTL_PROFILE: 'world'}})
  await mkdir(home.home)
  await home.addProfile('world', world.service.url)
  const {code, stderr} = await home.run([...command, ...flags])
  if (code !== 0) throw new Error(`the last run ended ${code}: ${stderr}`)
  const done = await mustBeOnce(world)
  if (done !== rows) throw new Error(`${done} of ${rows} rows had their effect`)
  return report
}

/** How many rows had their effect. */
async function mustBeOnce(world: World): Promise<number> {
  const effects = await world.effects()
  const twice = effects.filter(count => count > 1)
  if (twice.length > 0) throw new Error(`${twice.length} rows had their effect more than once`)
  return effects.filter(count => count === 1).length
}
