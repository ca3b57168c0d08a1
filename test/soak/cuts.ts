// The same through a proxy that cuts, delays, duplicates and truncates.
import process from 'node:process'
import {connectionFaults} from '../helpers/cutting-proxy.ts'
import {patchScene} from '../helpers/patch-scene.ts'
import {seeded} from '../helpers/random.ts'
import {transferScene} from '../helpers/transfer-scene.ts'
import {World} from '../sandbox/helpers/world.ts'

const SEED = Number(process.env.CUT_SEED ?? 20_261_121)
const ROWS = Number(process.env.ROWS ?? 5000)
const FILES = Number(process.env.FILES ?? 40)
const SHARE = 0.25

const random = seeded(SEED)
const fault = () =>
  random() < SHARE ? connectionFaults[Math.floor(random() * connectionFaults.length)] : undefined
const never = () => 0
const world = await World.open({accounts: ROWS, nextFault: fault})
try {
  const patch = await patchScene(world, {rows: ROWS, kills: 0, times: never})
  process.stdout.write(`accounts patch, ${ROWS} rows, seed ${SEED}: ${JSON.stringify(patch)}\n`)
  process.stdout.write('  every account changed exactly once, no row lost\n')
  const transfers = await transferScene(world, {kills: 0, files: FILES, random})
  process.stdout.write(`a2a create: ${JSON.stringify(transfers)}\n`)
  process.stdout.write('  every transfer booked once, verdicts true, the total over all accounts unchanged\n')
  process.stdout.write(`faults: ${JSON.stringify(world.proxy?.counts)}\n`)
} finally {
  await world.close()
}
