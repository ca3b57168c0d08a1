// What docs/support.md promises of history and requests undo.
import {describe, expect, test} from 'vitest'
import type {Home} from '../helpers/cli.ts'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

const CREDIT = ['accounts', 'patch', '2001', '--type', 'credit', '--quiet']

interface Request {
  readonly id: string
  readonly undoOf?: string
}

const patch = async (home: Home, ...more: string[]) => {
  const seen = await home.run([...CREDIT, ...more])
  expect(seen.code).toBe(0)
  return ((await home.json<Request[]>(['requests', 'list']))[0] as Request).id
}
const undo = (home: Home, ...more: string[]) => home.run(['requests', 'undo', '-o', 'json', ...more])
const account = (home: Home) =>
  home.json<Record<string, unknown>>(['sandbox', 'state', 'show', 'account', '2001'])

describe('requests undo', () => {
  test('goes back step by step, and never beyond what the journal knows', async () => {
    const home = await newHome()
    for (const limit of [1000, 2000, 3000]) await patch(home, '-F', `creditLimit=${limit}`)
    expect((await undo(home, '--yes')).code).toBe(0)
    expect((await account(home)).creditLimit).toBe(2000)
    expect((await undo(home, '--yes')).code).toBe(0)
    expect((await account(home)).creditLimit).toBe(1000)
    for (let n = 0; n < 2; n++) {
      const end = await undo(home, '--yes')
      expect([end.code, errorCode(end)]).toEqual([2, 'CANNOT_UNDO'])
    }
    expect((await account(home)).creditLimit).toBe(1000)
  })

  test('asks also on a sandbox: without --yes and a terminal nothing is sent', async () => {
    const home = await newHome()
    await patch(home, '-F', 'creditLimit=1000')
    await patch(home, '-F', 'creditLimit=2000')
    expect((await undo(home)).code).toBe(2)
    expect((await undo(home, '--no-input')).code).toBe(2)
    expect((await undo(home, '--dry-run')).code).toBe(0)
    expect((await account(home)).creditLimit).toBe(2000)
  })

  test('brings back a field that was cleared, and a limit of 0', async () => {
    const home = await newHome()
    await patch(home, '-F', 'name=null', '-F', 'creditLimit=0')
    await patch(home, '-F', 'name=Holiday', '-F', 'creditLimit=1')
    expect((await undo(home, '--yes')).code).toBe(0)
    // A cleared field is no field any more.
    expect((await account(home)).name ?? null).toBe(null)
    expect((await account(home)).creditLimit).toBe(0)
  })

  test('says which request it undoes, and undoing that takes it back', async () => {
    const home = await newHome()
    await patch(home, '-F', 'creditLimit=1000')
    const id = await patch(home, '-F', 'creditLimit=2000')
    await undo(home, '--yes')
    const [newest] = await home.json<Request[]>(['requests', 'list'])
    expect(newest?.undoOf).toBe(id)
    const again = await undo(home, id, '--yes')
    expect([again.code, errorCode(again)]).toEqual([2, 'CANNOT_UNDO'])
    expect((await undo(home, newest?.id ?? '', '--yes')).code).toBe(0)
    expect((await account(home)).creditLimit).toBe(2000)
  })

  test('warns if a later request changed a field again', async () => {
    const home = await newHome()
    await patch(home, '-F', 'creditLimit=1000')
    const second = await patch(home, '-F', 'creditLimit=2000')
    const third = await patch(home, '-F', 'creditLimit=3000')
    const seen = await home.run(['requests', 'undo', second, '--yes'])
    expect(seen.stderr).toContain(third)
    expect((await account(home)).creditLimit).toBe(1000)
  })

  test.each([
    ['a transfer', ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '--yes']],
    ['a deletion', ['pricelists', 'period', 'delete', '6003', '--yes', '--confirm', '6003']],
    ['a disclosure', ['pincontrol', 'create', '7001', '--scope', 'view']],
    ['an enrolment', ['remotecheckout', 'delete', '--customer', '1003', '--yes', '--confirm', '1003']],
    ['a closing', [...CREDIT, '--status', 'ACCOUNT_TO_CLOSE', '--confirm', 'ACCOUNT_TO_CLOSE']],
    ['a property', ['accounts', 'update-property', '2001', 'DELETE_ADDRESS', '--yes']],
  ])('refuses %s with the reason, also with all confirmations', async (_, argv) => {
    const home = await newHome()
    await home.run(argv)
    const [newest] = await home.json<Request[]>(['requests', 'list'])
    const before = (await home.json<Request[]>(['requests', 'list'])).length
    const seen = await undo(home, ...(newest ? [newest.id] : []), '--yes', '--confirm', 'ACCOUNT_TO_CLOSE')
    expect(seen.code).not.toBe(0)
    if (newest) expect([seen.code, errorCode(seen)]).toEqual([2, 'CANNOT_UNDO'])
    expect(await home.json(['requests', 'list'])).toHaveLength(before)
  })

  test('refuses if something in between may have changed the field', async () => {
    const home = await newHome()
    await patch(home, '-F', 'name=One')
    await home.run(['accounts', 'update-property', '2001', 'DELETE_ADDRESS', '--yes'])
    await patch(home, '-F', 'name=Two')
    const seen = await undo(home, '--yes')
    expect([seen.code, errorCode(seen)]).toEqual([2, 'CANNOT_UNDO'])
    expect((await account(home)).name).toBe('Two')
  })

  test('ends with 10 while the effect of the request or of the one before is unknown', async () => {
    const home = await newHome()
    let lost = false
    const service = await newService(({method}) =>
      method === 'PATCH' && lost ? {...reply(200, {}), drop: true} : undefined,
    )
    await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
    const run = (...argv: string[]) => home.run([...argv, '-p', 'staging', '-o', 'json'])
    await run(...CREDIT, '-F', 'creditLimit=1000')
    lost = true
    expect((await run(...CREDIT, '-F', 'creditLimit=2000')).code).toBe(10)
    lost = false
    const sent = writesOf(service).length
    expect((await run('requests', 'undo', 'last', '--yes')).code).toBe(10)
    await run(...CREDIT, '-F', 'creditLimit=3000')
    expect((await run('requests', 'undo', '--yes')).code).toBe(10)
    expect(writesOf(service).length).toBe(sent + 1)
  })

  test('undoes writes of its own profile and service only', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    await home.run([...CREDIT, '-F', 'creditLimit=1000', '-p', 'staging'])
    await home.run([...CREDIT, '-F', 'creditLimit=2000', '-p', 'staging'])
    const [theirs] = await home.json<Request[]>(['requests', 'list', '-p', 'staging'])
    expect((await undo(home, '--yes')).code).not.toBe(0)
    const refused = await undo(home, theirs?.id ?? '', '--yes')
    expect([refused.code, errorCode(refused)]).toEqual([3, 'OTHER_SERVICE'])
    expect((await account(home)).effects).toBe(0)
  })

  test('on a live profile asks, and without a terminal sends nothing', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'prod', 'live', service.url)
    const change = (limit: number) =>
      home.run([...CREDIT, '-F', `creditLimit=${limit}`, '-p', 'prod', '--yes'])
    await change(1000)
    await change(2000)
    const sent = writesOf(service).length
    expect((await undo(home, '-p', 'prod')).code).toBe(2)
    expect(writesOf(service)).toHaveLength(sent)
  })
})

describe('history', () => {
  test('sends no request, and has what was sent before', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    for (const limit of [5000.5, 6000]) {
      await home.run([
        ...CREDIT,
        '-F',
        `creditLimit=${limit}`,
        '-p',
        'staging',
        '--note',
        'why',
        '--ticket',
        'SUP-1',
      ])
    }
    const sent = service.requests.length
    const seen = await home.run(['history', 'account', '2001', '-p', 'staging'])
    expect(service.requests).toHaveLength(sent)
    expect(seen.stdout).toContain('creditLimit  6\u202f000 (last sent from here: 5\u202f000.5)')
    for (const word of ['SUP-1', 'why', 'Aino Virtanen']) expect(seen.stdout).toContain(word)
  })

  test('has reveals and disclosures, but no PIN and no card number', async () => {
    const home = await newHome()
    await home.run(['pin', 'view', '3001', '--reveal', '--yes'])
    await home.run(['cards', 'payment-info', '3001', '--reveal', '--yes'])
    await home.run(['pin', 'set', '3001', '--yes'], {stdin: '8253\n'})
    for (const format of ['table', 'json', 'csv']) {
      const {stdout} = await home.run(['history', 'card', '3001', '-o', format])
      expect(stdout).toMatch(/reveal|show to a person/)
      for (const secret of ['8253', '4111111111111111', '1234']) {
        expect(stdout.replaceAll(/key-[\w-]+|r_\w+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')).not.toContain(secret)
      }
    }
  })

  test('of a customer has what was done to the cards that were enrolled from here', async () => {
    const home = await newHome()
    await home.run(['remotecheckout', 'enroll', '3001', '--customer', '1001', '--yes'])
    await home.run(['pin', 'set', '3001', '--yes'], {stdin: '8253\n'})
    const none = await home.run(['history', 'customer', '1002', '-o', 'json'])
    expect(JSON.parse(none.stdout)).toEqual([])
  })

  test('of another service with the same card is another history', async () => {
    const [home, service] = [await newHome(), await newService()]
    await addProfile(home, 'staging', 'test', service.url)
    await home.run([...CREDIT, '-F', 'creditLimit=1', '-p', 'staging'])
    expect(await home.json(['history', 'account', '2001'])).toEqual([])
    expect(await home.json(['history', 'account', '2001', '-p', 'staging'])).toHaveLength(1)
  })

  test('after requests prune still has who, when and the names of the fields', async () => {
    const home = await newHome()
    let now = Date.now()
    await home.run([...CREDIT, '-F', 'creditLimit=123'], {now: () => now})
    now += 100 * 24 * 60 * 60 * 1000
    const clock = {now: () => now}
    expect((await home.run(['requests', 'prune', '--older-than', '30d', '--yes'], clock)).code).toBe(0)
    const {stdout} = await home.run(['history', 'account', '2001', '-o', 'json'], clock)
    expect(JSON.parse(stdout)).toHaveLength(1)
    expect(stdout).toContain('creditLimit')
    expect(stdout).toContain('tester')
    expect(stdout).not.toContain('123,')
  })
})
