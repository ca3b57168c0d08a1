// A million rows through one bulk run: how much memory its process has at most. They are of ACCOUNTS accounts, whose rows
// keep their order; with ACCOUNTS=1 one row is on its way at a time.
import {createWriteStream, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {FIRST_ACCOUNT, World} from '../sandbox/helpers/world.ts'

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const ACCOUNTS = Number(process.env.ACCOUNTS ?? 10_000)
const MOST_MIB = 200

const world = await World.open({accounts: ACCOUNTS})
try {
  const file = join(world.folder, 'rows.csv')
  function* rows(): Generator<string> {
    yield 'id,creditLimit\n'
    for (let at = 0; at < ROWS; at++) yield `${FIRST_ACCOUNT + (at % ACCOUNTS)},${at}\n`
  }
  await pipeline(Readable.from(rows()), createWriteStream(file))
  const began = performance.now()
  let most = 0
  const flags = ['--from', file, '--rate', 'off', '--results', '/dev/null']
  const {code, stderr} = await world.home.run(['bulk', 'run', 'accounts.patchCredit.v4', ...flags], child => {
    const look = setInterval(() => {
      most = Math.max(most, peakOf(child.pid))
    }, 500)
    child.on('exit', () => clearInterval(look))
  })
  const seconds = (performance.now() - began) / 1000
  if (code !== 0) throw new Error(`bulk run ended ${code}: ${stderr.slice(-2000)}`)
  process.stdout.write(
    `${ROWS} rows of ${ACCOUNTS} accounts in ${seconds.toFixed(0)} s: at most ${most.toFixed(0)} MiB resident, wanted below ${MOST_MIB}\n`,
  )
  if (most === 0 || most >= MOST_MIB) process.exitCode = 1
} finally {
  await world.close()
}

/** The largest resident set that the process ever had, in MiB; 0 when it is gone. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib ?? 0) / 1024
  } catch {
    return 0
  }
}
