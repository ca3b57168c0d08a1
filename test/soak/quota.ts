// Two bulk runs side by side against a service that allows 50 requests a second and 3,000 a minute: no 429, and what is
// allowed is used.
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const PER_SECOND = 50
const SECONDS = Number(process.env.SECONDS ?? 240)
const ROWS = (PER_SECOND * SECONDS) / 2

const world = await World.open({
  accounts: 100,
  serve: ['--rate-limit', `${PER_SECOND}/s,${PER_SECOND * 60}/min`],
})
try {
  const times: number[] = []
  let refused = 0
  world.service.requests(({at, operation, status}) => {
    if (operation === 'accounts.patchCredit.v4') times.push(at)
    if (status === 429) refused++
  })
  const run = async (name: string): Promise<void> => {
    const file = join(world.folder, `${name}.csv`)
    const row = (_: unknown, at: number) => `${FIRST_ACCOUNT + (at % 100)},${at}\n`
    await writeFile(file, `id,creditLimit\n${Array.from({length: ROWS}, row).join('')}`)
    const {code, stderr} = await world.home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', file])
    if (code !== 0) throw new Error(`bulk run ended ${code}: ${stderr}`)
  }
  await Promise.all([run('one'), run('other')])
  const lasted = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  const used = times.length / (PER_SECOND * lasted)
  process.stdout.write(
    `${times.length} requests of two runs in ${lasted.toFixed(1)} s: ${(used * 100).toFixed(2)} % of the quota, ${refused} times 429\n`,
  )
  if (refused > 0 || used < 0.98) process.exitCode = 1
} finally {
  await world.close()
}
