import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {lintContract} from '../../tools/contract/lint.ts'
import {readContract} from '../../tools/contract/read-contract.ts'

const text = readFileSync('src/contract/openapi.yaml', 'utf8')

/** The complaints after a planted fault; the plant must have changed something. */
function faultsWith(plant: (text: string) => string): string[] {
  const planted = plant(text)
  expect(planted).not.toBe(text)
  return lintContract(readContract(planted))
}

/** Takes the first line away that `pattern` matches behind `operationId: ID`. */
const without = (id: string, pattern: RegExp) => (contract: string) => {
  const at = contract.indexOf(`operationId: ${id}`)
  return contract.slice(0, at) + contract.slice(at).replace(pattern, '')
}

describe('lintContract', () => {
  test('finds nothing in the contract', () => {
    expect(lintContract(readContract(text))).toEqual([])
  })

  test.each([
    ['x-effect', 'cards.get.v4', / {6}x-effect: read\n/],
    ['x-idempotent', 'accounts.patchCredit.v4', / {6}x-idempotent: true\n/],
    ['x-prefix', 'cards.get.v4', / {6}x-prefix: .*\n/],
    ['x-group', 'cards.get.v4', / {6}x-group: .*\n/],
    ['x-extension', 'cards.get.v4', / {6}x-extension: .*\n/],
    ['x-replaced-by', 'cards.get.v3', / {6}x-replaced-by: .*\n/],
    ['x-source', 'cards.get.v4', / {6}x-source: .*\n/],
  ])('misses %s', (mark, id, pattern) => {
    const faults = faultsWith(without(id, pattern))
    expect(faults.join('\n')).toContain(mark)
    expect(faults.join('\n')).toContain(id)
  })

  test('misses the mark of a secret member', () => {
    const faults = faultsWith(contract => {
      const at = contract.indexOf('    PinBlock:\n')
      return contract.slice(0, at) + contract.slice(at).replace(/ {6}x-sensitive: true\n/, '')
    })
    expect(faults).toContain('pin.set.v3: /pinBlock sounds secret and has no x-sensitive')
  })

  test('misses where a schema comes from', () => {
    const faults = faultsWith(contract => {
      const at = contract.indexOf('    PinBlock:\n')
      return contract.slice(0, at) + contract.slice(at).replace(/ {6}x-source: known\n/, '')
    })
    expect(faults).toContain('schema PinBlock: x-source must be one of outline, known, decided')
  })

  test('does not take a misspelt mark for one', () => {
    const faults = faultsWith(contract => contract.replace('x-idempotent: true', 'x-idempotant: true'))
    expect(faults.some(fault => fault.includes('x-idempotant: an unknown mark'))).toBe(true)
  })
})
