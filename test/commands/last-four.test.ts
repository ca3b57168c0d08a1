// What can be found by the last four digits of a card number, and what is said where it can't.
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, reply} from '../helpers/service.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const run = (...words: string[]) => home.run(words)

describe('cards list --last4', () => {
  test('reads all pages, and chooses the cards whose number ends so', async () => {
    const cards = await home.json<{id: string}[]>([
      'cards',
      'list',
      '--customer',
      '1003',
      '--page-size',
      '5',
      '--last4',
      '1357',
    ])
    expect(cards.map(({id}) => id)).toEqual(['3135'])
    expect(await home.json(['cards', 'list', '--account', '2006', '--last4', '1357'])).toEqual(cards)
    expect(
      await home.json(['cards', 'list', '--customer', '1003', '--last4', '1357', '--status', 'CARD_CLOSED']),
    ).toEqual([])
  })

  test('says that no card is meant, not that there are none', async () => {
    const {code, stdout} = await run('cards', 'list', '--customer', '1003', '--last4', '9999')
    expect({code, stdout}).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No card of customer 1003 has a number that ends in 9999.'),
    })
    const closed = await run('cards', 'list', '--account', '2001', '--status', 'CARD_LOST')
    expect(closed.stdout).toContain('No card of account 2001 has status CARD_LOST.')
  })

  test('counts no card as another one whose number the list does not have', async () => {
    const service = await openService(({url}) =>
      url.includes('/v4/customer/7')
        ? reply(200, [
            {
              id: '1',
              customerId: '7',
              accountId: '9',
              cardRole: 'MAIN',
              status: 'CARD_OK',
              maskedCardNumber: '41111111____1111',
            },
            {
              id: '2',
              customerId: '7',
              accountId: '9',
              cardRole: 'MAIN',
              status: 'CARD_OK',
              maskedCardNumber: null,
            },
          ])
        : undefined,
    )
    onTestFinished(() => service.close())
    await run(
      'profiles',
      'add',
      'desk',
      '--kind',
      'test',
      '--base-url',
      service.url,
      '--auth',
      'none',
      '--profile-audit-user',
      'aino',
    )
    const {code, stdout, stderr} = await run(
      'cards',
      'list',
      '--customer',
      '7',
      '--last4',
      '1111',
      '-p',
      'desk',
      '-o',
      'csv',
      '--columns',
      'id',
    )
    expect(code).not.toBe(0)
    expect({stdout, stderr}).toMatchObject({stdout: 'id\n1\n'})
    expect(stderr).toContain('1 card of the list has no number, so it may end in 1111, too.')
  })

  test.each(['111', '11111', '4111 1111', 'abcd'])(
    'takes 4 digits, not %s, and never repeats them',
    async digits => {
      const {code, stderr} = await run('cards', 'list', '--customer', '1003', '--last4', digits)
      expect(code).toBe(2)
      expect(stderr).toContain('--last4 takes the last 4 digits')
      expect(stderr).not.toContain(digits)
    },
  )
})

describe('last four digits elsewhere', () => {
  test.each([[['cards', 'get', '4444']], [['cards', 'plastics', '4444']], [['find', '4444']]])(
    '%s leads to the cards of a customer',
    async words => {
      const {code, stderr} = await home.run(words)
      expect(code).toBe(5)
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        'If 4444 are the last digits of a card number, say whose card it is, with --customer or --account: cardctl cards list --customer ID --last4 4444',
      )
    },
  )

  test('are no matter of an id that looks different', async () => {
    for (const id of ['44444', '444']) expect((await run('cards', 'get', id)).stderr).not.toContain('--last4')
  })

  test.each([
    ['cards get --last4 4444', '--last4', 'cardctl cards list --customer ID --last4 1234'],
    ['find --last4 4444', '--last4', 'cardctl cards list --customer ID --last4 1234'],
    ['cards list --customer 1001 --ending 4444', '--ending', 'Did you mean --last4?'],
  ])('%s names the flag', async (line, flag, lead) => {
    const {code, stderr} = await home.run(line.split(' '))
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`There is no flag ${flag}.`)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(lead)
  })
})
