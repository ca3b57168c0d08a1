import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const BID = ['--bid', 'ISSUER-1']

/** Follows the operation: the sandbox's clock goes on by itself while the command waits. */
const change = (line: string) =>
  home.json<{change: {before: unknown; after: unknown}}>([...line.split(' '), ...BID, '--show-change'])

async function enrol(): Promise<void> {
  const argv = [
    'remotecheckout',
    'enroll',
    '--customer',
    '1001',
    '--card',
    '3001',
    '--email',
    'a@example.com',
  ]
  await home.json([...argv, ...BID])
  await home.json(['sandbox', 'clock', 'advance', '1m'])
}

describe('--show-change', () => {
  test('shows an enrolment before and after, member by member', async () => {
    await enrol()
    const argv = ['remotecheckout', 'update', '--customer', '1001', '--email', 'b@example.com', ...BID]
    const {code, stdout} = await home.run([...argv, '--show-change'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/customerInformation email 1 +a@example\.com +b@example\.com\n/)
    expect(stdout).not.toContain('firstName')
  })

  test('finds the customer by the card', async () => {
    await enrol()
    const {change: seen} = await change('remotecheckout delete --card 3001 --confirm 3001')
    expect(seen.before).toMatchObject({paymentInstruments: [{cardId: '3001'}]})
    expect(seen.after).not.toMatchObject({paymentInstruments: [{cardId: '3001'}]})
  })

  test('says what is about to be destroyed before it asks', async () => {
    await enrol()
    const argv = ['remotecheckout', 'delete', '--customer', '1001', ...BID, '--show-change', '--no-input']
    const {code, stdout, stderr} = await home.run(argv)
    expect({code, stdout}).toEqual({code: 2, stdout: ''})
    expect(stderr).toMatch(/a@example\.com[\s\S]*3001/)
  })

  test('shows that nothing was there before', async () => {
    const {change: seen} = await change('remotecheckout enroll --customer 1001 --card 3001')
    expect(seen).toEqual({
      before: null,
      after: expect.objectContaining({customerInformation: expect.anything()}),
    })
  })

  test('shows a batch as the service now reads it', async () => {
    const argv = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:rent', '--yes', '--show-change']
    const [batch] = await home.json<{transfers: {items: object[]}}[]>(argv)
    expect(batch?.transfers.items).toMatchObject([{fromId: '2006', toId: '2007', amount: 12.5}])
  })

  test.each([
    ['accounts patch 2001 --type credit --credit-limit 100', 'an account'],
    ['accounts reminder 2001 --disable', 'an account'],
    ['pricelists patch 5001 --code NEW', 'a price list'],
    ['pricelists period delete 6003 --confirm 6003', 'a price list'],
    ['pin set 3004', 'a PIN'],
    ['api PATCH /v4/CREDIT/2001 -F creditLimit=5000', 'an account'],
  ])('says where the service offers no read: %s', async (line, what) => {
    const {code, stderr} = await home.run([...line.split(' '), '--show-change'], {stdin: '8253\n'})
    expect(code).toBe(0)
    expect(stderr).toContain(`the service offers no read of ${what}`)
  })
})
