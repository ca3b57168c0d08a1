import {expect, test} from 'vitest'
import {panProblem, Secret} from '../../src/card-crypto/index.ts'

test.each([
  ['4111111111111111', undefined],
  ['4222222222222', undefined],
  ['4111111111111112', 'check-digit'],
  ['411111111111', 'length'],
  ['41111111111111111111', 'length'],
  ['', 'length'],
  ['4111 1111 1111 1111', 'digits'],
  ['4111111111111111\n', 'digits'],
])('%j: %s', (pan, reason) => {
  expect(panProblem(new Secret(pan))?.reason).toBe(reason)
})
