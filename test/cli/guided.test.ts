// The guided way, as docs/support.md shows it.
// The guided way: a menu of commands, questions for their values, and the command line to learn from it.
import {existsSync} from 'node:fs'
import {readdir, readFile, writeFile} from 'node:fs/promises'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome, type RunOptions} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

const DOWN = '\u001b[B'
const UP = '\u001b[A'
const ESC = '\u001b'
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const MENU = 'What do you want to do?'
const MORE = 'What else?'

/** A person at a terminal. */
const at = (typed: RunOptions['typed'], options: RunOptions = {}) =>
  ({columns: 80, typed, ...options}) as RunOptions
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('cardctl alone', () => {
  it('opens a menu on a terminal, asks for values, runs the command and prints its line', async () => {
    const {code, stdout, stderr} = await home.run(
      [],
      at([
        [MENU, 'plastics'],
        ['Id of the card', '3001'],
        [MORE, ''],
      ]),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('ACTIVE')
    expect(stderr).toContain('To run this again: cardctl cards plastics 3001 -p sandbox')
  })

  it('takes the first of several lines that are pasted, and asks for the others', async () => {
    const {stderr} = await home.run(
      [],
      at([
        [MENU, 'plastics\r3001\r3002'],
        ['Id of the card', CTRL_D],
      ]),
    )
    expect(stderr).toMatch(/✔ What do you want to do\? cards plastics\n[^✔]*$/)
  })

  it('lists commands by task, those of what was done last first', async () => {
    await home.run(['pricelists', 'patch', '5001', '--code', 'A', '-p', 'sandbox'])
    const {stderr} = await home.run([], at([[MENU, CTRL_D]]))
    expect(stderr).toMatch(/Used here last\s+❯ pricelists patch.* Cards\s+find .*\s+cards get/s)
  })

  it('offers what is rarely wanted last', async () => {
    const {stderr} = await home.run(
      ['accounts', 'block', '2001', '--type', 'credit', '-i', '-p', 'sandbox'],
      at([['What else?', CTRL_D]]),
    )
    expect(stderr).toMatch(
      /❯◯ Reason for the change.*Why you do it.*Ticket.*Do not send it.*Trust the clock/s,
    )
  })

  it('lists the plain command that was used, not the one behind it', async () => {
    for (const line of ['patch 2001 --name A', 'limit 2001 10', 'unblock 2001', 'block 2001 --reason x'])
      await home.run(['accounts', ...line.split(' '), '--type', 'credit', '-p', 'sandbox'])
    const {stderr} = await home.run([], at([[MENU, CTRL_D]]))
    expect(stderr).toMatch(
      /Used here last\s+❯ accounts block .*\s+accounts unblock .*\s+accounts limit .*\s+accounts patch .*\s+Cards/,
    )
    expect(stderr).not.toContain('sandbox (embedded)')
  })

  it('lists the command that set a PIN, not the requests it is made of', async () => {
    await home.run(['pin', 'set', '3004', '--yes', '-p', 'sandbox'], {stdin: '8253\n'})
    const {stderr} = await home.run([], at([[MENU, CTRL_D]]))
    expect(stderr).toMatch(/Used here last\s+❯ pin set .*\s+Cards\s+find/)
  })

  it('says first of which request the effect is unknown, and offers to find out', async () => {
    const create = ['a2a', 'create', '--transfer', '2006:2007:12.50:EUR:Rent', '--yes', '-p', 'sandbox']
    const drop = ['--operation', 'a2a.create.v1', '--drop', 'after', '--count', '1', '-p', 'sandbox']
    await home.run(['sandbox', 'faults', 'add', ...drop])
    expect((await home.run(create)).code).toBe(10)
    const {code, stderr} = await home.run(
      [],
      at([
        [MENU, '\r'],
        [MORE, ''],
      ]),
    )
    expect(unwrapped(stderr)).toMatch(
      /Effect unknown: find out before you do it again ❯ requests resolve r_\w+ .*Used here last a2a create/,
    )
    expect(code).toBe(0)
    const later = await home.run([], at([[MENU, CTRL_D]]))
    expect(later.stderr).not.toContain('Effect unknown')
  })

  it('finds a command by words of its summary', async () => {
    const {stderr} = await home.run(
      [],
      at(
        [
          [MENU, 'limits'],
          ['none', ''],
        ],
        {signal: AbortSignal.timeout(300)},
      ),
    )
    expect(stderr).not.toContain('Which of these')
    const found = await home.run(
      [],
      at([
        [MENU, 'prove the audit'],
        [MORE, ''],
      ]),
    )
    expect(found.stderr).toContain('audit')
  })

  /** The command that Enter chooses. */
  const chosenFor = async (typed: string) => {
    const {stderr} = await home.run(
      [],
      at([
        [MENU, typed],
        ['Esc back', CTRL_D],
      ]),
    )
    return /✔ What do you want to do\? ([a-z0-9 ]+)/.exec(stderr)?.[1]
  }

  it.each([
    ['why declined', 'cards get'],
    ['freeze', 'accounts block'],
    ['send money', 'a2a create'],
    ['PIN blocked', 'cards get'],
    ['who touched the PIN', 'history'],
    ['change pin', 'pin set'],
    ['what happened to customer', 'history'],
    ['price list', 'pricelists period patch'],
    ['period', 'pricelists period patch'],
  ])('finds for "%s" what is meant, and never a deletion first: %s', async (typed, command) => {
    expect(await chosenFor(typed)).toBe(command)
  })

  it.each([
    ['owe', 'For a debt or an overdraft: The built-in contract has no operation'],
    ['lost', 'For a stolen or lost card: The service has no operation that blocks a card.'],
    ['declined', 'For a declined payment or a limit that is reached:'],
    ['moved', undefined],
    ['balance', 'For what was spent: The built-in contract has no operation'],
    ['order stuck', undefined],
    ['spreadsheet', undefined],
    ['all accounts', undefined],
    ['replace card', undefined],
    ['other price list', undefined],
    ['how do I close an account', undefined],
  ])('answers "%s" as help does, with what the service cannot do', async (typed, lacks) => {
    const [first] = await home.json<{name: string}[]>(['help', '--search', typed])
    const name = first?.name.replace(/^docs/, 'help docs')
    const isPage = name?.startsWith('help ') === true
    const leave: RunOptions['typed'] = isPage ? [] : [['✔', CTRL_D]]
    const {stderr} = await home.run([], at([[MENU, typed], ...leave]))
    expect(/✔ What do you want to do\? ([\w /.-]+)/.exec(stderr)?.[1]).toBe(name)
    if (lacks !== undefined) expect(unwrapped(stderr)).toContain(lacks)
  })

  it.each<[string, RunOptions]>([
    ['without a terminal', {}],
    ['with TERM=dumb', at([], {env: {TERM: 'dumb'}})],
    ['with CI', at([], {env: {CI: '1'}})],
    ['with CARDCTL_NO_INPUT', at([], {env: {CARDCTL_NO_INPUT: '1'}})],
    ['if stdout is not the terminal', {typed: []}],
  ])('prints help %s', async (_, options) => {
    const {code, stdout, stderr} = await home.run([], options)
    expect({code, stderr}).toEqual({code: 0, stderr: ''})
    expect(stdout).toContain('USAGE')
  })

  it.each([
    [CTRL_C, 130],
    [CTRL_D, 2],
  ])('leaves nothing behind after %j at the menu or at a question', async (key, exit) => {
    expect((await home.run([], at([[MENU, key]]))).code).toBe(exit)
    const asked = at([
      [MENU, 'accounts patch'],
      ['Id of the account', key],
    ])
    expect((await home.run([], asked)).code).toBe(exit)
    expect(existsSync(`${home.folder}/.local`)).toBe(false)
    expect(existsSync(`${home.folder}/.config`)).toBe(false)
  })

  it('offers what was used lately to find, and the ids of batches, jobs and requests', async () => {
    const credit = ['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '10', '-p', 'sandbox']
    await home.run(credit)
    const found = await home.run(
      ['find', '-i', '-p', 'sandbox'],
      at([
        ['have?', ''],
        ['Id, reference', CTRL_D],
      ]),
    )
    expect(found.stderr).toMatch(/❯ 2001 +account, used lately\s+r_\w+ +accounts\.patchCredit/)
    const request = await home.run(
      ['requests', 'show', '-i', '-p', 'sandbox'],
      at([['Id of the request', CTRL_D]]),
    )
    expect(request.stderr).toMatch(/❯ r_\w+ +accounts\.patchCredit/)
    await home.run(['a2a', 'create', '--transfer', '2006:2007:1:EUR', '--yes', '-p', 'sandbox'])
    const batch = await home.run(['a2a', 'get', '-i', '-p', 'sandbox'], at([['Id of the batch', CTRL_D]]))
    expect(batch.stderr).toMatch(/❯ 88001 +send [^\n]*, \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  })

  it('shows the names alone in 40 columns, and the summary below the list', async () => {
    const {stderr} = await home.run([], at([[MENU, CTRL_D]], {questionsAt: {columns: 40, rows: 20}}))
    expect(stderr).toMatch(/ {2}cards list\n/)
    expect(stderr).toMatch(/\nFind a card, customer, account, batch,?\n/)
  })
})

describe('a usual task in the menu', () => {
  const last = (text: string) => unwrapped(text).slice(-400)

  it('takes a limit back, and asks for that once', async () => {
    const limit = (amount: string) =>
      home.run(['accounts', 'limit', '2001', amount, '--type', 'credit', '-p', 'sandbox'])
    await limit('5000')
    await limit('7000')
    const {code, stderr} = await home.run(
      [],
      at([
        [MENU, 'undo'],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    // Again without the id, it would undo the change before.
    expect(last(stderr)).toMatch(/To run this again: cardctl requests undo r_\w+/)
    const [newest] = await home.json<{sent: unknown}[]>(['requests', 'show', 'last', '--query', '[@]'])
    expect(newest?.sent).toEqual({creditLimit: 5000})
  })

  it('changes the end of a price period by a date', async () => {
    const {code, stderr} = await home.run(
      [],
      at([
        [MENU, 'period'],
        ['Id of the period', '6001'],
        ['What do you want to change?', `${DOWN} `],
        ['? End of the period', 'end of june'],
        ['is not a date', '\u00152027-06-30'],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    expect(last(stderr)).toContain('cardctl pricelists period patch 6001 --valid-to 2027-06-30')
  })

  it('reads what a phone sent for a wallet from a file, and offers nothing for other wallets', async () => {
    await writeFile(`${home.folder}/wrong.json`, '{"nonce": "9c"}')
    await writeFile(
      `${home.folder}/phone.json`,
      '{"certificates": ["TUlJQg=="], "nonce": "9c", "nonceSignature": "40"}',
    )
    const {code, stdout, stderr} = await home.run(
      [],
      at([
        [MENU, 'wallet'],
        ['Id of the card', '3001'],
        ['Wallet to add the card to', ''],
        ['JSON file with what the phone sent', 'none.json'],
        ['does not exist', `\u0015${home.folder}/wrong.json`],
        ['certificates is missing', `\u0015${home.folder}/phone.json`],
        [MORE, ''],
      ]),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('activationData')
    expect(stderr).not.toContain('Wallet provider')
    expect(last(stderr)).toContain('--wallet walleta --data @')
  })
})

describe('what is sent after questions', () => {
  const block = ['accounts', 'block']
  const read = () => home.json(['requests', 'list'])

  it('is shown and confirmed, also if only one value was asked for', async () => {
    const id: RunOptions['typed'] = [['Id of the account', '2001']]
    const typed: RunOptions['typed'] = [
      ['Type', 'credit'],
      ['Continue?', 'n'],
    ]
    expect((await home.run([...block, '--type', 'credit'], at([...id, ['Continue?', 'n']]))).code).toBe(2)
    expect((await home.run([...block, '2001'], at(typed))).code).toBe(2)
    expect(await read()).toEqual([])
  })

  it('is sent at once if the whole line was typed', async () => {
    expect((await home.run([...block, '2001', '--type', 'credit'], at([]))).code).toBe(0)
    expect(await read()).toHaveLength(1)
  })
})

describe('--interactive', () => {
  const patch = ['accounts', 'patch', '2001', '--type', 'credit', '-i']

  it('keeps what was given, and asks before a write in the words of the user', async () => {
    const {code, stderr} = await home.run(
      patch,
      at([
        ['What do you want to change?', `${DOWN} `],
        ['? New credit limit', ' 6000 '],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain(
      'sandbox (embedded): change the limit of credit account 2001. The change takes effect at once. creditLimit 6 000',
    )
    expect(unwrapped(stderr)).toContain(
      'To run this again: cardctl accounts patch 2001 --type credit --credit-limit 6000 -p sandbox',
    )
    expect(stderr.match(/Continue\?/g)?.length).toBeGreaterThan(0)
    expect(stderr).not.toMatch(/PATCH|http/)
    // Flags are for the line that can be run again.
    expect(unwrapped(stderr)).toMatch(/✔ What do you want to change\? new credit limit \?/)
    expect(stderr.split('To run this again')[0]).not.toContain('--credit-limit')
  })

  it.each(['n', CTRL_C, CTRL_D])('sends and records nothing after %j at the confirmation', async answer => {
    const result = await home.run(
      [...patch, '--credit-limit', '6000'],
      at([
        [MORE, ''],
        ['Continue?', answer],
      ]),
    )
    expect(result.code).toBeGreaterThan(0)
    expect(await home.json(['requests', 'list'])).toEqual([])
    expect(await home.json(['audit', 'list'])).toEqual([])
  })

  it('says at once what is wrong with an answer, by the contract', async () => {
    const {code, stderr} = await home.run(
      ['accounts', 'reminder', '2001', '-i'],
      at([
        ['What do you want to change?', `${DOWN} `],
        ['? Date of the first reminder', '1/2/2027'],
        ['may be', '\u00152027-01-31'],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain('--reminder1 2027-01-31')
  })

  it('offers the values that the contract lists', async () => {
    const {stderr} = await home.run(
      patch,
      at([
        ['What do you want to change?', ' '],
        ['? New status', DOWN],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(unwrapped(stderr)).toContain('--status ACCOUNT_BLOCKED')
  })

  it('offers the ids that were used lately, and those of the demo data', async () => {
    await home.run(['accounts', 'patch', '2002', '--type', 'debit', '--name', 'A', '-p', 'sandbox'])
    // It was refused, so it may be mistyped.
    await home.run(['accounts', 'patch', '99999', '--type', 'debit', '--name', 'A', '-p', 'sandbox'])
    const {stderr} = await home.run(['accounts', 'patch', '-i'], at([['Id of the account', CTRL_D]]))
    expect(stderr).not.toContain('99999')
    expect(stderr).toMatch(/2002 +change debit account, \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(stderr).toMatch(/2001 +demo data: credit, ACCOUNT_OK, customer 1001/)
  })

  it('says what was last done with each, the newest first, and closed ones last', async () => {
    const change = (id: string, ...more: string[]) =>
      home.run([
        'accounts',
        ...more.slice(0, 1),
        id,
        '--type',
        'credit',
        ...more.slice(1),
        '--yes',
        '-p',
        'sandbox',
      ])
    expect((await change('2001', 'block')).code).toBe(0)
    expect((await change('2002', 'close', '--confirm', 'ACCOUNT_TO_CLOSE')).code).toBe(6)
    expect(
      (
        await home.run([
          'accounts',
          'close',
          '2002',
          '--type',
          'debit',
          '--confirm',
          'ACCOUNT_TO_CLOSE',
          '--yes',
          '-p',
          'sandbox',
        ])
      ).code,
    ).toBe(0)
    const {stderr} = await home.run(['accounts', 'patch', '-i'], at([['Id of the account', CTRL_D]]))
    expect(stderr).toMatch(/❯ 2001 +block credit account, \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(stderr).toMatch(/\n *2002 +closed, \d{4}-/)
    expect(stderr.indexOf('2001 ')).toBeLessThan(stderr.indexOf('2002 '))
  })

  it('escapes what is stored', async () => {
    const id = '2002\u001b[31mX'
    // An id that was only refused isn't suggested.
    await home.run(['sandbox', 'faults', 'add', '--status', '500', '--count', '9'])
    await home.run([
      'accounts',
      'patch',
      id,
      '--type',
      'debit',
      '--name',
      'A',
      '--no-check-input',
      '-p',
      'sandbox',
    ])
    const {stderr} = await home.run(['accounts', 'patch', '-i'], at([['Id of the account', CTRL_D]]))
    expect(stderr).toContain('2002\\u001b[31mX')
    expect(stderr).not.toContain(id)
  })

  it('asks for the parts of a transfer, each until it is right, and once for the whole', async () => {
    const {code, stderr} = await home.run(
      ['a2a', 'create', '-i'],
      at([
        ['Which of these do you have?', ''],
        ['From', 'rent'],
        ['digits only', '2006'],
        ['To', '2006'],
        ['the account that the transfer comes from', '2007'],
        ['Currency', '1.250'],
        ['not a currency', `${'\x7f'.repeat(5)}krona`],
        ['ISK', 'eur'],
        ['Amount', '1.5005'],
        ['decimals', '1,50'],
        ['Text', ''],
        ['Another one?', ''],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    // The same line would move the money once more.
    expect(stderr).not.toContain('To run this again')
  })

  it('asks again for a file that cannot be read', async () => {
    const file = `${home.folder}/rent.csv`
    await writeFile(file, 'from,to,amount,currency\n2006,2007,3,EUR\n')
    const {code} = await home.run(
      ['a2a', 'create', '-i', '--dry-run'],
      at([
        ['Which of these do you have?', DOWN],
        ['\u001b[K? A spreadsheet', 'rents.csv'],
        ['rents.csv cannot be read: it does not exist', file],
        [MORE, ''],
      ]),
    )
    expect(code).toBe(0)
  })

  it('takes a card number only at the hidden prompt, and prints it nowhere', async () => {
    const number = '4111111111111111'
    const {stdout, stderr} = await home.run(
      ['cards', 'get', '-i'],
      at([
        ['Which of these do you have?', `${DOWN}${DOWN}`],
        ['Card number', number],
      ]),
    )
    expect(stdout + stderr).not.toContain(number)
    expect(stderr).toContain('To run this again: cardctl cards get --pan-stdin')
  })

  it('asks again for a wrong card number, passes over arrow keys, and takes spaces and dashes', async () => {
    const number = '4111 1111-1111\u00a01111'
    const {code, stdout, stderr} = await home.run(
      ['find', '--card-number'],
      at([
        ['Card number', '4111111111111112'],
        ['check digit', `${UP}4111${DOWN}\u001bOC\u001b[1;5D`],
        ['13 to 19 digits', `${UP}${number}${DOWN}`],
      ]),
    )
    expect({code, stderr}).toMatchObject({code: 0})
    expect(stdout).toContain('Card 3001')
    expect(stdout + stderr).not.toMatch(/4111 ?1111 ?1111|1111111/)
    for (const name of await readdir(home.folder, {recursive: true})) {
      const content = await readFile(`${home.folder}/${name}`, 'latin1').catch(() => '')
      expect(content).not.toMatch(/4111[ -]?1111[ -]?1111/)
    }
  })

  it('goes back to the menu from the card number', async () => {
    const {stderr} = await home.run(
      [],
      at([
        [MENU, 'find'],
        ['Which of these do you have?', DOWN],
        [MORE, ''],
        ['Card number (Esc back)', ESC],
        [MENU, CTRL_D],
      ]),
    )
    expect(stderr).not.toContain('To run this again')
    expect(stderr.match(/Error/g)).toHaveLength(1)
    const ignored = await home.run(
      ['find', '--card-number'],
      at([['Card number', ESC]], {signal: AbortSignal.timeout(400)}),
    )
    expect(ignored.code).toBe(130)
  })

  it('refuses a card number that is typed for an id', async () => {
    const {stderr} = await home.run(
      ['cards', 'plastics'],
      at([
        ['Id of the card', '4111111111111111'],
        ['card number', CTRL_C],
      ]),
    )
    expect(stderr).toContain('That looks like a card number')
  })

  it('asks for another one of what may be repeated, and for the items of a list', async () => {
    const transfer = (text: string) =>
      [
        ['From', '2006'],
        ['To', '2007'],
        ['Currency', 'EUR'],
        ['Amount', '1.50'],
        ['Text', text],
      ] as const
    const two = await home.run(
      ['a2a', 'create', '--dry-run', '-i'],
      at([
        ['Which of these do you have?', ''],
        ...transfer('a'),
        ['Another one?', 'y'],
        ...transfer('b'),
        ['Another one?', 'n'],
        [MORE, ''],
      ]),
    )
    expect(unwrapped(two.stderr)).toContain('--transfer 2006:2007:1.50:EUR:a --transfer 2006:2007:1.50:EUR:b')
    const list = await home.run(
      [...patch, '--dry-run'],
      at([
        ['What do you want to change?', `${DOWN.repeat(16)} `],
        ['Usage limits / 1 / code', ''],
        ['Usage limits / 1 / values / 1 / code', ''],
        ['Usage limits / 1 / values / 1 / reset', UP],
        ['Usage limits / 1 / values / 1 / single amount (Enter to leave it out)', ''],
        ['Usage limits / 1 / values / 1 / count (Enter to leave it out)', '3'],
        ['Usage limits / 1 / values / 1 / sum amount (Enter to leave it out)', ''],
        ['Usage limits / 1 / values: another one?', 'n'],
        ['Usage limits: another one?', 'n'],
        [MORE, ''],
      ]),
    )
    expect(JSON.parse(list.stdout).body).toEqual({
      usageLimits: [{code: '24H', values: [{code: 'ATM', count: 3}]}],
    })
  })

  it('asks of what a history is, and suggests ids of that kind alone', async () => {
    const {stderr} = await home.run(
      ['history', '-i'],
      at([
        ['What do you want the history of?', DOWN],
        ['Its id', CTRL_D],
      ]),
    )
    expect(stderr).toMatch(/Its id\s+❯ 1001 +demo data: Aino Virtanen/)
    expect(stderr).not.toContain('3001')
  })

  it('takes a date for the end of a period, as its question says', async () => {
    const {code, stderr} = await home.run(
      ['pricelists', 'period', 'patch', '6001', '-i'],
      at([
        ['What do you want to change?', `${DOWN} `],
        ['? End of the period', '2040-06-30'],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain('--valid-to 2040-06-30')
  })

  it('says how to choose if Enter comes before Space', async () => {
    const {stderr} = await home.run(
      ['pricelists', 'period', 'patch', '6003', '-i'],
      at([
        ['What do you want to change?', ''],
        ['Press Space to choose, then Enter.', CTRL_D],
      ]),
    )
    expect(stderr).toContain('Price list id')
    expect(stderr).not.toContain('priceListId')
  })

  it('enrols a card of an enrolled customer and a new one', async () => {
    const enroll = ['remotecheckout', 'enroll', '--dry-run', '-i']
    const card = ['Id of the card', '3004'] as const
    const enrolled = await home.run(enroll, at([card, [MORE, '']]))
    expect(enrolled.code).toBe(0)
    const fresh = await home.run([...enroll, '--customer', '1001'], at([card, [MORE, '']]))
    expect(fresh.code).toBe(0)
  })

  it('goes back with Esc: to the question before, and from the first one to the menu', async () => {
    const {code, stderr} = await home.run(
      [],
      at([
        [MENU, 'accounts reminder'],
        ['type any other', ESC],
        [MENU, 'cards list'],
        ['Which of these do you have?', ''],
        ['type any other', ESC],
        ['Which of these do you have?', DOWN],
        ['type any other', '2001'],
        ['space select', ESC],
        ['type any other', ESC],
        ['Which of these do you have?', UP],
        ['type any other', '1001'],
        ['space select', ''],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain('To run this again: cardctl cards list --customer 1001')
    expect(stderr).toMatch(/✔ What do you want to do\? accounts reminder\n[^✔]*Taken back\./)
    expect(stderr.match(/Taken back\./g)).toHaveLength(4)
  })

  it('keeps the answer that Esc takes back, to be sent again or replaced by typing', async () => {
    const reminder = (second: string) =>
      at([
        ['What do you want to change?', `${DOWN} ${DOWN} `],
        ['? Date of the first reminder', '2027-01-31'],
        ['? Date of the second reminder', ESC],
        ['? Date of the first reminder; null clears it 2027-01-31', second],
        ['? Date of the second reminder', '2027-03-01'],
        [MORE, ''],
        ['Continue?', 'y'],
      ])
    const line = ['accounts', 'reminder', '2001', '-i']
    const kept = await home.run(line, reminder(''))
    expect(unwrapped(kept.stderr)).toContain('--reminder1 2027-01-31 --reminder2 2027-03-01')
    const replaced = await home.run(line, reminder('2027-02-01'))
    expect(unwrapped(replaced.stderr)).toContain('--reminder1 2027-02-01 --reminder2 2027-03-01')
    const edited = await home.run(line, reminder('\u007f0'))
    expect(unwrapped(edited.stderr)).toContain('--reminder1 2027-01-30 --reminder2 2027-03-01')
  })

  it('leaves by Esc twice, and says so at the first question', async () => {
    const {code, stderr} = await home.run(
      ['cards', 'get', '-i'],
      at([
        ['Which of these do you have?', ESC],
        ['Press Esc twice to leave.', ESC + ESC],
      ]),
    )
    expect(code).toBe(130)
    expect(stderr).toContain('Nothing was sent or changed.')
  })

  it('takes what is typed after a refused answer in its place', async () => {
    const {code, stderr} = await home.run(
      ['accounts', 'reminder', '2001', '-i'],
      at([
        ['What do you want to change?', `${DOWN} `],
        ['? Date of the first reminder', '1/2/2027'],
        ['may be', '2027-01-31'],
        [MORE, ''],
        ['Continue?', 'y'],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain('--reminder1 2027-01-31')
  })

  it('leaves out what was chosen and is not needed, by Enter', async () => {
    const {code, stderr} = await home.run(
      ['cards', 'list', '--customer', '1001', '--no-color', '-i'],
      at([
        ['space select', `${DOWN.repeat(4)} `],
        ['leave', ''],
      ]),
    )
    expect(code).toBe(0)
    expect(unwrapped(stderr)).toContain('To run this again: cardctl cards list --customer 1001 --no-color -p')
  })

  it('offers no other way to name what was named', async () => {
    const asked = await home.run(['find', '3001', '-i'], at([[MORE, CTRL_D]]))
    expect(asked.stderr).toContain('CustomerBID')
    expect(asked.stderr).not.toMatch(/card number/i)
  })

  it('draws lists in ASCII where that is needed', async () => {
    const {stderr} = await home.run(
      ['accounts', 'patch', '-i'],
      at(
        [
          ['Id of the account', ''],
          ['Type', CTRL_C],
        ],
        {env: {CARDCTL_ASCII: '1'}},
      ),
    )
    expect(stderr).toContain('> 2001')
    expect(stderr).toContain('* Id of the account 2001')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
    expect(stderr).toMatch(/^[\x00-\x7f]*$/)
  })

  it('needs a terminal', async () => {
    const {code, stderr} = await home.run(['whoami', '-i'])
    expect(code).toBe(2)
    expect(stderr).toContain('--interactive needs a terminal.')
  })
})

describe('on a live profile', () => {
  let service: Service
  beforeEach(async () => {
    service = await openService()
    const url = ['--base-url', service.url]
    await home.json(['profiles', 'add', 'prod', '--kind', 'live', ...url, '--profile-audit-user', 'aino'])
  })
  afterEach(() => service.close())

  it('asks once, for the id, and names profile and host', async () => {
    const {code, stderr} = await home.run(
      ['accounts', 'patch', '2001', '--type', 'credit', '--credit-limit', '5000', '-i', '-p', 'prod'],
      at([
        [MORE, ''],
        ['Type 2001 to confirm:', '2001'],
      ]),
    )
    expect({code, sent: service.requests.length}).toEqual({code: 0, sent: 1})
    expect(unwrapped(stderr)).toMatch(/LIVE prod \(127.*\): change the limit of credit account 2001\./)
    expect(stderr).not.toContain('Continue?')
    expect(unwrapped(stderr)).toContain('--credit-limit 5000 -p prod')
  })
})

it.each(['approve', 'reject'])(
  'requests %s says first that the embedded sandbox has no proposals',
  async verb => {
    const {code, stderr} = await home.run([], at([[MENU, `requests ${verb}`]]))
    expect(code).toBe(2)
    expect(unwrapped(stderr)).toContain('The embedded sandbox is yours alone: it has no proposals')
    expect(stderr).not.toContain('Which proposal?')
  },
)
