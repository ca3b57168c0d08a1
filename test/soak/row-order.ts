// 1,000 accounts with three rows each, 15 % planted faults, and 40 kills: no row goes after a failed or unknown one of its
// account, and in the end each account holds its last row.
import process from 'node:process'
import {killTimes} from '../helpers/kill-after.ts'
import {orderScene} from '../helpers/order-scene.ts'
import {seeded} from '../helpers/random.ts'

const SEED = Number(process.env.ORDER_SEED ?? 20_261_121)
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 1000)
const KILLS = Number(process.env.KILLS ?? 40)

const random = seeded(SEED)
const report = await orderScene({
  accounts: ACCOUNTS,
  rowsEach: 3,
  kills: KILLS,
  times: ({home}) => killTimes(home, random, 1500),
})
process.stdout.write(`${ACCOUNTS} accounts, 3 rows each, seed ${SEED}: ${JSON.stringify(report)}\n`)
process.stdout.write(
  '  no row went after a failed or unknown one of its account, and each holds its last row\n',
)
