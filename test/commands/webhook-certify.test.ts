import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {faultyEndpoint} from '../webhook/suite/endpoints.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const run = (...argv: string[]) => home.run(['webhook', 'certify', ...argv])
const FEW = ['--calls', '20', '--rate', '100']

describe('the exit code', () => {
  test('0 if nothing failed, and the result says that not everything was checked', async () => {
    const {url} = await faultyEndpoint({reuse: 409})
    const {code, stdout} = await run('--to', url, ...FEW, '--deadline', '60s')
    expect(stdout).toContain('incomplete: nothing failed, but not everything was checked')
    expect(stdout).toMatch(/– after a restart: decided once +not checked\n {4}it needs --restart and --probe/)
    expect(stdout).toMatch(/Holds +not seen: no --probe/)
    expect(code).toBe(0)
  })

  test('11 if a check failed, with its name', async () => {
    const {url} = await faultyEndpoint({warmUp: 404})
    const {code, stdout, stderr} = await run('--to', url, ...FEW, '--deadline', '60s')
    expect(code).toBe(11)
    expect(stdout).toMatch(/✗ warm-up +failed/)
    expect(stderr).toContain('Error EXPECTATION_FAILED: 2 checks of')
  })

  test('9 if nobody answers the first call', async () => {
    const {code, stderr} = await run('--to', 'http://127.0.0.1:1')
    expect(code).toBe(9)
    expect(stderr).toContain("Couldn't send a call to http://127.0.0.1:1")
  })

  test.each([
    [['--to', 'http://192.0.2.1'], '--confirm 192.0.2.1'],
    [['--to', 'http://127.0.0.1:1', '--probe', ' '], '--probe is empty'],
    [['--to', 'http://127.0.0.1:1', '--report', 'htm=x'], 'Did you mean html=FILE?'],
    [['--verify', 'README.md'], 'is not a certificate as JSON'],
  ])('2 for %j', async (argv, message) => {
    const {code, stderr} = await run(...argv)
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })
})

test.each([
  ['exit 3', '--probe failed: it ended with exit code 3'],
  ['echo no', '--probe failed: it did not print JSON'],
  ['echo {}; :', '--probe failed: it did not print an array of holds'],
  ["echo '[{}]'; :", '--probe failed: a hold has no amount and currency'],
])('what needs a probe that answers %j is not checked', async (probe, reason) => {
  const {url} = await faultyEndpoint({reuse: 409})
  const argv = ['--to', url, ...FEW, '--deadline', '60s', '--probe', probe, '--restart', 'exit 7']
  const {checks, result} = await home.json<{
    result: string
    checks: readonly {name: string; state: string; reason?: string}[]
  }>(['webhook', 'certify', ...argv])
  const reasonOf = (name: string) => checks.find(check => check.name === name)?.reason
  expect(result).toBe('incomplete')
  expect(reasonOf('12.34 EUR is held, exactly')).toBe(reason)
  expect(reasonOf('after a restart: answer repeated')).toBe('--restart failed: it ended with exit code 7')
})

test('a restart that leaves the connection open is not checked', async () => {
  const {url} = await faultyEndpoint({reuse: 409})
  const {checks} = await home.json<{checks: readonly {name: string; reason?: string}[]}>([
    'webhook',
    'certify',
    ...['--to', url, ...FEW, '--deadline', '60s', '--restart', 'true'],
  ])
  expect(checks.find(({name}) => name === 'after a restart: answer repeated')?.reason).toBe(
    'a connection stayed open during --restart, so nothing shows a restart',
  )
})
