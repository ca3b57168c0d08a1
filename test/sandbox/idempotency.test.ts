import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {runs} from '../helpers/whole.ts'
import {type TestSandbox, temporaryFile, testSandbox} from './helpers/sandbox.ts'

const HOUR = 60 * 60 * 1000

const patch = (sandbox: TestSandbox, key: string, body: object = {name: 'a'}, id = '2002') =>
  sandbox.op('accounts.patchDebit.v4', {path: {id}, body}, {key})

const effects = async (sandbox: TestSandbox, id = '2002') => {
  const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id}})
  return (body as {effects?: number}).effects
}

describe('the five rules', () => {
  test('a new key is processed, and a repeat gets the stored reply with no further effect', async () => {
    const sandbox = await testSandbox()
    const first = await patch(sandbox, 'k')
    const second = await patch(sandbox, 'k')
    expect(first.status).toBe(200)
    expect(first.headers).not.toHaveProperty('x-idempotent-replayed')
    expect(second.headers['x-idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(await effects(sandbox)).toBe(1)
  })

  test('a failure is not kept: the retry is a fresh attempt', async () => {
    const sandbox = await testSandbox()
    expect((await patch(sandbox, 'k', {customerId: '9'})).status).toBe(409)
    expect((await patch(sandbox, 'k', {customerId: '1002'})).status).toBe(200)
    expect(await effects(sandbox)).toBe(1)
  })

  test('after 24 hours by the sandbox clock the key is new', async () => {
    const sandbox = await testSandbox()
    await patch(sandbox, 'k')
    await sandbox.op('sandbox.clock.advance', {body: {advanceMs: 24 * HOUR - 1}})
    expect((await patch(sandbox, 'k')).headers['x-idempotent-replayed']).toBe('true')
    sandbox.pass(1)
    expect((await patch(sandbox, 'k')).headers).not.toHaveProperty('x-idempotent-replayed')
    expect(await effects(sandbox)).toBe(2)
  })

  test('reply and key outlive a restart', async () => {
    const file = await temporaryFile()
    const before = await testSandbox({file})
    const first = await patch(before, 'k')
    await before.close()
    const after = await testSandbox({file})
    const second = await patch(after, 'k')
    expect(second.headers['x-idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    expect(await effects(after)).toBe(1)
  })
})

describe('the open cases', () => {
  test.each([
    ['another path', (sandbox: TestSandbox) => patch(sandbox, 'k', {name: 'a'}, '2006')],
    [
      'another method',
      (sandbox: TestSandbox) =>
        sandbox.op(
          'accounts.updateProperty.v3',
          {path: {id: '2002', propertyToUpdate: 'DELETE_ADDRESS'}},
          {key: 'k'},
        ),
    ],
    [
      'another credential',
      (sandbox: TestSandbox) =>
        sandbox.op(
          'accounts.patchDebit.v4',
          {path: {id: '2002'}, body: {name: 'a'}},
          {key: 'k', headers: {authorization: 'Bearer other'}},
        ),
    ],
  ])('the same key with %s is another key', async (_, send) => {
    const sandbox = await testSandbox()
    await patch(sandbox, 'k')
    const other = await send(sandbox)
    expect(other.status).toBe(200)
    expect(other.headers).not.toHaveProperty('x-idempotent-replayed')
  })

  test('a path has the same keys however it is written, and another version has its own', async () => {
    const sandbox = await testSandbox()
    await patch(sandbox, 'k')
    const send = (path: string) => sandbox.send('PATCH', `${path}?auditUser=other`, {name: 'b'}, {key: 'k'})
    for (const path of ['/v4/DEBIT/20%302', '/v4/D%45BIT/%32002', '/v%34/DEBIT/2002'])
      expect((await send(path)).headers['x-idempotent-replayed']).toBe('true')
    expect(await effects(sandbox)).toBe(1)
    const older = await sandbox.send('PATCH', '/v3/DEBIT/2002?auditUser=a', {name: 'b'}, {key: 'k'})
    expect(older.headers).not.toHaveProperty('x-idempotent-replayed')
  })

  test('a known key is looked up before the rest of the request is read', async () => {
    const lenient = await testSandbox()
    const first = await patch(lenient, 'k')
    const raw = (sandbox: TestSandbox, body: string, query = '?auditUser=a', key = 'k') =>
      sandbox.raw({
        method: 'PATCH',
        url: `/v4/DEBIT/2002${query}`,
        headers: {'x-idempotency-key': key, 'content-type': 'application/json'},
        body: Buffer.from(body),
      })
    for (const [body, query] of [['{"name": '], ['{"nme": 1}'], ['[]'], ['{"name": "b"}', '']] as const) {
      const again = await raw(lenient, body, query)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['x-idempotent-replayed']).toBe('true')
      expect((await raw(lenient, body, query, 'new')).status).toBe(400)
    }
    expect(await effects(lenient)).toBe(1)
    const strict = await testSandbox({strictIdempotency: true})
    await patch(strict, 'k')
    expect((await raw(strict, '{"name": ')).status).toBe(422)
  })

  test('another body gets the stored reply; when strict, 422', async () => {
    const lenient = await testSandbox()
    await patch(lenient, 'k')
    expect((await patch(lenient, 'k', {name: 'b'})).headers['x-idempotent-replayed']).toBe('true')
    expect(await effects(lenient)).toBe(1)

    const strict = await testSandbox({strictIdempotency: true})
    await patch(strict, 'k')
    expect((await patch(strict, 'k', {name: 'b'})).status).toBe(422)
    expect((await patch(strict, 'k')).headers['x-idempotent-replayed']).toBe('true')
    expect(await effects(strict)).toBe(1)
  })

  test.each([
    [0, 400],
    [1, 200],
    [64, 200],
    [65, 400],
  ])('a key of %i characters: %i', async (length, status) => {
    const sandbox = await testSandbox()
    expect((await patch(sandbox, 'k'.repeat(length))).status).toBe(status)
  })

  test('keys are honoured where they are documented, or everywhere that something is written', async () => {
    const rename = (sandbox: TestSandbox, code: string) =>
      sandbox.op('pricelists.patch.v1', {path: {id: '5001'}, body: {code}}, {key: 'k'})
    const documented = await testSandbox()
    await rename(documented, 'A')
    expect((await rename(documented, 'B')).headers).not.toHaveProperty('x-idempotent-replayed')
    const all = await testSandbox({idempotency: 'all'})
    await rename(all, 'A')
    expect((await rename(all, 'B')).headers['x-idempotent-replayed']).toBe('true')
  })

  test('a reply that discloses something is never kept', async () => {
    const sandbox = await testSandbox({idempotency: 'all'})
    const create = () =>
      sandbox.op('pincontrol.create.v2', {path: {plasticId: '7001'}, body: {scope: 'SET_PIN'}}, {key: 'k'})
    expect((await create()).body.id).not.toBe((await create()).body.id)
  })
})

describe('one key from many sides at once', () => {
  test('50 requests, one effect, one reply', async () => {
    const sandbox = await testSandbox()
    const replies = await Promise.all(Array.from({length: 50}, () => patch(sandbox, 'k')))
    expect(new Set(replies.map(reply => reply.text)).size).toBe(1)
    expect(replies.filter(reply => reply.headers['x-idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await effects(sandbox)).toBe(1)
  })

  test('while the first is still running, 409; then the stored reply', async () => {
    const asleep = Promise.withResolvers<void>()
    const awake = Promise.withResolvers<void>()
    const sleep = () => {
      asleep.resolve()
      return awake.promise
    }
    const sandbox = await testSandbox({sleep})
    await sandbox.op('sandbox.faults.add', {body: {operation: 'accounts.*', delayMs: 1000, count: 1}})
    const first = patch(sandbox, 'k')
    await asleep.promise
    const others = await Promise.all(Array.from({length: 49}, () => patch(sandbox, 'k')))
    expect(others.map(({status}) => status)).toEqual(Array.from({length: 49}, () => 409))
    awake.resolve()
    expect((await first).status).toBe(200)
    expect((await patch(sandbox, 'k')).headers['x-idempotent-replayed']).toBe('true')
    expect(await effects(sandbox)).toBe(1)
  })

  test('a first that fails in the end gives its key free', async () => {
    const sandbox = await testSandbox({sleep: async () => undefined})
    await sandbox.op('sandbox.faults.add', {body: {operation: 'accounts.*', delayMs: 1, count: 1}})
    expect((await patch(sandbox, 'k', {customerId: '9'})).status).toBe(409)
    expect((await patch(sandbox, 'k')).status).toBe(200)
  })

  test('the mark of a process that died counts for nothing', async () => {
    const file = await temporaryFile()
    const asleep = Promise.withResolvers<void>()
    const sleep = () => {
      asleep.resolve()
      return new Promise<void>(() => undefined)
    }
    const dying = await testSandbox({file, sleep})
    await dying.op('sandbox.faults.add', {body: {operation: 'accounts.*', delayMs: 1, count: 1}})
    void patch(dying, 'k')
    await asleep.promise
    const alive = await testSandbox({file, processes: {isAlive: () => true}})
    expect((await patch(alive, 'k')).status).toBe(409)
    const later = await testSandbox({file, processes: {isAlive: () => false}})
    expect((await patch(later, 'k')).status).toBe(200)
    expect(await effects(later)).toBe(1)
  })

  test.each(['succeeds', 'fails'])(
    'a first that seemed dead, and wakes up after a second that %s, has at most one effect',
    async how => {
      const file = await temporaryFile()
      const asleep = Promise.withResolvers<void>()
      const awake = Promise.withResolvers<void>()
      const sleep = () => {
        asleep.resolve()
        return awake.promise
      }
      const slow = await testSandbox({file, sleep})
      await slow.op('sandbox.faults.add', {body: {operation: 'accounts.*', delayMs: 1, count: 1}})
      const first = patch(slow, 'k')
      await asleep.promise
      const elsewhere = {own: {pid: 1, boot: 'elsewhere', started: null}, isAlive: () => false}
      const other = await testSandbox({file, processes: elsewhere})
      const second = await patch(other, 'k', how === 'fails' ? {customerId: '9'} : undefined)
      awake.resolve()
      const woken = await first
      expect([second.status, woken.status]).toEqual(how === 'fails' ? [409, 200] : [200, 200])
      if (how === 'succeeds') expect(woken.headers['x-idempotent-replayed']).toBe('true')
      expect(await effects(other)).toBe(1)
    },
  )
})

/** What the rules say, as simply as can be. */
class Model {
  readonly kept = new Map<string, {until: number; body: string}>()
  effects = 0

  send(key: string, ok: boolean, body: string, now: number): 'replayed' | 'done' | 'refused' {
    const kept = this.kept.get(key)
    if (kept && now < kept.until) return 'replayed'
    if (!ok) return 'refused'
    this.kept.set(key, {until: now + 24 * HOUR, body})
    this.effects += 1
    return 'done'
  }
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      key: fc.constantFrom('a', 'b', 'c'),
      ok: fc.boolean(),
      name: fc.constantFrom('x', 'y'),
    }),
  },
  {weight: 2, arbitrary: fc.record({do: fc.constant('pass' as const), hours: fc.integer({min: 1, max: 30})})},
  {weight: 1, arbitrary: fc.record({do: fc.constant('restart' as const)})},
)

test('any run of sends, waits and restarts is as the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, {maxLength: 25}), async steps => {
      const file = await temporaryFile()
      const model = new Model()
      let now = Date.UTC(2026, 0, 1)
      let sandbox = await testSandbox({file, now: () => now})
      for (const one of steps) {
        if (one.do === 'pass') now += one.hours * HOUR
        else if (one.do === 'restart') {
          await sandbox.close()
          sandbox = await testSandbox({file, now: () => now})
        } else {
          const body = one.ok ? {name: one.name} : {customerId: '9'}
          const reply = await patch(sandbox, one.key, body)
          const outcome = reply.headers['x-idempotent-replayed']
            ? 'replayed'
            : reply.status === 200
              ? 'done'
              : 'refused'
          expect(outcome).toBe(model.send(one.key, one.ok, JSON.stringify(body), now))
        }
        expect(await effects(sandbox)).toBe(model.effects)
      }
      await sandbox.close()
    }),
    {numRuns: runs(20)},
  )
})
