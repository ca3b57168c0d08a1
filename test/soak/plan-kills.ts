// `apply` killed 30 times at random points, and run again with the same plan.
import process from 'node:process'
import {killTimes} from '../helpers/kill-after.ts'
import {planScene} from '../helpers/plan-scene.ts'
import {seeded} from '../helpers/random.ts'
import {World} from '../sandbox/helpers/world.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_128)
const KILLS = Number(process.env.KILLS ?? 30)
const ROWS = Number(process.env.ROWS ?? 1000)

const random = seeded(SEED)
const world = await World.open({accounts: ROWS})
try {
  const times = await killTimes(world.home, random, 1500)
  const report = await planScene(world, {rows: ROWS, kills: KILLS, times})
  process.stdout.write(`apply, ${ROWS} rows, seed ${SEED}: ${JSON.stringify(report)}\n`)
  process.stdout.write('  every row of every plan had its effect exactly once\n')
} finally {
  await world.close()
}
