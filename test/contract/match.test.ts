import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {findOperation} from '../../src/contract/match.ts'
import type {Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'

const all: readonly Operation[] = Object.values(operations)

/** Words that stand literally in some path: as an id they may mean another operation, and rightly so. */
const words = new Set(all.flatMap(({path}) => path.split('/')))
const id = fc.string({minLength: 1, unit: 'grapheme'}).filter(text => text.isWellFormed() && !words.has(text))

const fill = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

describe('findOperation', () => {
  test.each(all.map(operation => [operation.id, operation] as const))('%s finds itself', (_, operation) => {
    const {method, path, prefix, pathParams} = operation
    const params = fc.record(Object.fromEntries(pathParams.map(name => [name, id])))
    fc.assert(
      fc.property(params, given => {
        const filled = fill(path, given)
        expect(findOperation(method, filled)).toEqual({operation, params: {...given}})
        expect(findOperation(method, prefix + filled, {prefixes: true})).toEqual({
          operation,
          params: {...given},
        })
      }),
      {numRuns: 20},
    )
  })

  test.each([
    ['GET', '/v4/customer/1001', 'cards.listByCustomer.v4'],
    ['GET', '/v4/reference/9', 'cards.getByReference.v4'],
    ['GET', '/v3/3001', 'cards.get.v3'],
    ['PATCH', '/v3/2001', 'accounts.patch.v3'],
    ['PATCH', '/v4/CREDIT/2001', 'accounts.patchCredit.v4'],
    ['PATCH', '/v4/MULTICURR_EUR_FI/2005', 'accounts.patchMulticurrency.v4'],
    ['POST', '/v4/card/cardnumber', 'cards.getByNumber.v4'],
    ['POST', '/v3/set/tzpk', 'pin.tzpk.v3'],
    ['DELETE', '/v1/pricelist/period/6003', 'pricelists.deletePeriod.v1'],
  ])('%s %s means %s: a literal segment wins over a parameter', (method, path, expected) => {
    expect(findOperation(method, path)?.operation.id).toBe(expected)
  })

  test('an id is decoded once, also one with a slash', () => {
    expect(findOperation('GET', '/v4/a%2Fb%2525')?.params).toEqual({id: 'a/b%25'})
  })

  test.each([
    ['GET', '/v4/'],
    ['GET', '/v4'],
    ['GET', 'v4/3001'],
    ['GET', '/v4/3001/'],
    ['GET', '/v4/%E0%A4%A'],
    ['DELETE', '/v4/3001'],
    ['get', '/v4/3001'],
    ['POST', '/warm-up'],
    ['GET', '/__proto__'],
    ['GET', ''],
  ])('%s %s means nothing', (method, path) => {
    expect(findOperation(method, path)).toBeUndefined()
  })

  test('a prefix counts for its own group only, and only where prefixes are wanted', () => {
    expect(findOperation('GET', '/card/v4/3001', {prefixes: true})?.operation.id).toBe('cards.get.v4')
    expect(findOperation('GET', '/account/v4/3001', {prefixes: true})).toBeUndefined()
    expect(findOperation('GET', '/card/v4/3001')).toBeUndefined()
    expect(findOperation('GET', '/card/card/v4/3001', {prefixes: true})).toBeUndefined()
  })

  test("a service's own word means the neutral one, which still means itself", () => {
    const words = {walleta: 'examplepay', NETWORK_A: 'EXAMPLE', constructor: 'x'}
    const {operation} = findOperation('POST', '/v1/3001/provision/examplepay', {words}) ?? {}
    expect(operation?.id).toBe('wallets.provisionA.v1')
    expect(findOperation('POST', '/v1/3001/provision/walleta', {words})?.operation).toBe(operation)
    expect(findOperation('POST', '/v1/3001/provision/examplepay')).toBeUndefined()
    const status = findOperation('GET', '/wallet/v1/remotecheckout/EXAMPLE/status/t1', {
      words,
      prefixes: true,
    })
    expect(status).toMatchObject({operation: {id: 'remotecheckout.status.v1'}, params: {traceId: 't1'}})
  })

  test('a literal segment may be percent-encoded: servers decode it', () => {
    expect(findOperation('POST', '/v3/%76iew')?.operation.id).toBe('pin.view.v3')
    expect(findOperation('POST', '/v3/%zz')).toBeUndefined()
  })
})
