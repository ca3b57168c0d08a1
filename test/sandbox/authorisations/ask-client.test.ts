import type {ServerResponse} from 'node:http'
import {describe, expect, test} from 'vitest'
import {scenarios} from '../../../src/contract/scenarios.ts'
import {checkWebhookCall} from '../../../src/contract/validate.ts'
import {testSandbox} from '../helpers/sandbox.ts'
import {type AuthCall, against, authorise, coded, replying, startEndpoint} from './endpoint.ts'

describe('the client decides', () => {
  test.each([
    ['00', '00', 'APPROVED', 12.5],
    ['APPROVED', '00', 'APPROVED', 12.5],
    ['05', '05', 'DECLINED', undefined],
    ['NOT_SUFFICIENT_FUNDS', '51', 'DECLINED', undefined],
    ['EXCEEDS_WITHDRAWAL_FREQUENCY_LIMIT', '65', 'DECLINED', undefined],
    ['75', '75', 'DECLINED', undefined],
  ])('%s is %s', async (word, responseCode, status, held) => {
    const {sandbox} = await against(coded(word))
    const done = await authorise(sandbox)
    expect(done).toMatchObject({
      responseCode,
      status,
      decidedBy: 'client',
      clientDurationMs: expect.any(Number),
    })
    expect(done.hold?.amount).toBe(held)
  })

  test.each(['OK', '93', 'approved'])('%s is no code, so the fallback decides', async word => {
    const {sandbox} = await against(coded(word))
    expect(await authorise(sandbox)).toMatchObject({
      decidedBy: 'fallback',
      reason: expect.stringContaining('is not a response code; there are 00, 05, 10'),
    })
  })

  test('an ignored field is named with the decision', async () => {
    const {sandbox} = await against(coded('00', {avaliableAmount: {amount: 1, currency: 'EUR'}}))
    expect(await authorise(sandbox)).toMatchObject({
      decidedBy: 'client',
      reason: 'approved; avaliableAmount is not a field of transactionData; did you mean availableAmount',
    })
  })

  test('a part only where the merchant can take it, and only a true part', async () => {
    const part = (amount: number, currency = 'EUR') =>
      coded('10', {partialApprovalAmount: {amount, currency}})
    const tried = async (answer: ReturnType<typeof part>, more: object) => {
      const {sandbox} = await against(answer)
      return authorise(sandbox, more)
    }
    const fuel = {scenario: 'fuel'}
    expect(await tried(part(5), fuel)).toMatchObject({
      status: 'PARTIALLY_APPROVED',
      responseCode: '10',
      approvedAmount: {amount: 5},
      hold: {amount: 5, currency: 'EUR'},
      availableAmount: {amount: 4995},
    })
    const foreign = {...fuel, amount: 115, currency: 'NOK'}
    expect(await tried(part(5), foreign)).toMatchObject({
      approvedAmount: {amount: 57.5, currency: 'NOK'},
      hold: {amount: 5, currency: 'EUR'},
    })
    expect(await tried(part(57.5, 'NOK'), foreign)).toMatchObject({hold: {amount: 5, currency: 'EUR'}})
    expect(await tried(part(10), foreign)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
    for (const answer of [part(12.5), part(0), part(13), part(5, 'SEK'), part(5.001)]) {
      expect(await tried(answer, fuel)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
    }
    expect(await tried(part(5), {})).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
  })

  test('the call is what the contract says, for every scenario, and each has an id of its own', async () => {
    const {sandbox, auths} = await against(coded('00'))
    const names = Object.keys(scenarios).filter(name => !name.includes('reversal'))
    for (const scenario of names) await authorise(sandbox, {scenario, amount: 1})
    expect(auths()).toHaveLength(names.length)
    for (const {body} of auths()) expect(await checkWebhookCall('webhook.auth', body)).toEqual([])
    expect(new Set(auths().map(({body}) => body.metadata.id)).size).toBe(auths().length)
    expect(auths()[0]?.body).toMatchObject({
      metadata: {transactionId: 't_1', messageCategory: 'INITIAL_AUTHORIZATION'},
      customer: {customerId: '1001'},
      account: {accountId: '2001', availableAmount: {amount: 5000, currency: 'EUR'}},
      card: {cardId: '3001', expiration: {year: 2029, month: 12}},
      transactionData: {transactionAmount: {amount: 1, currency: 'EUR'}, cardEntryMode: 'CHIP_CONTACTLESS'},
      merchantData: {name: 'Kahvila Aino', country: 'FIN'},
    })
  })

  test('cash back and fees are parts of the amount', async () => {
    const {sandbox, auths} = await against(coded('00'))
    await authorise(sandbox, {scenario: 'cashback', amount: 50})
    await authorise(sandbox, {scenario: 'foreign', amount: 1150, currency: 'NOK'})
    expect(auths().map(({body}) => body.transactionData)).toMatchObject([
      {cashbackAmount: {amount: 20, currency: 'EUR'}},
      {transactionFees: [{feeType: 'FX_MARKUP', feeAmount: {amount: 2, currency: 'EUR'}}]},
    ])
  })

  test('a reversal tells the fee of what is reversed', async () => {
    const {sandbox, auths} = await against(coded('00'))
    const {id} = await authorise(sandbox, {scenario: 'foreign', amount: 1150, currency: 'NOK'})
    await sandbox.op('sandbox.authorisations.reverse', {path: {id}, body: {replacementAmount: 575}})
    expect(auths()[1]?.body.transactionData).toMatchObject({
      transactionType: 'REVERSAL',
      transactionAmount: {amount: 575, currency: 'NOK'},
      transactionFees: [{feeType: 'FX_MARKUP', feeAmount: {amount: 1, currency: 'EUR'}}],
    })
  })

  test('what the request sets takes the place of the scenario’s', async () => {
    const {sandbox, auths} = await against(coded('00'))
    await authorise(sandbox, {
      merchant: {name: 'Elsewhere'},
      transactionData: {cardEntryMode: 'MANUAL_ENTRY'},
      token: {id: '7', walletIdentifier: 'walletb'},
    })
    expect(auths()[0]?.body).toMatchObject({
      merchantData: {name: 'Elsewhere', city: 'Helsinki'},
      transactionData: {cardEntryMode: 'MANUAL_ENTRY'},
      token: {id: '7', walletIdentifier: 'walletb'},
    })
  })

  test('what the service refuses itself is never sent', async () => {
    const {sandbox, auths} = await against(coded('00'))
    expect(await authorise(sandbox, {cardId: '3002'})).toMatchObject({
      responseCode: '62',
      decidedBy: 'service',
    })
    expect(auths()).toEqual([])
  })

  test('a reversal tells the client, whose answer changes nothing', async () => {
    const {sandbox, auths} = await against(({transactionData}, response) =>
      coded(transactionData.transactionType === 'REVERSAL' ? '05' : '00')({} as AuthCall, response),
    )
    const {id, transactionId} = await authorise(sandbox)
    const partial = await sandbox.op('sandbox.authorisations.reverse', {
      path: {id},
      body: {replacementAmount: 4},
    })
    expect(partial.body).toMatchObject({
      hold: {amount: 4},
      reversals: [{amount: 8.5, clientAnswer: 'the endpoint answered with status 200'}],
    })
    expect(auths()[1]?.body).toMatchObject({
      metadata: {transactionId},
      transactionData: {
        transactionType: 'REVERSAL',
        originalTransactionId: transactionId,
        transactionAmount: {amount: 8.5},
        replacementAmount: {amount: 4, currency: 'EUR'},
        cardEntryMode: 'CHIP_CONTACTLESS',
      },
      merchantData: auths()[0]?.body.merchantData,
    })
  })

  test.each([
    ['JPY', 100, undefined, 100],
    ['SEK', 10, undefined, 10],
    ['HUF', 100, undefined, 100],
    ['SEK', 100, 40, 60],
  ])(
    '%s %d, reversed down to %s: what was asked for, not what conversions make of it',
    async (currency, amount, replacementAmount, told) => {
      const {sandbox, auths} = await against(coded('00'))
      const {id} = await authorise(sandbox, {amount, currency})
      await sandbox.op('sandbox.authorisations.reverse', {path: {id}, body: {replacementAmount}})
      expect(auths()[1]?.body.transactionData.transactionAmount).toEqual({amount: told, currency})
    },
  )

  test('a reversal that could not be sent to the client says so', async () => {
    const endpoint = await startEndpoint(coded('00'))
    const sandbox = await testSandbox({webhook: {url: endpoint.url, deadlineMs: 300}})
    const {id} = await authorise(sandbox)
    endpoint.stop()
    const {body} = await sandbox.op('sandbox.authorisations.reverse', {path: {id}})
    expect(body).toMatchObject({
      hold: {amount: 0},
      reversals: [{amount: 12.5, clientAnswer: expect.stringContaining('cannot be reached')}],
    })
  })
})

describe('the fallback decides when the client does not', () => {
  const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  const broken: [string, Parameters<typeof startEndpoint>[0]][] = [
    ['another status', replying({authResponseCode: {code: '00'}}, 500)],
    ['no JSON', (_, response) => void response.end('APPROVED')],
    ['no decision', replying({})],
    ['a code that is none', coded('maybe')],
    ['a cut connection', (_, response) => void response.destroy()],
    ['an endless answer', (_, response) => void response.end('x'.repeat(70_000))],
    ['silence', () => undefined],
    ['another protocol', (_, response) => void response.socket?.end(SWITCHING)],
  ]

  test.each(broken)('%s', async (_, answer) => {
    const {sandbox} = await against(answer, {deadlineMs: 200})
    const done = await authorise(sandbox)
    expect(done).toMatchObject({decidedBy: 'fallback', status: 'DECLINED', responseCode: '96', hold: null})
    expect(done.availableAmount?.amount).toBe(5000)
  })

  test('it may approve, and then holds', async () => {
    const {sandbox} = await against(() => undefined, {deadlineMs: 50, fallback: 'approve'})
    const done = await authorise(sandbox)
    expect(done).toMatchObject({decidedBy: 'fallback', responseCode: '00', hold: {amount: 12.5}})
    expect(done.reason).toBe('no answer within 50 ms')
  })

  test('no endpoint', async () => {
    const sandbox = await testSandbox({webhook: {url: 'http://127.0.0.1:9'}})
    expect(await authorise(sandbox)).toMatchObject({decidedBy: 'fallback', status: 'DECLINED'})
  })

  test('others are answered while the client thinks, and its money is reserved', async () => {
    const asked = Promise.withResolvers<ServerResponse>()
    const {sandbox} = await against((_, response) => asked.resolve(response), {deadlineMs: 20_000})
    const waiting = authorise(sandbox, {amount: 1500})
    const response = await asked.promise
    const {body} = await sandbox.op('sandbox.state.get', {path: {kind: 'account', id: '2001'}})
    expect(body.balances).toMatchObject([{held: 1500, available: 3500}])
    coded('05')({} as AuthCall, response)
    expect(await waiting).toMatchObject({status: 'DECLINED', availableAmount: {amount: 5000}})
  })
})
