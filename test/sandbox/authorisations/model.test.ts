import fc from 'fast-check'
import {expect, test} from 'vitest'
import {runs} from '../../helpers/whole.ts'
import {type TestSandbox, testSandbox} from '../helpers/sandbox.ts'
import {authorise, clear, euros, reverse, set} from './calls.ts'

const DAY = 24 * 60 * 60 * 1000

const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({do: fc.constant('authorise' as const), cents: fc.integer({min: 0, max: 90_000})}),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 1, max: 50_000}),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 0, max: 50_000}),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clear' as const),
      which: fc.nat(5),
      cents: fc.integer({min: 1, max: 90_000}),
      final: fc.boolean(),
    }),
  },
  {weight: 1, arbitrary: fc.record({do: fc.constant('pass' as const), days: fc.integer({min: 1, max: 5})})},
)

/** A transaction in the model: what it holds, in cents, and until when. */
interface ModelHold {
  id: string
  transactionId: string
  cents: number
  until: number
}

test('whatever happens, holds and bookings are the model’s', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, {maxLength: 15}), async actions => {
      const sandbox = await testSandbox()
      await set(sandbox, 'card', '3004', {usageLimits: []})
      const holds: ModelHold[] = []
      let booked = 250_000
      const held = () => holds.reduce((sum, {cents}) => sum + cents, 0)
      for (const one of actions) {
        for (const hold of holds) if (hold.until <= sandbox.now()) hold.cents = 0
        if (one.do === 'pass') {
          sandbox.pass(one.days * DAY)
          continue
        }
        const amount = one.cents / 100
        if (one.do === 'authorise') {
          const fits = one.cents <= booked - held()
          const {status, id, transactionId} = await authorise(sandbox, {amount})
          expect(status).toBe(fits ? 'APPROVED' : 'DECLINED')
          if (fits && one.cents > 0) {
            holds.push({id, transactionId, cents: one.cents, until: sandbox.now() + 7 * DAY})
          }
        } else await change(sandbox, holds[one.which], one, amount)
        for (const hold of holds) if (hold.until <= sandbox.now()) hold.cents = 0
        expect(await euros(sandbox)).toEqual({
          currency: 'EUR',
          booked: booked / 100,
          held: held() / 100,
          available: (booked - held()) / 100,
        })
      }
      await sandbox.close()

      async function change(
        on: TestSandbox,
        hold: ModelHold | undefined,
        one: {do: string; cents: number; final?: boolean},
        amount: number,
      ) {
        if (hold === undefined) return
        if (one.do === 'raise') {
          if (hold.cents === 0) return
          const fits = one.cents <= booked - held()
          const {status} = await authorise(on, {amount, transactionId: hold.transactionId})
          expect(status).toBe(fits ? 'APPROVED' : 'DECLINED')
          if (fits) hold.cents += one.cents
          hold.until = fits ? on.now() + 7 * DAY : hold.until
        } else if (one.do === 'reverse') {
          const allowed = one.cents < hold.cents
          const {status} = await reverse(on, hold.id, {replacementAmount: amount})
          expect(status).toBe(allowed ? 200 : 409)
          if (allowed) hold.cents = one.cents
        } else {
          const {body} = await clear(on, hold.id, {amount, final: one.final})
          expect(body.status).toBe('POSTED')
          booked -= one.cents
          hold.cents = one.final ? 0 : Math.max(0, hold.cents - one.cents)
        }
      }
    }),
    {numRuns: runs(25)},
  )
})
