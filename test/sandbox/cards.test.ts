import {expect, test} from 'vitest'
import {
  encryptCardNumber,
  exportPublicKey,
  generateRsaPair,
  readRecipientKey,
  rsaOaepDecrypt,
} from '../../src/card-crypto/index.ts'
import {temporaryFile, testSandbox} from './helpers/sandbox.ts'

test('the demo data is the one that is promised', async () => {
  const sandbox = await testSandbox()
  const card = async (id: string) => (await sandbox.op('cards.get.v4', {path: {id}})).body
  expect(await card('3001')).toMatchObject({
    status: 'CARD_OK',
    customerId: '1001',
    accountId: '2001',
    referenceNumber: '900000000003001',
    maskedCardNumber: '41111111____1111',
    expiration: {year: 2029, month: 12},
    pinStatus: 'S',
  })
  expect(await card('3002')).toMatchObject({status: 'CARD_BLOCKED'})
  expect(await card('3003')).toMatchObject({
    embossing: {physical: false},
    cardAddress: null,
    pinAddress: null,
  })
  expect(await card('3004')).toMatchObject({pinStatus: 'W'})
  expect(await card('3005')).toMatchObject({status: 'CARD_LOST'})
  expect(await card('3006')).toMatchObject({status: 'CARD_EXPIRED'})
  const plastics = await sandbox.op('cards.plastics.v3', {path: {id: '3001'}})
  expect(plastics.body).toMatchObject([{id: '7001', cardId: '3001', status: 'ACTIVE'}])
  expect(await card('3010')).toMatchObject({pinStatus: 'S', pinAttempts: {counter: 3, max: 3}})
  expect(await card('3011')).toMatchObject({status: 'CARD_STOLEN', reason: 'Stolen, replaced by card 3012'})
  expect(await card('3012')).toMatchObject({status: 'CARD_OK', accountId: '2011'})
  const second = await sandbox.op('cards.plastics.v3', {path: {id: '3013'}})
  expect(second.body).toMatchObject([
    {id: '7013', sequenceNumber: 1, status: 'INACTIVE'},
    {id: '8013', sequenceNumber: 2, status: 'ACTIVE', productionType: 'REPLACEMENT'},
  ])
  const types = (await sandbox.op('sandbox.state.list', {path: {kind: 'account'}})).body
  expect(types.map(({id, type}) => [id, type])).toEqual([
    ['2001', 'CREDIT'],
    ['2002', 'DEBIT'],
    ['2003', 'PREPAID'],
    ['2004', 'FLEET'],
    ['2005', 'MULTICURR_EUR_FI'],
    ['2006', 'DEBIT'],
    ['2007', 'DEBIT'],
    ['2008', 'DEBIT'],
    ['2010', 'DEBIT'],
    ['2011', 'DEBIT'],
  ])
  expect(types.find(({id}) => id === '2010')).toMatchObject({balances: [{currency: 'EUR', booked: -37.4}]})
  expect(types.find(({id}) => id === '2006')).toMatchObject({balances: [{currency: 'EUR', booked: 10000}]})
  expect(types.find(({id}) => id === '2008')).toMatchObject({status: 'ACCOUNT_CLOSED'})
})

test('two sandboxes start alike', async () => {
  const all = async () => {
    const sandbox = await testSandbox()
    const kinds = ['account', 'card', 'plastic', 'pricelist', 'period', 'customer'] as const
    return Promise.all(kinds.map(async kind => (await sandbox.op('sandbox.state.list', {path: {kind}})).text))
  }
  expect(await all()).toEqual(await all())
})

test('a card is found by id, reference and number, and 404 says no more than that', async () => {
  const sandbox = await testSandbox()
  const byId = await sandbox.op('cards.get.v4', {path: {id: '3001'}})
  const byReference = await sandbox.op('cards.getByReference.v4', {path: {refNumber: '900000000003001'}})
  const byNumber = await sandbox.op('cards.getByNumber.v4', {body: {cardNumber: '4111111111111111'}})
  expect([byReference.text, byNumber.text]).toEqual([byId.text, byId.text])
  const missing = await sandbox.op('cards.getByNumber.v4', {body: {cardNumber: '4012888888881882'}})
  expect(missing.status).toBe(404)
  expect(missing.text).not.toContain('4012888888881882')
})

test('the number may come as a JWE under the published key, which outlives a restart and a reset', async () => {
  const file = await temporaryFile()
  const before = await testSandbox({file})
  const {text} = await before.send('GET', '/.well-known/jwks.json')
  await before.op('sandbox.reset')
  await before.close()
  const sandbox = await testSandbox({file})
  expect((await sandbox.send('GET', '/.well-known/jwks.json')).text).toBe(text)
  const encryptedData = await encryptCardNumber('4111111111111111', readRecipientKey(text))
  expect((await sandbox.op('cards.getByNumber.v4', {body: {encryptedData}})).body.id).toBe('3001')

  const {publicKey} = await generateRsaPair()
  const foreign = await encryptCardNumber('4111111111111111', {publicKey, kid: readRecipientKey(text).kid})
  expect((await sandbox.op('cards.getByNumber.v4', {body: {encryptedData: foreign}})).status).toBe(400)
  const both = {encryptedData, cardNumber: '4111111111111111'}
  expect((await sandbox.op('cards.getByNumber.v4', {body: both})).status).toBe(400)
})

test('lists have pages: 30 by default, a shorter one is the last', async () => {
  const sandbox = await testSandbox()
  const page = async (query: {page?: number; size?: number}) => {
    const {body} = await sandbox.op('cards.listByCustomer.v4', {path: {customerId: '1003'}, query})
    return body.map(({id}) => id)
  }
  const [first, second] = [await page({}), await page({page: 1})]
  expect([first.length, second.length]).toEqual([30, 5])
  expect(await page({page: 2})).toEqual([])
  expect([...first, ...second]).toEqual(await page({size: 100}))
  expect(new Set([...first, ...second]).size).toBe(35)
  const byAccount = await sandbox.op('cards.listByAccount.v4', {
    path: {accountId: '2006'},
    query: {size: 100},
  })
  expect(byAccount.body.map(({id}) => id)).toEqual(await page({size: 100}))
})

test.each([{size: 0}, {size: 101}, {size: 1.5}, {page: -1}])('a page of %j is refused', async query => {
  const sandbox = await testSandbox()
  expect((await sandbox.op('cards.listByCustomer.v4', {path: {customerId: '1003'}, query})).status).toBe(400)
})

test('the older versions have the older names, and say that they are deprecated', async () => {
  const sandbox = await testSandbox()
  const old = await sandbox.op('cards.get.v3', {path: {id: '3001'}})
  expect(old.headers.deprecation).toMatch(/^@\d+$/)
  expect(old.body).toMatchObject({truncatedCardNumber: '41111111____1111', cardTemplate: 'STANDARD'})
  expect(old.body).not.toHaveProperty('productCode')
  const list = await sandbox.op('cards.listByCustomer.v3', {path: {customerId: '1001'}})
  expect(list.body[0]).toMatchObject({truncatedCardNumber: '41111111____1111'})
  expect((await sandbox.op('cards.get.v4', {path: {id: '3001'}})).headers).not.toHaveProperty('deprecation')
})

test('payment info holds the members asked for, each under the caller’s key', async () => {
  const sandbox = await testSandbox()
  const {publicKey, privateKey} = await generateRsaPair()
  const ask = (fields: string[], encryptionKey = exportPublicKey(publicKey)) =>
    sandbox.op('cards.paymentInfo.v3', {
      path: {id: '3001'},
      body: {encryptionKey, encryptionMethod: 'RSA_ECB_OAEP_SHA256_MGF1_2048', fields},
    })
  const {body} = await ask(['cvv2', 'fullCardNumber', 'expirationDate'])
  const clear = Object.fromEntries(
    Object.entries(body).map(([field, text]) => {
      const opened = rsaOaepDecrypt(privateKey, Buffer.from(String(text), 'base64'), {mgf1: 'sha256'})
      return [field, opened.open().toString()]
    }),
  )
  expect(clear).toEqual({
    fullCardNumber: '4111111111111111',
    expirationDate: '12/29',
    cvv2: expect.stringMatching(/^\d{3}$/),
  })
  expect(Object.keys((await ask(['cvv2'])).body)).toEqual(['cvv2'])
  const small = await generateRsaPair('v2')
  expect((await ask(['cvv2'], exportPublicKey(small.publicKey))).status).toBe(400)
  expect((await ask(['cvv2'], 'AAAA')).status).toBe(400)
})

test('a control token shows the card’s data once, within 30 seconds, whatever the card’s status', async () => {
  const sandbox = await testSandbox()
  const token = async () => (await sandbox.op('cards.controlToken.v4', {path: {cardId: '3005'}})).body
  const first = await token()
  const path = new URL(first.cardDataUrl).pathname
  const shown = await sandbox.send('POST', path, {token: first.token})
  expect(shown.status).toBe(200)
  expect(shown.text).toContain('4000 0566 5566 5556')
  expect(shown.headers['cache-control']).toBe('no-store')
  expect((await sandbox.send('POST', path, {token: first.token})).status).toBe(409)
  const second = await token()
  sandbox.pass(30_000)
  expect((await sandbox.send('POST', path, {token: second.token})).status).toBe(410)
  expect((await sandbox.send('POST', path, {token: 'made up'})).status).toBe(404)
  expect((await sandbox.op('cards.controlToken.v4', {path: {cardId: '9'}})).status).toBe(404)
  const frame = await sandbox.send('GET', new URL(first.cardDataFrameUrl).pathname)
  expect(frame.text).toContain('view-pan')
  expect(frame.headers['content-security-policy']).toContain("default-src 'none'")
})
