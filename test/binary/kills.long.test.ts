import {expect, onTestFinished, test} from 'vitest'
import {closingScene} from '../helpers/closing-scene.ts'
import {connectionFaults} from '../helpers/cutting-proxy.ts'
import {jobKeyScene} from '../helpers/job-key-scene.ts'
import {killsMidway} from '../helpers/kill-after.ts'
import {orderScene} from '../helpers/order-scene.ts'
import {patchScene} from '../helpers/patch-scene.ts'
import {planScene} from '../helpers/plan-scene.ts'
import {hasPseudoTerminal} from '../helpers/pseudo-terminal.ts'
import {seeded} from '../helpers/random.ts'
import {transferScene} from '../helpers/transfer-scene.ts'
import {isWhole} from '../helpers/whole.ts'
import {World, type WorldOptions} from '../sandbox/helpers/world.ts'

// A sample of what `npm run soak -- kills cuts` does at length; the scenes throw what is wrong.
const SEED = Number(process.env.KILL_SEED ?? 20_261_121)
const MINUTES = 120_000
/** The soak also kills before and after the work. */
const MIDWAY = {operation: 'accounts.patchCredit.v4', least: 8, most: 25}

async function world(options: WorldOptions = {}): Promise<World> {
  const opened = await World.open(options)
  onTestFinished(() => opened.close())
  return opened
}

test('a kill over a bulk run: every row takes effect once', {timeout: MINUTES}, async () => {
  const here = await world({accounts: 70})
  const times = killsMidway(here.service, seeded(SEED), MIDWAY)
  const {kills, midway} = await patchScene(here, {rows: 70, kills: 1, times, concurrency: 4})
  expect([kills, midway]).toEqual([1, 1])
})

test.runIf(isWhole)(
  'a kill of a job with a job key, which goes on on a fresh machine: every row takes effect once',
  {
    timeout: MINUTES,
  },
  async () => {
    const here = await world({accounts: 70})
    const times = killsMidway(here.service, seeded(SEED), MIDWAY)
    const {kills, midway} = await jobKeyScene(here, {rows: 70, kills: 1, times})
    expect([kills, midway]).toEqual([1, 1])
  },
)

test('a kill of apply, which goes on with the same plan: every row takes effect once', {
  timeout: MINUTES,
}, async () => {
  const here = await world({accounts: 70})
  const times = killsMidway(here.service, seeded(SEED), MIDWAY)
  const {kills, midway} = await planScene(here, {rows: 70, kills: 1, times})
  expect([kills, midway]).toEqual([1, 1])
})

test.runIf(isWhole)(
  'a kill over a file of transfers: each is booked once in the end',
  {timeout: 3 * MINUTES},
  async () => {
    const here = await world()
    const {kills} = await transferScene(here, {files: 1, kills: 1, random: seeded(SEED)})
    expect(kills).toBe(1)
  },
)

test.runIf(isWhole)(
  'through a proxy that cuts, delays, duplicates and truncates',
  {timeout: MINUTES},
  async () => {
    const random = seeded(SEED)
    const mishap = () =>
      random() < 0.3 ? connectionFaults[Math.floor(random() * connectionFaults.length)] : undefined
    const here = await world({accounts: 40, nextFault: mishap})
    const times = () => 0
    expect(await patchScene(here, {rows: 40, kills: 0, times})).toMatchObject({jobs: 1})
    expect(await transferScene(here, {files: 2, kills: 0, random})).toMatchObject({files: 2})
    for (const name of connectionFaults) expect(here.proxy?.counts[name], name).toBeGreaterThan(0)
  },
)

test.runIf(isWhole)(
  'several rows per account: none is sent after a failed or unknown one',
  {
    timeout: 2 * MINUTES,
  },
  async () => {
    const times = async ({service}: World) =>
      killsMidway(service, seeded(SEED), {...MIDWAY, least: 5, most: 10})
    const {kills, faulty} = await orderScene({accounts: 20, rowsEach: 3, kills: 2, times})
    expect(kills).toBe(2)
    expect(faulty).toBeGreaterThan(0)
  },
)

test.runIf(isWhole && hasPseudoTerminal)(
  'windows closed at random moments leave no process and no temporary file, and all that is kept whole',
  {timeout: MINUTES},
  async () => {
    // How long it takes is measured by the soak: here it is enough that each ends.
    const {ends} = await closingScene({closings: 1, random: seeded(SEED), most: 20})
    expect(Object.keys(ends)).toHaveLength(3)
  },
)
