import type {ServerResponse} from 'node:http'
import {describe, expect, test} from 'vitest'
import {createSandbox, type SandboxOptions} from '../../../src/sandbox/index.ts'
import {temporaryFile, testSandbox} from '../helpers/sandbox.ts'
import {withoutDemo} from '../helpers/without-demo.ts'
import {type AuthCall, authorise, coded, startEndpoint} from './endpoint.ts'

const purchase = (url: string) =>
  fetch(`${url}/_sandbox/authorisations`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({cardId: '3001', amount: 12.5, currency: 'EUR'}),
  })

describe('while the endpoint is asked', () => {
  const DAY = 24 * 60 * 60 * 1000

  /** A first purchase of 40 is held, and an increment of 30 waits for the client. */
  async function raising({age = 6 * DAY, ...options}: Partial<SandboxOptions> & {age?: number} = {}) {
    const asked = Promise.withResolvers<ServerResponse>()
    const endpoint = await startEndpoint((call, response) => {
      if (call.metadata.messageCategory === 'INCREMENTAL_AUTHORIZATION') asked.resolve(response)
      else coded('00')(call, response)
    })
    const webhook = {url: endpoint.url, deadlineMs: 20_000}
    const sandbox = await testSandbox({...options, webhook, monotonic: () => performance.now()})
    const {id, transactionId} = await authorise(sandbox, {amount: 40})
    sandbox.pass(age)
    const raise = authorise(sandbox, {amount: 30, transactionId})
    const response = await asked.promise
    const on = (operation: 'clear' | 'reverse', body: object = {}) =>
      sandbox.op(`sandbox.authorisations.${operation}`, {path: {id}, body})
    const account = async () => {
      const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})
      return (body.balances as {booked: number; held: number}[])[0]
    }
    const listed = async () =>
      withoutDemo((await sandbox.op('sandbox.authorisations.list', {query: {}})).body)
    const answer = (code: string) => {
      coded(code)({} as AuthCall, response)
      return raise
    }
    return {sandbox, id, transactionId, raise, answer, on, account, listed}
  }

  test('it is listed as pending, and can neither be cleared nor reversed', async () => {
    const {sandbox, listed, account, answer} = await raising()
    const [pending] = await listed()
    expect(pending).toMatchObject({status: 'PENDING', responseCode: null, decidedBy: null, hold: null})
    expect((await account())?.held).toBe(70)
    const path = {id: pending?.id ?? ''}
    expect((await sandbox.op('sandbox.authorisations.clear', {path, body: {amount: 1}})).status).toBe(409)
    expect((await sandbox.op('sandbox.authorisations.reverse', {path, body: {}})).status).toBe(409)
    expect(await answer('00')).toMatchObject({id: pending?.id, hold: {amount: 70}})
    expect(await listed()).toMatchObject([{status: 'APPROVED'}, {hold: {amount: 70}}])
  })

  test.each([
    ['declined', '51', {booked: -40, held: 0}],
    ['approved', '00', {booked: -40, held: 30}],
  ])('the transaction is cleared without it, then it is %s', async (_, code, left) => {
    const {on, answer, account} = await raising()
    expect((await on('clear')).body).toMatchObject({amount: 40})
    await answer(code)
    expect(await account()).toMatchObject(left)
  })

  test.each([
    ['down to 25, then declined', {replacementAmount: 25}, '51', 25],
    ['down to 25, then approved', {replacementAmount: 25}, '00', 55],
    ['whole, then approved', {}, '00', 30],
  ])('the transaction is reversed %s', async (_, body, code, held) => {
    const {on, answer, account} = await raising()
    expect((await on('reverse', body)).status).toBe(200)
    await answer(code)
    expect((await account())?.held).toBe(held)
  })

  test('limits count what waits for the client, and less after a reversal meanwhile', async () => {
    const {sandbox, on, answer} = await raising({age: 0})
    const left = async () => {
      const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'card', id: '3001'}})
      return body.usageLimits
    }
    const retail = (availableAmount: number) => [{values: [{}, {code: 'RETAIL', availableAmount}]}]
    expect(await left()).toMatchObject(retail(1930))
    await on('reverse', {replacementAmount: 25})
    expect(await left()).toMatchObject(retail(1945))
    await answer('00')
    expect(await left()).toMatchObject(retail(1945))
  })

  test.each([
    ['declined', '51', 0],
    ['approved', '00', 70],
  ])('an increment that is %s: what was held before is released at its time', async (_, code, held) => {
    const {sandbox, answer, account} = await raising()
    await answer(code)
    sandbox.pass(2 * DAY)
    expect((await account())?.held).toBe(held)
    sandbox.pass(5 * DAY)
    expect((await account())?.held).toBe(0)
  })

  test('a call without an answer is declined after five minutes, and reserves nothing', async () => {
    const {sandbox, account, listed} = await raising()
    sandbox.pass(5 * 60 * 1000)
    expect(await account()).toMatchObject({held: 40})
    expect((await listed())[0]).toMatchObject({
      status: 'DECLINED',
      responseCode: '96',
      decidedBy: 'service',
      reason: 'no answer of the endpoint within five minutes of the sandbox clock',
    })
  })

  test('a decline that is listed stands, whatever the client answers then', async () => {
    const {sandbox, answer, account, listed} = await raising()
    await sandbox.op('sandbox.clock.advance', {body: {advanceMs: 10 * 60 * 1000}})
    expect((await listed())[0]).toMatchObject({status: 'DECLINED', availableAmount: {amount: 4960}})
    expect(await answer('00')).toMatchObject({status: 'DECLINED', responseCode: '96', hold: null})
    expect((await account())?.held).toBe(40)
  })

  test('a reset removes the pending call', async () => {
    const {sandbox, answer, account, listed} = await raising()
    await sandbox.op('sandbox.reset')
    const answered = answer('00')
    await expect(answered).resolves.toMatchObject({status: 409, detail: expect.stringContaining('reset')})
    expect(await listed()).toEqual([])
    expect((await account())?.held).toBe(0)
  })

  test.each(['refund', 'balance-inquiry', 'contactless'])(
    'a question about a %s ends too',
    async scenario => {
      const endpoint = await startEndpoint(() => undefined)
      const file = await temporaryFile()
      const sandbox = await testSandbox({file, webhook: {url: endpoint.url, deadlineMs: 20_000}})
      void authorise(sandbox, {scenario, amount: 20})
      await expect.poll(() => endpoint.auths().length).toBe(1)
      sandbox.pass(5 * 60 * 1000)
      const {body} = await sandbox.op('sandbox.authorisations.list', {query: {}})
      expect(withoutDemo(body)).toMatchObject([
        {status: 'DECLINED', responseCode: '96', decidedBy: 'service'},
      ])
    },
  )

  test('a server that ends does not interrupt another', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const endpoint = await startEndpoint((_, response) => asked.resolve(response))
    const sandbox = await createSandbox({webhook: {url: endpoint.url, deadlineMs: 20_000}})
    const [first, second] = [await sandbox.serve({drainMs: 30}), await sandbox.serve()]
    const cut = purchase(first.url).catch(() => undefined)
    await asked.promise
    const other = Promise.withResolvers<ServerResponse>()
    asked.resolve = other.resolve
    const reply = purchase(second.url)
    const response = await other.promise
    await first.close()
    coded('00')({} as AuthCall, response)
    expect(await (await reply).json()).toMatchObject({status: 'APPROVED', decidedBy: 'client'})
    await cut
    await second.close()
    await sandbox.close()
  })

  test('a sandbox that is closed during the warm-up sends no more calls', async () => {
    const warmed = Promise.withResolvers<void>()
    const endpoint = await startEndpoint(coded('00'), () => warmed.resolve())
    const webhook = {url: endpoint.url, deadlineMs: 20_000}
    const sandbox = await testSandbox({file: await temporaryFile(), webhook})
    const waiting = authorise(sandbox)
    await warmed.promise
    await sandbox.close()
    expect(await waiting).toMatchObject({status: 'DECLINED', decidedBy: 'fallback'})
    expect(endpoint.auths()).toEqual([])
  })

  test('a server that ends lets the fallback decide, and answers', async () => {
    const endpoint = await startEndpoint(() => undefined)
    const sandbox = await createSandbox({webhook: {url: endpoint.url, deadlineMs: 20_000}})
    const server = await sandbox.serve({drainMs: 600})
    const reply = purchase(server.url)
    await expect.poll(() => endpoint.auths().length).toBe(1)
    await server.close()
    expect(await (await reply).json()).toMatchObject({status: 'DECLINED', decidedBy: 'fallback'})
    await sandbox.close()
  })

  test('a sandbox that is closed lets the fallback decide, and writes it down', async () => {
    const file = await temporaryFile()
    const {sandbox, raise} = await raising({file})
    await sandbox.close()
    const reason = 'the sandbox was closed before the endpoint answered'
    expect(await raise).toMatchObject({status: 'DECLINED', decidedBy: 'fallback', reason})
    const next = await testSandbox({file})
    const {body} = await next.op('sandbox.authorisations.list', {query: {}})
    expect(body[0]).toMatchObject({status: 'DECLINED', reason})
  })
})
