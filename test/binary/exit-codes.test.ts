import {describe, expect, test} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {bash, emptyHome, run} from '../helpers/binary.ts'
import {freePort} from '../helpers/free-port.ts'

const SANDBOX = {CARDCTL_PROFILE: 'sandbox'}

describe('exit codes, as a shell sees them', () => {
  test('0: done, with each output on its stream', async () => {
    const home = await emptyHome()
    const {code, stdout, stderr} = await run(home, ['cards', 'get', '3001', '-o', 'json'])
    expect({code, id: JSON.parse(stdout).id, stderr}).toEqual({code: 0, id: '3001', stderr: ''})
    const table = await run(home, ['cards', 'get', '3001'])
    expect(table.stdout).toContain('Card 3001')
    expect(table.stderr).toMatch(/^sandbox \(embedded\)/)
  })

  test('0: version and help need no home', async () => {
    const env = {HOME: '/dev/null'}
    const version = await run('/', ['--version'], {env})
    expect(version).toMatchObject({code: 0, stderr: ''})
    expect(version.stdout).toMatch(new RegExp(`^cardctl/${pjson.version} `))
    const help = await run('/', ['cards', 'get', '--help'], {env})
    expect(help).toMatchObject({code: 0, stderr: ''})
    expect(help.stdout.indexOf('\nEXAMPLES')).toBeLessThan(help.stdout.indexOf('\nFLAGS'))
  })

  test.each([
    [2, 'USAGE', ['cards', 'gett']],
    [2, 'USAGE', ['cards', 'get', '3001', '--no-such-flag']],
    [2, 'CONTRACT_VIOLATION', ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditlimit=1']],
    [3, 'PROFILE_NOT_FOUND', ['cards', 'get', '3001', '-p', 'nowhere']],
    [5, 'NOT_FOUND', ['cards', 'get', '9999']],
  ])('%i %s: %j', async (exit, errorCode, argv) => {
    const {code, stdout, stderr} = await run(await emptyHome(), argv, {env: SANDBOX})
    expect({code, stdout}).toEqual({code: exit, stdout: ''})
    expect(stderr).toContain(`Error ${errorCode}: `)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('3: a write without a terminal needs a profile', async () => {
    const argv = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']
    const {code, stderr} = await run(await emptyHome(), argv)
    expect(code).toBe(3)
    expect(stderr).toContain('PROFILE_NOT_CHOSEN')
  })

  test('8 and 10: a fault of the service, and an unknown effect', async () => {
    const home = await emptyHome()
    const add = ['sandbox', 'faults', 'add', '--operation']
    await run(home, [...add, 'cards.get.v4', '--status', '503'], {env: SANDBOX})
    const read = await run(home, ['cards', 'get', '3001'], {env: {...SANDBOX, CARDCTL_RETRIES: '0'}})
    expect(read).toMatchObject({code: 8, stdout: ''})

    await run(home, [...add, 'pricelists.deletePeriod.v1', '--drop', 'after'], {env: SANDBOX})
    const argv = ['pricelists', 'period', 'delete', '6003', '--yes', '-o', 'json']
    const destroyed = await run(home, argv, {env: SANDBOX})
    expect(destroyed).toMatchObject({code: 10, stdout: ''})
    const {error} = JSON.parse(destroyed.stderr)
    expect(error).toMatchObject({code: 'EFFECT_UNKNOWN', effect: 'unknown'})
    expect(error.requestId).toMatch(/^r_/)
  })

  test('9: no server on the port', async () => {
    const env = {CARDCTL_BASE_URL: `http://127.0.0.1:${await freePort()}`}
    const {code, stderr} = await run(await emptyHome(), ['cards', 'get', '3001', '--timeout', '1s'], {env})
    expect(code).toBe(9)
    expect(stderr).toContain('CONNECTION_FAILED')
  })

  test('3: stdout is a full disk', async ({skip}) => {
    const home = await emptyHome()
    if ((await bash(home, 'test -c /dev/full')).code !== 0) skip('there is no /dev/full')
    for (const line of ['cards get 3001', 'cards list --customer 1003 -o ndjson', '--help', '--version']) {
      const {code, stderr} = await bash(home, `cardctl ${line} > /dev/full`, SANDBOX)
      expect(code, line).toBe(3)
      expect(stderr.match(/[A-Z]+_[A-Z]+/g), line).toEqual(['OUTPUT_UNWRITABLE'])
    }
  })
})

test('colours follow the usual environment variables', async () => {
  const home = await emptyHome()
  const stdoutWith = async (env: Record<string, string>) =>
    (await run(home, ['cards', 'get', '3001'], {env: {...SANDBOX, ...env}})).stdout
  const plain = await stdoutWith({})
  const coloured = await stdoutWith({FORCE_COLOR: '1'})
  expect(plain).not.toContain('\u001b')
  expect(coloured).toContain('\u001b[')
  expect(await stdoutWith({NO_COLOR: '1', FORCE_COLOR: '1'})).toBe(plain)
})

test('a home that is not a folder: names the path, without a stack trace', async () => {
  const env = {...SANDBOX, HOME: '/dev/null'}
  const {code, stderr} = await run('/', ['cards', 'get', '3001'], {env})
  expect(code).toBe(3)
  expect(stderr).toMatch(/^Error CONFIG_UNREADABLE: \/dev\/null\//)
  expect(stderr).not.toMatch(/^\s+at /m)
})
