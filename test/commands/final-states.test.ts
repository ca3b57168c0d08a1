// A refusal over a state that is final names no retry: a corrected request would be refused, too.
import {afterEach, beforeEach, expect, it} from 'vitest'
import {finalState} from '../../src/errors/final-states.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const RETRY = /send it again|Correct the request/

it.each([
  ['accounts', 'unblock', '2001', '--type', 'credit'],
  ['accounts', 'patch', '2001', '--type', 'credit', '--status', 'ACCOUNT_OK'],
  ['accounts', 'block', '2001', '--type', 'credit'],
])('of an account that is to be closed: %s %s', async (...argv) => {
  const close = ['accounts', 'close', '2001', '--type', 'credit', '--confirm', 'ACCOUNT_TO_CLOSE']
  expect((await home.run(close)).code).toBe(0)
  const {code, stderr} = await home.run(argv)
  expect(code).toBe(6)
  expect(stderr).toContain(
    'stays so, and no request changes that. See who closed it: cardctl history account ID',
  )
  expect(stderr).not.toMatch(RETRY)
})

it.each([
  'The account is closed.',
  'The account is marked for closing; its status is final.',
  'The account is in collection; its status is final.',
  'The period has expired and can no longer be changed.',
  'The control id has already been used.',
  'The token has already been used.',
  'Only a card with status CARD_OK can be provisioned.',
  'The card is closed.',
  'The card has expired.',
  'The card was replaced.',
  'The card of the control id no longer exists.',
  'The plastic is not active.',
  'The wallet token was cancelled.',
  'The remote checkout is already settled.',
  'The checkout was cancelled.',
  'The authorisation was declined.',
])('%s', message => {
  expect(finalState(message)?.toString()).not.toMatch(RETRY)
  expect(finalState(message)).toBeDefined()
})

it.each([
  'The balance must be zero before the account is closed.',
  'The account has open holds.',
  'The account is not of type DEBIT.',
  'Another account has this number.',
  '/replacementAmount: must be less than the hold.',
  'Another price list has this code.',
  'The transfer was declined: the amount is above the limit.',
  'The payment was declined because of its currency.',
  'The batch is completed by hand, so a reference is needed.',
])('%s can be corrected', message => {
  expect(finalState(message)).toBeUndefined()
})
