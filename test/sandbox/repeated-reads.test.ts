import {describe, expect, test} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import type {Call} from '../../src/sandbox/handlers.ts'
import {type RepeatedRead, RepeatedReads} from '../../src/sandbox/repeated-reads.ts'
import {authorise, set} from './authorisations/calls.ts'
import {temporaryFile, testSandbox} from './helpers/sandbox.ts'
import {openStore} from './helpers/store.ts'

const DAY = 24 * 60 * 60 * 1000

describe('a read that comes again', () => {
  const card = {path: {id: '3004'}}

  test('shows what another process has written', async () => {
    const file = await temporaryFile()
    const [one, other] = [await testSandbox({file}), await testSandbox({file})]
    const status = async () => (await one.op('cards.get.v4', card)).body.status
    expect([await status(), await status()]).toEqual(['CARD_OK', 'CARD_OK'])
    await set(other, 'card', '3004', {status: 'CARD_LOST'})
    expect(await status()).toBe('CARD_LOST')
    await other.op('sandbox.reset')
    expect(await status()).toBe('CARD_OK')
  })

  test('shows what time alone has changed', async () => {
    const sandbox = await testSandbox()
    const left = async () => {
      const {body} = await sandbox.op('cards.get.v4', card)
      return body.usageLimits?.[0]?.values[1]?.availableAmount
    }
    const whole = await left()
    await authorise(sandbox, {amount: 30})
    expect([await left(), await left()]).toEqual([1970, 1970])
    sandbox.pass(DAY)
    expect(await left()).toBe(whole)
  })

  test('is hit by a fault, and by the rules of its headers', async () => {
    const sandbox = await testSandbox({allowedHosts: []})
    const read = (headers = {}) =>
      sandbox.send('GET', '/v4/3004?auditUser=test', undefined, {origin: 'loopback', headers})
    const local = {host: 'localhost'}
    expect((await read(local)).status).toBe(200)
    expect((await read({host: 'elsewhere.example'})).status).toBe(403)
    await sandbox.op('sandbox.faults.add', {body: {operation: 'cards.get.v4', status: 503, count: 1}})
    expect([(await read(local)).status, (await read(local)).status]).toEqual([503, 200])
  })
})

describe('the response of a read', () => {
  const list = (id: string) => ({id, code: 'A'})

  async function scene(handler: (call: Call) => Promise<unknown>) {
    const store = await openStore()
    // PostgreSQL tells what has changed only since a first change.
    await store.transaction(tx => tx.priceLists.put(list('0')))
    const reads = new RepeatedReads()
    const request = {method: 'GET', url: '/v4/1', headers: {}, body: new Uint8Array()}
    const read: RepeatedRead = {
      operation: operations['cards.get.v4'],
      handler: async () => undefined,
      input: {path: {}, query: {}},
    }
    reads.add(request, read)
    let runs = 0
    const respond = () =>
      store.transaction(tx => {
        const call = {tx, now: 1} as unknown as Call
        return reads.respond(read, call, async given => {
          runs++
          await handler(given)
          return {status: 200, headers: {}, body: '{}'}
        })
      })
    return {store, respond, reads, request, runs: () => runs}
  }
  test('is made once, and again after any row has changed', async () => {
    const {store, respond, runs} = await scene(({tx}) => tx.priceLists.get('1'))
    for (const _ of [1, 2, 3]) await respond()
    expect(runs()).toBe(1)
    await store.transaction(tx => tx.priceLists.put(list('1')))
    for (const _ of [1, 2, 3]) await respond()
    expect(runs()).toBe(2)
    await store.close()
  })

  test.each([
    ['looks at the time', async ({now}: Call) => now],
    ['writes', ({tx}: Call) => tx.priceLists.put(list('2'))],
  ])('is made each time if the read %s', async (_, handler) => {
    const {store, respond, runs} = await scene(handler)
    for (const _ of [1, 2, 3]) await respond()
    expect(runs()).toBe(3)
    await store.close()
  })

  test('is forgotten when there are too many', async () => {
    const {store, reads, request} = await scene(async () => undefined)
    const read = reads.of(request)
    expect(read).toBeDefined()
    for (let at = 0; at < 3000 && read; at++) reads.add({...request, url: `/v4/${at + 2}`}, read)
    expect(reads.of(request)).toBeUndefined()
    await store.close()
  })
})
