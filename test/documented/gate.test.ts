import {describe, expect, test} from 'vitest'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const CHANGE = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000', '-o', 'json']
const DELETION = ['pricelists', 'delete', '5002', '-o', 'json']
const WRITE_OFF = ['accounts', 'update-property', '2001', 'WRITE_OFF', '-o', 'json']

describe('a live profile', () => {
  const scene = async (...more: string[]) => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'prod', 'live', service.url, ...more)
    const run = (argv: readonly string[], options = {}) => home.run([...argv, '-p', 'prod'], options)
    return {home, service, run}
  }

  test('reads without asking', async () => {
    const {run} = await scene()
    expect((await run(['cards', 'get', '3001'])).code).toBe(0)
  })

  test('needs --yes for a write without a terminal', async () => {
    const {service, run} = await scene()
    const refused = await run(CHANGE)
    expect([refused.code, errorCode(refused)]).toEqual([2, 'CONFIRMATION_REQUIRED'])
    expect(service.connections).toBe(0)
    expect((await run([...CHANGE, '--yes'])).code).toBe(0)
    expect(writesOf(service)).toEqual(['PATCH /v4/CREDIT/2001'])
  })

  test('asks a person, naming profile, host and resource', async () => {
    const {service, run} = await scene()
    const host = new URL(service.url).host
    const declined = await run(CHANGE.slice(0, -2), {columns: 80, typed: [['Type 2001', 'n']]})
    expect(declined.code).toBe(2)
    for (const named of ['LIVE', 'prod', host, '2001']) expect(declined.stderr).toContain(named)
    expect(writesOf(service)).toEqual([])
    const agreed = await run(CHANGE.slice(0, -2), {columns: 80, typed: [['Type 2001', '2001']]})
    expect(agreed.code).toBe(0)
    expect(writesOf(service)).toEqual(['PATCH /v4/CREDIT/2001'])
  })

  test('deletes only with the id as --confirm, and --yes never covers it', async () => {
    const {service, run} = await scene()
    for (const given of [['--yes'], ['--confirm', '5001'], ['--confirm', '5001', '--yes']]) {
      const refused = await run([...DELETION, ...given])
      expect([refused.code, errorCode(refused)]).toEqual([2, 'CONFIRMATION_REQUIRED'])
    }
    expect(writesOf(service)).toEqual([])
    expect((await run([...DELETION, '--confirm', '5002'])).code).toBe(0)
    expect(writesOf(service)).toEqual(['DELETE /v1/pricelist/5002'])
  })

  test('deletes after the id was typed', async () => {
    const {service, run} = await scene()
    const typed = [
      ['Type 5002', '5001'],
      ['once more', 'n'],
    ] as const
    const wrong = await run(DELETION.slice(0, -2), {columns: 80, typed})
    expect(wrong.code).toBe(2)
    expect(writesOf(service)).toEqual([])
    const right = await run(DELETION.slice(0, -2), {columns: 80, typed: [['Type 5002', '5002']]})
    expect(right.code).toBe(0)
    expect(writesOf(service)).toEqual(['DELETE /v1/pricelist/5002'])
  })

  test('takes a value that cannot be undone only with the id', async () => {
    const {service, run} = await scene()
    expect((await run([...WRITE_OFF, '--yes'])).code).toBe(2)
    expect((await run([...WRITE_OFF, '--confirm', 'WRITE_OFF', '--yes'])).code).toBe(2)
    expect(writesOf(service)).toEqual([])
    expect((await run([...WRITE_OFF, '--confirm', 'WRITE_OFF', '--confirm', '2001'])).code).toBe(0)
    expect(writesOf(service)).toHaveLength(1)
  })

  test('applies the same rules to api as to the command', async () => {
    const {service, run} = await scene()
    const argv = ['api', 'DELETE', '/v1/pricelist/5002', '-o', 'json']
    expect(errorCode(await run([...argv, '--yes']))).toBe('CONFIRMATION_REQUIRED')
    expect(writesOf(service)).toEqual([])
    expect((await run([...argv, '--confirm', '5002'])).code).toBe(0)
  })

  test('sends transfers only with --confirm-count and --confirm-total', async () => {
    const {service, run} = await scene()
    const argv = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '-o', 'json']
    const expected = ['--confirm-count', '1', '--confirm-total']
    expect((await run([...argv, '--yes'])).code).toBe(2)
    expect((await run([...argv, '--yes', ...expected, 'EUR:12.51'])).code).toBe(2)
    expect((await run([...argv, '--yes', '--confirm-count', '2', '--confirm-total', 'EUR:12.50'])).code).toBe(
      2,
    )
    expect(writesOf(service)).toEqual([])
    expect((await run([...argv, ...expected, 'EUR:12.50'])).code).toBe(0)
    expect(writesOf(service)).toEqual(['POST /v1/a2a/batches'])
  })

  test('wants an audit user that names a person', async () => {
    const [home, service] = [await newHome(), await newService()]
    await home.json([
      ...['profiles', 'add', 'prod', '--kind', 'live', '--base-url', service.url, '--auth', 'none'],
    ])
    expect((await home.run([...CHANGE, '--yes', '-p', 'prod'])).code).toBe(3)
    expect(writesOf(service)).toEqual([])
    expect((await home.run([...CHANGE, '--yes', '-p', 'prod', '--audit-user', 'Aino Virtanen'])).code).toBe(0)
  })

  test('never asks for a PIN, nor reads one', async () => {
    const {service, run} = await scene()
    for (const argv of [
      ['pin', 'set', '3004'],
      ['pin', 'view', '3001'],
    ]) {
      const refused = await run([...argv, '--yes', '-o', 'json'], {stdin: '8253\n'})
      expect([refused.code, errorCode(refused)]).toEqual([3, 'GATE_REFUSED'])
    }
    expect(service.connections).toBe(0)
  })

  test('has no controls of the sandbox', async () => {
    const {service, run} = await scene()
    const refused = await run(['sandbox', 'reset', '--yes', '-o', 'json'])
    expect([refused.code, errorCode(refused)]).toEqual([3, 'GATE_REFUSED'])
    expect(service.connections).toBe(0)
  })

  test('bulk: deletes only with the operation and the number of rows', async () => {
    const {service, run} = await scene()
    const argv = ['bulk', 'run', 'pricelists.deletePeriod.v1', '--from', '-', '-o', 'json']
    const rows = {stdin: 'id\n6003\n6004\n'}
    expect((await run([...argv, '--yes'], rows)).code).toBe(2)
    expect((await run([...argv, '--confirm', 'pricelists.deletePeriod.v1:3'], rows)).code).toBe(2)
    expect(writesOf(service)).toEqual([])
    const agreed = await run([...argv, '--confirm', 'pricelists.deletePeriod.v1:2', '--yes'], rows)
    expect(agreed.code).toBe(0)
    expect(writesOf(service)).toHaveLength(2)
  })
})

describe('a test profile', () => {
  const scene = async (...more: string[]) => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url, ...more)
    const run = (argv: readonly string[], options = {}) => home.run([...argv, '-p', 'staging'], options)
    return {home, service, run}
  }

  test('writes without --yes, and deletes with it', async () => {
    const {service, run} = await scene()
    expect((await run(CHANGE)).code).toBe(0)
    expect(errorCode(await run(DELETION))).toBe('CONFIRMATION_REQUIRED')
    expect((await run([...DELETION, '--yes'])).code).toBe(0)
    expect(writesOf(service)).toEqual(['PATCH /v4/CREDIT/2001', 'DELETE /v1/pricelist/5002'])
  })

  test('--yes never covers a value that cannot be undone', async () => {
    const {service, run} = await scene()
    expect(errorCode(await run([...WRITE_OFF, '--yes']))).toBe('CONFIRMATION_REQUIRED')
    expect(writesOf(service)).toEqual([])
    expect((await run([...WRITE_OFF, '--confirm', 'WRITE_OFF'])).code).toBe(0)
  })

  test('bulk: such a value needs the number of rows', async () => {
    const {service, run} = await scene()
    const argv = ['bulk', 'run', 'accounts.patchDebit.v4', '--from', '-', '-o', 'json', '--yes']
    const rows = {stdin: 'id,status\n2002,ACCOUNT_TO_CLOSE\n2006,ACCOUNT_TO_CLOSE\n'}
    expect((await run(argv, rows)).code).toBe(2)
    expect((await run([...argv, '--confirm', 'ACCOUNT_TO_CLOSE:1'], rows)).code).toBe(2)
    expect(writesOf(service)).toEqual([])
    expect((await run([...argv, '--confirm', 'ACCOUNT_TO_CLOSE:2'], rows)).code).toBe(0)
    expect(writesOf(service)).toHaveLength(2)
  })

  test('with --read-only refuses everything but reads before a connection is made', async () => {
    const {service, run} = await scene('--read-only')
    const refused = await run([...CHANGE, '--yes'])
    expect([refused.code, errorCode(refused)]).toEqual([3, 'GATE_REFUSED'])
    expect((await run(['pin', 'view', '3001', '-o', 'json'])).code).toBe(3)
    expect(service.connections).toBe(0)
    expect((await run(['cards', 'get', '3001'])).code).toBe(0)
  })
})

test('a test profile and a live one never share a host', async () => {
  const home = await newHome()
  await addProfile(home, 'prod', 'live', 'https://api.example')
  const add = ['profiles', 'add', 'staging', '--kind', 'test', '--auth', 'none', '-o', 'json', '--base-url']
  for (const url of ['https://api.example', 'https://api.example:8443', 'https://api.example/test']) {
    expect((await home.run([...add, url])).code, url).toBe(2)
  }
  expect((await home.run([...add, 'https://test.example'])).code).toBe(0)
})

test('without a terminal a write needs a profile that was chosen', async () => {
  const home = await newHome()
  const unchosen = await home.run(CHANGE, {env: {CARDCTL_PROFILE: ''}})
  expect([unchosen.code, errorCode(unchosen)]).toEqual([3, 'PROFILE_NOT_CHOSEN'])
  expect((await home.run(['cards', 'get', '3001'], {env: {CARDCTL_PROFILE: ''}})).code).toBe(0)
})
