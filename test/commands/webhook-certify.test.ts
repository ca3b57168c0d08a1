import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {exitOf} from '../../src/errors/registry.ts'
import {openProbe, openProbeProcess, openRestart} from '../../src/webhook/certify/index.ts'
import {openCaller} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {isWhole} from '../helpers/whole.ts'
import {faultyEndpoint} from '../webhook/suite/endpoints.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const run = (...argv: string[]) => home.run(['webhook', 'certify', ...argv])
const FEW = ['--calls', '20', '--rate', '100', '--deadline', '60s']

describe('the exit code', {timeout: 300_000}, () => {
  // The load takes 7 s, so two runs must do.
  test.runIf(isWhole)(
    '16 if nothing failed, but an endpoint that declines nothing does not show what was asked for',
    async () => {
      const {url} = await faultyEndpoint({reuse: 409, isStrict: true})
      const {code, stdout, stderr} = await run('--to', url, ...FEW)
      expect(stdout).toMatch(
        /incomplete: nothing failed, but \d+ of \d+ checks could not be done; .* not asked for \(they need --probe, --expects, --restart, --calls 10000\); 20 of 10\D000 timed calls/,
      )
      expect(stdout).toMatch(/– after a restart: answer repeated +not checked\n {4}it needs --restart/)
      expect(stdout).toMatch(/Holds +not seen: no --probe/)
      expect(stdout).toMatch(/Generated +250 of 250 cases of 5 kinds, \d+ calls/)
      expect(stderr).toContain('Error CERTIFICATE_INCOMPLETE')
      expect(code).toBe(exitOf('CERTIFICATE_INCOMPLETE'))
    },
  )

  test.runIf(isWhole)(
    '11 if a check, the probe or the restart failed, or something is missing that is required',
    async () => {
      const {url} = await faultyEndpoint({warmUp: 404, isStrict: true})
      const {code, stdout, stderr} = await run(
        ...['--to', url, ...FEW, '--require', 'probe,signature', '--expects', 'none'],
        ...['--probe', 'echo no such table >&2; exit 3', '--restart', 'true'],
      )
      expect(code, stderr).toBe(11)
      expect(stdout).toMatch(/✗ a warm-up gets status 200 +failed/)
      expect(stderr).toContain('Error EXPECTATION_FAILED: 8 checks of')
      const failed = '--probe failed: it ended with exit code 3: no such table'
      expect(stdout).toContain(`got       ${failed}`)
      expect(stdout).toMatch(
        new RegExp(`– another call with a known id: its earlier hold stays +not checked\\n {4}${failed}\\n`),
      )
      expect(stdout).toContain(`Holds        read 0 times by --probe, then it failed: ${failed}`)
      const open = 'a connection stayed open during --restart, so nothing shows a restart'
      expect(stdout).toMatch(
        new RegExp(`✗ after a restart: a call whose warm-up failed[^✗]*\\n {4}got +${open}`),
      )
      expect(stdout).toContain(`Restart      done 0 times by --restart, then it failed: ${open}`)
      expect(stdout).toMatch(/✗ --probe works .*\n/)
      expect(stdout).toMatch(/✗ calls have a signature .*\n/)
      expect(stdout).toContain(
        'Credentials  the endpoint requires: none, as its owner declared; calls had: none',
      )
      expect(stdout).not.toContain('it needs calls with')
    },
  )

  test('9 if nobody answers the first call', async () => {
    const {code, stderr} = await run('--to', 'http://127.0.0.1:1')
    expect(code).toBe(9)
    expect(stderr).toContain("Couldn't send a call to http://127.0.0.1:1")
  })

  test.each([
    [['--to', 'http://192.0.2.1'], '--confirm 192.0.2.1'],
    [['--to', 'http://127.0.0.1:1', '--probe', ' '], '--probe is empty'],
    [['--to', 'http://127.0.0.1:1', '--expects', 'none,basic'], '--expects none excludes all others'],
    [['--to', 'http://127.0.0.1:1', '--report', 'htm=x'], 'Did you mean html=FILE?'],
    [['--verify', 'README.md'], 'is not a certificate as JSON'],
  ])('2 for %j', async (argv, message) => {
    const {code, stderr} = await run(...argv)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

const {signal} = new AbortController()
const env = childEnvironment({PATH: process.env.PATH}, [])

test.each([
  ['exit 3', 'it ended with exit code 3'],
  ['echo card 4111111111111111 >&2; exit 3', 'it ended with exit code 3: card 411111••••••1111'],
  ['echo no', 'it did not print JSON'],
  ['echo {}; :', 'it did not print an array of holds'],
  ["echo '[{}]'; :", 'a hold has no amount and currency'],
])('a probe that answers %j shows no holds', async (command, reason) => {
  await expect(openProbe(command, {env, signal})('c_1')).rejects.toThrow(`--probe failed: ${reason}`)
})

test('a probe gets the id in its place, or as its last argument', async () => {
  const hold = '[{"amount":"4.20","currency":"EUR"},{"amount":0,"currency":"EUR"}]'
  const echo = `test "$1" = c_1 && echo '${hold}'`
  const found = [{minor: 420n, currency: 'EUR'}]
  expect(await openProbe(`set -- {id}; ${echo}`, {env, signal})('c_1')).toEqual(found)
  expect(await openProbe(`sh -c '${echo.replaceAll("'", `'"'"'`)}' -`, {env, signal})('c_1')).toEqual(found)
})

describe('a long-running probe', () => {
  const opened = (command: string, given = signal) => {
    const {probe, close} = openProbeProcess(command, {env, signal: given})
    onTestFinished(close)
    return probe
  }

  test('is started once, and answers in order', async () => {
    const probe = opened(
      'echo started >&2; n=0; while read -r id; do n=$((n + 1)); echo "[{\\"amount\\": $n, \\"currency\\": \\"JPY\\"}]"; done',
    )
    const found = await Promise.all(['a', 'b', 'c'].map(probe))
    expect(found).toEqual([1n, 2n, 3n].map(minor => [{minor, currency: 'JPY'}]))
  })

  test('that ended between two questions is started again', async () => {
    const probe = opened('read -r id; echo "[]"')
    for (const id of ['a', 'b', 'c']) {
      expect(await probe(id)).toEqual([])
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  })

  test('that is about to end when the next question is asked is started again', async () => {
    const probe = opened('read -r id; echo "[]"; sleep 0.2')
    for (const id of ['a', 'b', 'c']) expect(await probe(id)).toEqual([])
    await expect(opened('read -r id')('d')).rejects.toThrow('exit code 0 before it answered')
  })

  test.each([
    ['exit 3', 'it ended with exit code 3 before it answered'],
    ['read -r id; echo no file >&2; exit 4', 'it ended with exit code 4 before it answered: no file'],
    ['read -r id; echo hello', 'it did not print JSON'],
    ['read -r id; kill -9 $$', 'it was ended by SIGKILL'],
  ])('of %j shows no holds', async (command, reason) => {
    await expect(opened(command)('c_1')).rejects.toThrow(`--probe failed: ${reason}`)
  })

  test('is ended with the run, with all that it started', async () => {
    const stop = new AbortController()
    const asked = opened('echo $$ >&2; sleep 600 & wait', stop.signal)('c_1')
    setTimeout(() => stop.abort(), 20)
    await expect(asked).rejects.toThrow('--probe failed: it was stopped')
  })

  test('gets no id that could be more than one line', async () => {
    await expect(opened('cat')('a\nb')).rejects.toThrow('no plain word')
  })
})

test('a restart whose command fails is none', async () => {
  const url = new URL((await faultyEndpoint()).url)
  const caller = openCaller({base: url, deadlineMs: 60_000, now: Date.now})
  onTestFinished(() => caller.close())
  expect(await openRestart('echo port in use >&2; exit 7', {env, signal, url, caller})()).toEqual({
    problem: '--restart failed: it ended with exit code 7: port in use',
  })
})
