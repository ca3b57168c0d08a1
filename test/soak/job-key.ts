// 30 jobs of a pipeline killed at random points, each run again on a fresh machine with the same job key.
import process from 'node:process'
import {jobKeyScene} from '../helpers/job-key-scene.ts'
import {killTimes} from '../helpers/kill-after.ts'
import {seeded} from '../helpers/random.ts'
import {World} from '../sandbox/helpers/world.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_122)
const KILLS = Number(process.env.KILLS ?? 30)
const ROWS = Number(process.env.ROWS ?? 2000)

const random = seeded(SEED)
const world = await World.open({accounts: ROWS})
try {
  const times = await killTimes(world.home, random, 1500)
  const report = await jobKeyScene(world, {rows: ROWS, kills: KILLS, times})
  process.stdout.write(`bulk run --job-key, ${ROWS} rows, seed ${SEED}: ${JSON.stringify(report)}\n`)
  process.stdout.write('  every row had its effect exactly once, over all machines\n')
} finally {
  await world.close()
}
