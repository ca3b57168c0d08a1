// 200 processes killed at random points: over a 5,000-row `accounts patch` run, and over files of transfers.
import process from 'node:process'
import {killTimes} from '../helpers/kill-after.ts'
import {patchScene} from '../helpers/patch-scene.ts'
import {seeded} from '../helpers/random.ts'
import {transferScene} from '../helpers/transfer-scene.ts'
import {World, type WorldOptions} from '../sandbox/helpers/world.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_121)
const KILLS = Number(process.env.KILLS ?? 200)
const ROWS = Number(process.env.ROWS ?? 5000)

const random = seeded(SEED)
await inWorld({accounts: ROWS}, async world => {
  const times = await killTimes(world.home, random, 400)
  const patch = await patchScene(world, {rows: ROWS, kills: KILLS, times})
  process.stdout.write(`accounts patch, ${ROWS} rows, seed ${SEED}: ${JSON.stringify(patch)}\n`)
  process.stdout.write('  every account changed exactly once by each job, no row lost\n')
})
// Half of the answers come late, so that more kills strike between an effect and its answer.
await inWorld({nextFault: () => (random() < 0.5 ? 'delay' : undefined)}, async world => {
  const transfers = await transferScene(world, {kills: KILLS, files: 1, random})
  process.stdout.write(`a2a create: ${JSON.stringify(transfers)}\n`)
  process.stdout.write('  every transfer booked once, verdicts true, the total over all accounts unchanged\n')
})

async function inWorld(options: WorldOptions, scene: (world: World) => Promise<void>): Promise<void> {
  const world = await World.open(options)
  try {
    await scene(world)
  } finally {
    await world.close()
  }
}
