import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply, type Service} from '../helpers/service.ts'

let home: Home
let down: Service
let asking: Service
beforeAll(async () => {
  home = await openHome()
  down = await openService(() => reply(500, {title: 'Broken'}))
  asking = await openService(({url}) =>
    reply(url.includes('3001') ? 503 : 429, {title: 'Later'}, {'retry-after': '120'}),
  )
})
afterAll(async () => {
  await Promise.all([down.close(), asking.close()])
  await home.remove()
})

async function attempts(argv: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const before = down.requests.length
  const {code} = await home.run(argv, {env: {CARDCTL_BASE_URL: down.url, ...env}})
  expect(code).not.toBe(0)
  return down.requests.length - before
}

describe('--retries', () => {
  it.each([
    [[], 5],
    [['--retries', '0'], 1],
    [['--retries', '2'], 3],
    [['--retries', '9'], 10],
  ] as const)('sends a read again as often as it says: %j', async (flags, count) => {
    expect(await attempts(['cards', 'get', '3001', ...flags])).toBe(count)
  })

  it('can come from CARDCTL_RETRIES', async () => {
    expect(await attempts(['cards', 'get', '3001'], {CARDCTL_RETRIES: '1'})).toBe(2)
    expect(await attempts(['cards', 'get', '3001', '--retries', '0'], {CARDCTL_RETRIES: '1'})).toBe(1)
    const {code, stderr} = await home.run(['whoami'], {env: {CARDCTL_RETRIES: '-1'}})
    expect([code, stderr]).toEqual([2, expect.stringContaining('CARDCTL_RETRIES must be')])
  })

  it('never repeats a write that the service honours no key for', async () => {
    expect(
      await attempts(['pricelists', 'delete', '5002', '--yes', '--confirm', '5002', '--retries', '9']),
    ).toBe(1)
  })

  it('holds for the rows of a bulk job', async () => {
    const argv = ['bulk', 'run', 'cards.get.v4', '--from', '-', '--retries', '1', '--concurrency', '1']
    const before = down.requests.length
    await home.run(argv, {env: {CARDCTL_BASE_URL: down.url}, stdin: 'id\n3001\n'})
    expect(down.requests.length - before).toBe(2)
  })
})

describe('retryAfter', () => {
  it.each([
    ['3001', 503],
    ['3002', 429],
  ])('is in the JSON error, in seconds, for card %s (%i)', async (card, status) => {
    const {stderr} = await home.run(['cards', 'get', card, '-o', 'json', '-q', '--retries', '0'], {
      env: {CARDCTL_BASE_URL: asking.url},
    })
    expect(JSON.parse(stderr)).toMatchObject({error: {status, retryAfter: 120}})
    const people = await home.run(['cards', 'get', card, '--retries', '0'], {
      env: {CARDCTL_BASE_URL: asking.url},
    })
    expect(people.stderr).toContain('the service asks to wait 2 min')
    expect(people.stderr).toContain('Wait 2 min, as the service asks')
  })
})

describe('requests resolve --exit-code', () => {
  it('tells a request with an effect from one without', async () => {
    const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=77']
    const newest = async () => (await home.json<{id: string}[]>(['requests', 'list']))[0]?.id ?? ''
    await home.run(patch)
    expect((await home.run(['requests', 'resolve', await newest(), '--exit-code'])).code).toBe(0)
    await home.run(['accounts', 'patch', '999999', '--type', 'credit', '-F', 'creditLimit=77'])
    const id = await newest()
    const none = await home.run(['requests', 'resolve', id, '--exit-code', '-o', 'json', '-q'])
    expect(none.code).toBe(15)
    expect(JSON.parse(none.stdout)).toMatchObject({verdict: 'had no effect'})
    expect(JSON.parse(none.stderr)).toMatchObject({error: {code: 'NO_EFFECT', effect: 'none'}})
    expect((await home.run(['requests', 'resolve', id])).code).toBe(0)
  })
})
