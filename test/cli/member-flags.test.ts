import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

describe('a flag for a field', () => {
  it.each([
    [
      'accounts patch 2001 --type credit --credit-limit 6000.50 --status ACCOUNT_OK --name Family --reason null',
      {creditLimit: 6000.5, status: 'ACCOUNT_OK', name: 'Family', reason: null},
    ],
    [
      'accounts reminder 2001 --no-disable --reminder1 2027-01-15 --reminder2 null --collection 2027-03-01',
      {
        disableReminderProcess: false,
        reminder1TriggerDate: '2027-01-15',
        reminder2TriggerDate: null,
        collectionTriggerDate: '2027-03-01',
      },
    ],
    [
      'wallets provision 3001 --wallet walletc --app-id a --device-id 007 --wallet-account-id w',
      {clientAppID: 'a', clientDeviceID: '007', clientWalletAccountID: 'w'},
    ],
    [
      'remotecheckout enroll --customer 1001 --card 3001 --bid B --email a@example.com --phone 358401234567',
      {
        customerBID: 'B',
        cardId: ['3001'],
        overrides: {emails: ['a@example.com'], phones: ['358401234567']},
      },
    ],
    [
      'remotecheckout update --customer 1001 --bid B --phone 358401234567',
      {customerBID: 'B', overrides: {phones: ['358401234567']}},
    ],
    [
      'sandbox faults add --match path:id=3002 --match /transfers/0/amount=5 --delay 3s',
      {match: {'path:id': '3002', '/transfers/0/amount': '5'}, delayMs: 3000},
    ],
  ])('%s', async (line, body) => {
    const {stdout, stderr} = await home.run([...line.split(' '), '--dry-run'])
    expect(JSON.parse(stdout).body, stderr).toEqual(body)
  })

  it.each([
    ['accounts patch 2002 --type debit --credit-limit 5', 'creditLimit is not a field of a debit account'],
    [
      'remotecheckout update --customer 1001 --bid B --active --phone 358401234567',
      'leave out --email, --phone',
    ],
    ['sandbox faults add --match 3002 --status 503', '--match takes path=value, e.g. --match path:id=3001'],
  ])('%s is refused', async (line, words) => {
    const {code, stderr} = await home.run([...line.split(' '), '--dry-run'])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})
