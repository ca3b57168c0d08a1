// SIGHUP that was to be ignored: Node resets it before any of our code runs.
import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {describe, type TestContext, test} from 'vitest'
import {BINARY, emptyHome, plainEnv, quoted, until} from '../helpers/binary.ts'
import {hasPseudoTerminal, openPseudoTerminal} from '../helpers/pseudo-terminal.ts'

const TOOL = `${quoted(process.execPath)} ${quoted(BINARY)}`
const SERVE = `${TOOL} webhook serve --port 0 -o ndjson`

const hasBash = spawnSync('bash', ['-c', 'true']).status === 0

/** Each leaves the server's id in `pid`, and what it prints in `log` or on the terminal. */
const IGNORING = {
  nohup: `nohup ${SERVE} >log 2>&1 & echo $! >pid; wait`,
  'nohup in the foreground': `nohup sh -c 'echo $$ >pid; exec "$@"' sh ${SERVE} >log 2>&1`,
  "trap '' HUP": `trap '' HUP; ${SERVE} >log 2>&1 & echo $! >pid; wait`,
  "trap '' HUP, on the terminal": `trap '' HUP; ${SERVE} & echo $! >pid; wait`,
  setsid: `setsid sh -c 'echo $$ >pid; exec "$@"' sh ${SERVE} >log 2>&1`,
} as const

const PLAIN = `${SERVE} >log 2>&1 & echo $! >pid; wait`

async function inClosedTerminal(
  line: string,
  onTestFinished: TestContext['onTestFinished'],
): Promise<{pid: number; url: string; home: string}> {
  const home = await emptyHome(onTestFinished)
  const terminal = openPseudoTerminal(['bash', '--norc', '-c', line], {
    cwd: home,
    env: plainEnv(home, {TERM: 'xterm', CARDCTL_PROFILE: 'sandbox'}),
  })
  onTestFinished(() => terminal.kill())
  const read = (file: string) => (existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : '')
  const ready = await until(() => /\{"type":"ready".*\}(?=\r?\n)/.exec(read('log') + terminal.output())?.[0])
  const pid = Number(await until(() => /^\d+\n$/.test(read('pid')) && read('pid')))
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  const {url} = JSON.parse(ready)
  terminal.close()
  return {pid, url, home}
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const canHangUp = hasPseudoTerminal && hasBash && process.platform === 'linux'

// They mostly wait.
describe.skipIf(!canHangUp)('a closed terminal', {concurrent: true}, () => {
  test.for(Object.entries(IGNORING))(
    'does not end what was started with %s',
    async ([, line], {expect, onTestFinished}) => {
      const {pid, url} = await inClosedTerminal(line, onTestFinished)
      // Once more, as a shell does; in a session of its own it is nobody's.
      if (!line.startsWith('setsid')) process.kill(pid, 'SIGHUP')
      // Longer than anything lasts that has got SIGHUP.
      await pause(2500)
      expect((await fetch(`${url}/warm-up`, {method: 'POST'})).status).toBeLessThan(500)
      process.kill(pid, 'SIGTERM')
      await until(() => !isAlive(pid))
    },
  )

  test('ends what was not', async ({onTestFinished}) => {
    const {pid} = await inClosedTerminal(PLAIN, onTestFinished)
    process.kill(pid, 'SIGHUP')
    await until(() => !isAlive(pid))
  })
})
