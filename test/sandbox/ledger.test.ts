import fc from 'fast-check'
import {expect, test} from 'vitest'
import {hold, post, standing} from '../../src/sandbox/ledger.ts'
import {openStore} from './helpers/store.ts'

const accounts = ['1', '2', '3']
const currencies = ['EUR', 'JPY']

const transfer = fc.record({
  from: fc.constantFrom(...accounts),
  to: fc.constantFrom(...accounts),
  currency: fc.constantFrom(...currencies),
  minor: fc.bigInt(0n, 10n ** 24n),
})

test('the sum over all accounts stays zero, and each balance is the sum of its postings', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, {maxLength: 20}), async transfers => {
      const store = await openStore()
      await store.transaction(async tx => {
        for (const [index, {from, to, currency, minor}] of transfers.entries()) {
          const legs = [
            {accountId: from, currency, minor: -minor},
            {accountId: to, currency, minor},
          ]
          await post(tx, {id: `e${index}`, kind: 'test', at: 0, legs})
        }
        for (const currency of currencies) {
          const expected = accounts.map(account =>
            transfers
              .filter(one => one.currency === currency)
              .reduce(
                (sum, {from, to, minor}) =>
                  sum + (to === account ? minor : 0n) - (from === account ? minor : 0n),
                0n,
              ),
          )
          const booked = await Promise.all(
            accounts.map(async account => (await standing(tx, account, currency)).booked),
          )
          expect(booked).toEqual(expected)
          expect(booked.reduce((sum, one) => sum + one, 0n)).toBe(0n)
        }
      })
      await store.close()
    }),
    {numRuns: 30},
  )
})

test('an entry that does not balance in each currency is refused whole', async () => {
  const store = await openStore()
  const legs = [
    {accountId: '1', currency: 'EUR', minor: -5n},
    {accountId: '2', currency: 'SEK', minor: 5n},
  ]
  await expect(store.transaction(tx => post(tx, {id: 'e', kind: 'test', at: 0, legs}))).rejects.toThrow(
    'balance',
  )
  expect(await store.read(tx => tx.postings.count())).toBe(0)
  await store.close()
})

test('no more can be released than was held', async () => {
  const store = await openStore()
  const leg = (minor: bigint) => ({accountId: '1', currency: 'EUR', minor})
  await store.transaction(tx => hold(tx, leg(5n)))
  await expect(store.transaction(tx => hold(tx, leg(-6n)))).rejects.toThrow('released')
  await store.transaction(tx => hold(tx, leg(-5n)))
  expect(await store.read(tx => standing(tx, '1', 'EUR'))).toEqual({booked: 0n, held: 0n})
  await store.close()
})
