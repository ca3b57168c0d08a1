import {expect, it} from 'vitest'
import {kebabName} from '../../src/imported/compile/name-operations.ts'

it.each([
  ['PINs', 'pins'],
  ['listPINsForCard', 'list-pins-for-card'],
  ['getSDKs', 'get-sdks'],
  ['APIKey', 'api-key'],
  ['PINSet', 'pin-set'],
  ['getAccountHolderV2', 'get-account-holder-v2'],
  ['Überweisung senden', 'uberweisung-senden'],
  ['---', ''],
])('%s is the command %s', (text, name) => {
  expect(kebabName(text)).toBe(name)
})
