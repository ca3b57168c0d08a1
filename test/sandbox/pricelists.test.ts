import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {runs} from '../helpers/whole.ts'
import {START, type TestSandbox, testSandbox} from './helpers/sandbox.ts'

const period = (sandbox: TestSandbox, id: string, body: object) =>
  sandbox.op('pricelists.patchPeriod.v1', {path: {id}, body})
const show = async (sandbox: TestSandbox, kind: 'period' | 'pricelist', id: string) =>
  (await sandbox.op('sandbox.state.get', {path: {kind, id}})).body

describe('periods', () => {
  test('an active one lets only validTo change; the same value again is no change', async () => {
    const sandbox = await testSandbox()
    expect((await period(sandbox, '6001', {value: 9})).status).toBe(409)
    expect((await period(sandbox, '6001', {priceListId: '5002'})).status).toBe(409)
    const done = await period(sandbox, '6001', {value: 4.5, validTo: '2080-01-01T00:00:00Z'})
    expect(done.body).toEqual({description: 'Price list period updated', id: '6001'})
    expect(await show(sandbox, 'period', '6001')).toMatchObject({validTo: '2080-01-01T00:00:00Z'})
  })

  test('an expired one lets nothing change, and is not deleted', async () => {
    const sandbox = await testSandbox()
    expect((await period(sandbox, '6002', {validTo: null})).status).toBe(409)
    expect((await sandbox.op('pricelists.deletePeriod.v1', {path: {id: '6002'}})).status).toBe(409)
    expect((await sandbox.op('pricelists.deletePeriod.v1', {path: {id: '6001'}})).status).toBe(409)
  })

  test('validTo may not pass the validFrom of the next, and open passes everything', async () => {
    const sandbox = await testSandbox()
    expect((await period(sandbox, '6001', {validTo: '2090-01-01T00:00:01Z'})).status).toBe(409)
    expect((await period(sandbox, '6001', {validTo: null})).status).toBe(409)
    expect((await period(sandbox, '6003', {validFrom: '2089-01-01T00:00:00Z'})).status).toBe(409)
  })

  test('a future one can be moved to another list, changed and deleted', async () => {
    const sandbox = await testSandbox()
    expect((await period(sandbox, '6003', {priceListId: '9'})).status).toBe(409)
    expect((await period(sandbox, '6003', {priceListId: '5002'})).status).toBe(409)
    expect((await sandbox.op('pricelists.deletePeriod.v1', {path: {id: '6004'}})).status).toBe(200)
    expect((await period(sandbox, '6003', {priceListId: '5002', value: 7})).status).toBe(200)
    expect(await show(sandbox, 'pricelist', '5002')).toMatchObject({periods: [{id: '6003', value: 7}]})
    expect((await period(sandbox, '6003', {validFrom: null})).status).toBe(400)
    expect((await period(sandbox, '6003', {validTo: '2089-01-01T00:00:00Z'})).status).toBe(400)
    expect((await period(sandbox, '6004', {value: 1})).status).toBe(404)
  })

  test('time makes a future one active and then expired', async () => {
    const sandbox = await testSandbox()
    await period(sandbox, '6001', {validTo: '2027-01-01T00:00:00Z'})
    await period(sandbox, '6003', {validFrom: '2027-01-01T00:00:00Z', validTo: '2027-02-01T00:00:00Z'})
    sandbox.pass(Date.UTC(2027, 0, 1) - START - 1)
    expect(await show(sandbox, 'period', '6003')).toMatchObject({state: 'future'})
    sandbox.pass(1)
    expect(await show(sandbox, 'period', '6003')).toMatchObject({state: 'active'})
    expect(await show(sandbox, 'period', '6001')).toMatchObject({state: 'expired'})
  })

  test('any run of changes leaves periods of one code side by side, and touches nothing it may not', async () => {
    const date = fc.constantFrom('2025-01-01', '2026-01-01', '2027-01-01', '2028-01-01', '2029-01-01')
    const instant = date.map(day => `${day}T00:00:00Z`)
    const change = fc.record({
      id: fc.constantFrom('6001', '6003', '6004'),
      body: fc.record(
        {
          validFrom: instant,
          validTo: fc.option(instant),
          value: fc.constantFrom(1, 2),
          priceListId: fc.constantFrom('5001', '5002'),
        },
        {requiredKeys: []},
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, {maxLength: 15}), async changes => {
        const sandbox = await testSandbox()
        for (const {id, body} of changes) {
          const before = await show(sandbox, 'period', id)
          const {status} = await period(sandbox, id, body)
          const after = await show(sandbox, 'period', id)
          const touched = Object.keys(body).filter(member => before[member] !== after[member])
          if (status !== 200) expect(after).toEqual(before)
          else if (before.state === 'active') expect(['', 'validTo']).toContain(touched.join())
          else if (before.state === 'expired') expect(touched).toEqual([])
          for (const list of ['5001', '5002']) expectSideBySide(await show(sandbox, 'pricelist', list))
        }
        await sandbox.close()
      }),
      {numRuns: runs(25)},
    )
  })
})

function expectSideBySide(list: Record<string, unknown>) {
  const periods = list.periods as {validFrom: string; validTo: string | null}[]
  const spans = periods
    .map(({validFrom, validTo}) => [validFrom, validTo ?? '9999'] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [index, [from, to]] of spans.entries()) {
    expect(from < to).toBe(true)
    expect(to <= (spans[index + 1]?.[0] ?? '9999')).toBe(true)
  }
}

describe('lists', () => {
  test('a code is unique', async () => {
    const sandbox = await testSandbox()
    const patch = (code: string) => sandbox.op('pricelists.patch.v1', {path: {id: '5001'}, body: {code}})
    expect((await patch('BUSINESS')).status).toBe(409)
    expect((await patch('STANDARD')).status).toBe(200)
    expect((await patch('NEW')).status).toBe(200)
    expect(await show(sandbox, 'pricelist', '5001')).toMatchObject({code: 'NEW'})
    expect((await sandbox.op('pricelists.patch.v1', {path: {id: '9'}, body: {code: 'X'}})).status).toBe(404)
  })

  test('one with an active period stays; another goes with its periods', async () => {
    const sandbox = await testSandbox()
    expect((await sandbox.op('pricelists.delete.v1', {path: {id: '5001'}})).status).toBe(409)
    expect((await sandbox.op('pricelists.delete.v1', {path: {id: '5002'}})).status).toBe(200)
    expect((await sandbox.op('pricelists.delete.v1', {path: {id: '5002'}})).status).toBe(404)
    expect((await period(sandbox, '6004', {value: 1})).status).toBe(404)
  })
})
