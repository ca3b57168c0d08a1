// `apply` killed in the middle, and run again with the same plan.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {FIRST_ACCOUNT, type World} from '../sandbox/helpers/world.ts'
import {type KillTimes, killAfter} from './kill-after.ts'

export interface PlanScene {
  /** Of each plan. */
  readonly rows: number
  readonly kills: number
  readonly times: KillTimes
}

export interface PlanReport {
  readonly plans: number
  readonly kills: number
  /** Kills after which some rows of the plan had their effect and others not. */
  readonly midway: number
}

/** @throws Error when a row of a plan had no effect, or more than one. */
export async function planScene(world: World, {rows, kills, times}: PlanScene): Promise<PlanReport> {
  const report = {plans: 0, kills: 0, midway: 0}
  const file = join(world.folder, 'rows.csv')
  while (report.kills < kills) {
    const lines = Array.from({length: rows}, (_, at) => `${FIRST_ACCOUNT + at},${1000 + report.plans}\n`)
    await writeFile(file, `id,creditLimit\n${lines.join('')}`)
    const plan = join(world.folder, `${report.plans}.plan`)
    const command = ['bulk', 'plan', 'accounts', 'patch', '--type', 'credit', '--from', file, '--out', plan]
    await must(world.home.run(command))
    const apply = ['apply', plan, '--rate', 'off', '--concurrency', '8']
    while (report.kills < kills) {
      const {code, stderr} = await killAfter(world.home, apply, times())
      if (code === 0) break
      if (code !== null) throw new Error(`apply ended ${code}: ${stderr}`)
      report.kills++
      const done = await doneOf(world, report.plans)
      if (done > 0 && done < rows) report.midway++
    }
    await must(world.home.run(apply))
    const done = await doneOf(world, report.plans)
    if (done !== rows) throw new Error(`${done} of ${rows} rows had their effect`)
    report.plans++
  }
  return report
}

async function must(run: Promise<{readonly code: number | null; readonly stderr: string}>): Promise<void> {
  const {code, stderr} = await run
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`)
}

/** How many rows of this plan had their effect, after those of all plans before. */
async function doneOf(world: World, plans: number): Promise<number> {
  const effects = await world.effects()
  const wrong = effects.filter(count => count < plans || count > plans + 1)
  if (wrong.length > 0) throw new Error(`${wrong.length} rows had no effect, or more than one`)
  return effects.filter(count => count === plans + 1).length
}
