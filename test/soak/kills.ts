// 200 processes killed at random points: over a 5,000-row `accounts patch` run, and over files of transfers.
import process from 'node:process'
import {killTimes} from '../helpers/killer.ts'
import {patchScene} from '../helpers/patch-scene.ts'
import {seeded} from '../helpers/random.ts'
import {transferScene} from '../helpers/transfer-scene.ts'
import {World} from '../helpers/world.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_121)
const KILLS = Number(process.env.KILLS ?? 200)
const ROWS = Number(process.env.ROWS ?? 5000)

const random = seeded(SEED)
const world = await World.open({accounts: ROWS})
try {
  const patch = await patchScene(world, {
    rows: ROWS,
    kills: KILLS,
    times: await killTimes(world.desk, random, 400),
  })
  process.stdout.write(`accounts patch, ${ROWS} rows, seed ${SEED}: ${JSON.stringify(patch)}\n`)
  process.stdout.write('  every account changed exactly once by each job, no row lost\n')
  const times = await killTimes(world.desk, random, 100)
  const transfers = await transferScene(world, {kills: KILLS, files: 1, times})
  process.stdout.write(`a2a create: ${JSON.stringify(transfers)}\n`)
  process.stdout.write(
    '  every transfer at most once, verdicts true, the total over all accounts unchanged\n',
  )
} finally {
  await world.close()
}
