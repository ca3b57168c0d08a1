import {describe, expect, test} from 'vitest'
import {reply} from '../helpers/service.ts'
import {addProfile, errorCode, newHome, newService, writesOf} from './scene.ts'

type Reply = ReturnType<typeof reply>

const CHANGE = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=6000']
const TRANSFER = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR', '--yes']
const odd = {id: '3001', status: 'CARD_OK', statusDate: 'yesterday'}
const html: Reply = {
  status: 200,
  headers: {'content-type': 'text/html'},
  body: Buffer.from('<!doctype html><title>Sign in</title>'),
}
const cut: Reply = {...html, headers: {'content-type': 'application/json'}, body: Buffer.from('{"id":"30')}
const error = reply(200, {error: 'boom', message: 'no such thing'})

async function scene(answer: (method: string, asked: number) => Reply | undefined, ...more: string[]) {
  const home = await newHome()
  let asked = 0
  const service = await newService(({method}) => answer(method, asked++))
  await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s', ...more)
  const run = (argv: readonly string[], options = {}) =>
    home.run([...argv, '-p', 'staging', '-o', 'json', '--quiet'], options)
  return {home, service, run}
}

const writes = (answer: Reply) => (method: string) => (method === 'GET' ? undefined : answer)

describe('a response that differs from the contract', () => {
  test('is shown unchanged, with one line on stderr that names the places, and exit 0', async () => {
    const {run} = await scene(() => reply(200, odd))
    const seen = await run(['cards', 'get', '3001'])
    expect([seen.code, JSON.parse(seen.stdout)]).toEqual([0, odd])
    const lines = seen.stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^Warning: The response differs from the contract: .*template is missing|and \d+ more/,
    )
  })

  test('--debug lists every place', async () => {
    const {home} = await scene(() => reply(200, odd))
    const seen = await home.run(['cards', 'get', '3001', '-p', 'staging', '--debug', '-o', 'json'])
    for (const place of ['customerId', 'template', 'maskedCardNumber', 'statusDate']) {
      expect(seen.stderr).toContain(place)
    }
  })

  const strict: [string, string[], Record<string, string>, string[]][] = [
    ['--strict', ['--strict'], {}, []],
    ['CARDCTL_STRICT=1', [], {CARDCTL_STRICT: '1'}, []],
    ['the strict of the profile', [], {}, ['--strict']],
  ]
  for (const [what, flags, env, settings] of strict) {
    test(`${what} ends with exit 8, once the reply is printed`, async () => {
      const {run} = await scene(() => reply(200, odd), ...settings)
      const seen = await run(['cards', 'get', '3001', ...flags], {env})
      expect([seen.code, errorCode(seen)]).toEqual([8, 'ANSWER_DIFFERS'])
      expect(JSON.parse(seen.stdout)).toEqual(odd)
    })
  }

  test('--strict accepts a response that does not differ', async () => {
    const {run} = await scene(() => undefined)
    expect((await run(['cards', 'get', '3001', '--strict'])).code).toBe(0)
  })

  test('to a write is kept: requests show has the places', async () => {
    const {home, run} = await scene(writes(reply(200, {id: '2001', description: 7})))
    expect((await run(CHANGE)).code).toBe(0)
    const [request] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'staging'])
    const shown = await run(['requests', 'show', request?.id ?? ''])
    expect(shown.stdout).toContain('/description')
  })

  test('many pages have one such line', async () => {
    const home = await newHome()
    const changed = await newService(undefined, (own, {url}) =>
      url.startsWith('/v4/customer')
        ? {...own, body: Buffer.from(Buffer.from(own.body).toString().replaceAll('"2025-', '"year-'))}
        : own,
    )
    await addProfile(home, 'changed', 'test', changed.url)
    const argv = ['cards', 'list', '--customer', '1003', '--all', '--page-size', '10', '-p', 'changed', '-q']
    const seen = await home.run([...argv, '-o', 'ndjson'])
    expect(changed.requests.length).toBeGreaterThan(2)
    expect(seen.code).toBe(0)
    expect(seen.stderr.match(/differs? from the contract/g)).toHaveLength(1)
  })
})

describe('a success must prove itself', () => {
  for (const [what, answer] of [
    ['a page of HTML', html],
    ['cut JSON', cut],
    ['an error in a 200', error],
  ] as const) {
    test(`${what}: a read ends with exit 8`, async () => {
      const {run} = await scene(() => answer)
      const seen = await run(['cards', 'get', '3001'])
      expect([seen.code, errorCode(seen)]).toEqual([8, 'ANSWER_INVALID'])
    })

    test(`${what}: a write without an honoured key is sent once and ends with exit 10`, async () => {
      const {service, run} = await scene(writes(answer))
      const seen = await run(TRANSFER)
      expect([seen.code, errorCode(seen)]).toEqual([10, 'EFFECT_UNKNOWN'])
      expect(writesOf(service)).toHaveLength(1)
    })
  }

  test('a write is sent again where its key makes that safe, and is done when that proves itself', async () => {
    const {service, run} = await scene((method, asked) =>
      method !== 'GET' && asked === 0 ? html : undefined,
    )
    expect((await run(CHANGE)).code).toBe(0)
    expect(writesOf(service)).toHaveLength(2)
    const keys = service.requests.map(({headers}) => headers['x-idempotency-key'])
    expect(new Set(keys).size).toBe(1)
  })

  test('and ends with exit 10 when that proves nothing either', async () => {
    const {service, run} = await scene(writes(html))
    expect((await run(CHANGE)).code).toBe(10)
    expect(writesOf(service).length).toBeGreaterThan(1)
  })

  test('a response without the required id is printed, and ends with exit 10', async () => {
    const {run} = await scene(writes(reply(200, {started: true})))
    const seen = await run(TRANSFER)
    expect([seen.code, errorCode(seen)]).toEqual([10, 'EFFECT_UNKNOWN'])
    expect(JSON.parse(seen.stdout)).toEqual({started: true})
  })

  test('requests resolve finds out what became of it', async () => {
    const home = await newHome()
    const service = await newService(undefined, (own, {method}) => (method === 'POST' ? html : own))
    await addProfile(home, 'staging', 'test', service.url, '--settle-delay', '0s')
    expect((await home.run([...TRANSFER, '-p', 'staging'])).code).toBe(10)
    const [request] = await home.json<{id: string}[]>(['requests', 'list', '-p', 'staging'])
    const resolved = await home.run(['requests', 'resolve', request?.id ?? '', '-p', 'staging'])
    expect(resolved.code).toBe(0)
    expect(resolved.stdout).toMatch(/^Yes, done: send transfers/)
  })
})

describe('requests resolve --found', () => {
  const lost = async () => {
    const all = await scene(method => (method === 'POST' ? {...html, drop: true} : undefined))
    await all.run(TRANSFER)
    const [request] = await all.home.json<{id: string}[]>(['requests', 'list', '-p', 'staging'])
    const id = request?.id ?? ''
    const resolve = (...more: string[]) => all.run(['requests', 'resolve', id, ...more])
    const show = () => all.home.json<{state: string}>(['requests', 'show', id, '-p', 'staging'])
    return {...all, id, resolve, show}
  }

  test('asks first', async () => {
    const {resolve, show} = await lost()
    const asked = await resolve('--found', 'no-effect', '--because', 'No such batch')
    expect([asked.code, errorCode(asked)]).toEqual([2, 'CONFIRMATION_REQUIRED'])
    expect((await show()).state).toBe('unknown')
  })

  test('no-effect: the same command can be run again', async () => {
    const {service, run, resolve, show} = await lost()
    expect((await run(TRANSFER)).code).not.toBe(0)
    expect(writesOf(service)).toHaveLength(1)
    expect((await resolve('--found', 'no-effect', '--because', 'No such batch', '--yes')).code).toBe(0)
    expect(JSON.stringify(await show())).toContain('No such batch')
    await run(TRANSFER)
    expect(writesOf(service)).toHaveLength(2)
  })

  test('effect: the same transfers are still refused', async () => {
    const {service, run, resolve, show} = await lost()
    expect((await resolve('--found', 'effect', '--because', 'Batch 7 is there', '--yes')).code).toBe(0)
    const shown = await show()
    expect(shown.state).toBe('done')
    expect(JSON.stringify(shown)).toContain('Aino Virtanen')
    expect((await run(TRANSFER)).code).toBe(14)
    expect(writesOf(service)).toHaveLength(1)
  })

  test('without it and without evidence, resolve cannot tell', async () => {
    const {resolve} = await lost()
    const told = await resolve()
    expect(told.code).toBe(10)
  })
})

test('--no-check-input sends a request that the contract does not allow', async () => {
  const {service, run} = await scene(() => undefined)
  const argv = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=-5']
  const refused = await run(argv)
  expect([refused.code, errorCode(refused)]).toEqual([2, 'CONTRACT_VIOLATION'])
  expect(service.connections).toBe(0)
  await run([...argv, '--no-check-input'])
  expect(JSON.parse(String(service.requests[0]?.body))).toEqual({creditLimit: -5})
})
