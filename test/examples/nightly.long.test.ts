// examples/nightly.sh under an outage: it tries again before it calls anybody.
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from 'vitest'
import {bash, type Ended, emptyHome} from '../helpers/binary.ts'

const SCRIPT = join(import.meta.dirname, '../../examples/nightly.sh')

/** @param between what happens during the first pause. */
async function night(fault: string, between: string): Promise<Ended & {readonly runs: number}> {
  const home = await emptyHome()
  cpSync(SCRIPT, join(home, 'nightly.sh'))
  writeFileSync(join(home, 'limits.csv'), 'id,creditLimit\n2001,6500\n')
  const line = `export CARDCTL_PROFILE=sandbox
cardctl sandbox faults add --operation accounts.patchCredit.v4 ${fault} -q >/dev/null
sleep() { if [ "$1" = 1 ]; then ${between}; fi; }
export CARDCTL_RETRIES=0 PAUSES='0 1 2'
set -- limits.csv
. ./nightly.sh`
  const ended = await bash(home, line)
  return {...ended, runs: ended.stderr.match(/^If it is cut off/gm)?.length ?? 0}
}

it('a short outage alerts nobody', async () => {
  const {code, stderr, runs} = await night('--status 503', 'cardctl sandbox faults clear --yes -q >/dev/null')
  expect([code, runs]).toEqual([0, 2])
  expect(stderr).not.toContain('ALERT')
})

it.each(['dash', 'bash'])(
  'hands SIGTERM on in %s, as a container stops a job, and ends as the job did',
  async shell => {
    const home = await emptyHome()
    const job =
      "cardctl() { exec node -e \"process.on('SIGTERM', () => setTimeout(() => { console.log('told'); process.exit(7) }, 300)); console.log('up'); setTimeout(() => 0, 30000)\"; }"
    writeFileSync(join(home, 'stopped.sh'), `${job}\n${readFileSync(SCRIPT, 'utf8')}`)
    const line = `${shell} stopped.sh limits.csv > said & run=$!
until grep -q up said; do sleep 0.1; done
kill -TERM $run; wait $run; code=$?; cat said; exit $code`
    expect(await bash(home, line)).toMatchObject({code: 7, stdout: 'up\ntold\n'})
  },
)

it.each(['dash', 'bash'])('sends nothing more once SIGTERM comes between two tries, in %s', async shell => {
  const home = await emptyHome()
  writeFileSync(
    join(home, 'stopped.sh'),
    `cardctl() { echo sent; exit 11; }\n${readFileSync(SCRIPT, 'utf8')}`,
  )
  const line = `PAUSES='0 20' ${shell} stopped.sh limits.csv > said 2>&1 & run=$!
until grep -q sent said; do sleep 0.1; done; sleep 0.3
kill -TERM $run; wait $run; code=$?; cat said; exit $code`
  const began = performance.now()
  expect(await bash(home, line)).toMatchObject({code: 143, stdout: 'sent\n'})
  expect(performance.now() - began).toBeLessThan(15_000)
})

it('rows that stay behind alert, after three runs', async () => {
  const {code, stderr, runs} = await night('--status 503', 'true')
  expect([code, runs]).toEqual([11, 3])
  expect(stderr.match(/ALERT/g)).toHaveLength(1)
})
