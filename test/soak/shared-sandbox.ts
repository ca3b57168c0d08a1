// 10,000 transfers over three processes of `sandbox serve --idempotency all` on one database, under 60 kill -9 and 5 crashes of the database: each has one
// effect. Account 2006 has EUR 10,000.
import process from 'node:process'
import {migrateStore} from '../../src/sandbox/team.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {startCluster} from '../helpers/postgres.ts'
import {serveByCommand, stateOf, transfersUnderTrouble} from '../sandbox/helpers/shared-sandbox.ts'

const TRANSFERS = Number(process.env.TRANSFERS ?? 10_000)

const cluster = startCluster()
if (cluster === undefined) {
  process.stdout.write('skipped: PostgreSQL is not installed\n')
} else {
  try {
    await migrateStore({url: new Secret(cluster.url)})
    const began = Date.now()
    const load = {transfers: TRANSFERS, clients: 32, kills: 60, crashes: 5, serve: serveByCommand}
    const {repeats} = await transfersUnderTrouble(cluster, load)
    const seconds = (Date.now() - began) / 1000
    const {read, close} = await stateOf(cluster.url)
    const booked = async (id: string) => {
      const {balances} = (await read('account', id)) as {balances: {currency: string; booked: number}[]}
      return balances.find(({currency}) => currency === 'EUR')?.booked
    }
    const balances = [await booked('2006'), await booked('2007')]
    await close()
    process.stdout.write(
      `${TRANSFERS} transfers in ${seconds.toFixed(0)} s, ${load.kills} kills, ${load.crashes} crashes, ${repeats} sent again: balances ${balances.join(' and ')}\n`,
    )
    if (balances[0] !== 10_000 - TRANSFERS || balances[1] !== 10_000 + TRANSFERS) process.exitCode = 1
    if (repeats === 0) process.exitCode = 1
  } finally {
    cluster.remove()
  }
}
