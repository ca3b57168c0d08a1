import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import type {Failure} from '../../src/errors/failure.ts'
import {runs} from '../helpers/whole.ts'
import {type Behaviour, FaultyService, OK} from './faulty-service.ts'
import {kinds, openSender, still, target} from './surround.ts'

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constantFrom<Behaviour>(
    'cut on accept',
    'cut after head',
    'cut after request',
    'cut after effect',
    'cut in reply',
    'garbage',
    'truncated JSON',
    OK,
  ),
  fc.record({
    status: fc.constantFrom(302, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504),
    headers: fc.constantFrom({}, {'retry-after': '1'}),
  }),
)

const changing = ['keyed', 'irreversible', 'unkeyed', 'put', 'destroy'] as const

/** Whatever goes wrong, in whatever order: what the sender says about the effect must be true at the service. */
describe('any sequence of faults', () => {
  it('has at most one effect, and none that is denied', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(behaviour, {minLength: 1, maxLength: 6}),
        fc.constantFrom(...changing),
        async (behaviours, kind) => {
          const service = new FaultyService(...behaviours)
          const sender = openSender(target(await service.listen()), still())
          try {
            const body = kind === 'irreversible' ? {status: 'ACCOUNT_TO_CLOSE'} : {}
            const outcome = await sender
              .send({operation: kinds[kind], input: {path: {id: '1'}, query: {}, body}, timeoutMs: 60_000})
              .then(
                () => 'done',
                (failure: Failure) => failure.details.effect,
              )
            expect(['done', 'none', 'unknown']).toContain(outcome)
            expect(service.effects).toBeLessThanOrEqual(1)
            if (outcome === 'done') expect(service.effects).toBe(1)
            if (outcome === 'none') expect(service.effects).toBe(0)
          } finally {
            await sender.close()
            await service.close()
          }
        },
      ),
      {numRuns: runs(250)},
    )
  })
})
