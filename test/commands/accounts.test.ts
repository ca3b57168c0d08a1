import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it, onTestFinished} from 'vitest'
import {operations} from '../../src/contract/operations.gen.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService} from '../helpers/service.ts'

let home: Home
beforeEach(async () => {
  home = await openHome()
})
afterEach(() => home.remove())

type Account = Record<string, unknown>

const account = (id: string): Promise<Account> => home.json(['sandbox', 'state', 'show', 'account', id])
const patch = (id: string, ...more: string[]) => home.run(['accounts', 'patch', id, ...more])
const dryRun = async (...argv: string[]): Promise<{url: string; body: unknown}> => {
  const {stdout} = await home.run([...argv, '--dry-run'])
  return JSON.parse(stdout)
}

const limits = (values: object): string => JSON.stringify({usageLimits: [{code: 'DAILY', values: [values]}]})

describe('accounts patch', () => {
  const WHOLE = ['address1=Ring 1', 'zipCode=1010', 'city=Wien', 'country=AUT'].flatMap(field => [
    '-F',
    `address.${field}`,
  ])
  const PART = ['--type', 'credit', '-F', 'address.zipCode=1020']

  it('refuses a part of an address, because the rest would be cleared', async () => {
    const before = await account('2001')
    for (const flags of [[], ['--yes']]) {
      const refused = await patch('2001', ...PART, ...flags)
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain(
        'The whole address is replaced, so what is not given is cleared: address1, city, country.',
      )
      expect(refused.stderr).toContain(
        '-F address.address1=null -F address.city=null -F address.country=null',
      )
    }
    const api = await home.run(['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'address.zipCode=1020', '--yes'])
    expect(api.stderr).toContain('what is not given is cleared')
    const rows = join(home.folder, 'zips.csv')
    await writeFile(rows, 'id;Zip\n2001;1020\n')
    const map = ['--map', 'Zip=address.zipCode', '--type', 'credit', '--from', rows, '--yes']
    const bulk = await home.run(['bulk', 'run', 'accounts', 'patch', ...map])
    expect(bulk.stderr).toContain('Give the rest in columns too, or null there')
    expect(await account('2001')).toEqual(before)
  })

  it('takes an address as a whole, and names the rest that it last sent', async () => {
    expect(await patch('2001', '--type', 'credit', ...WHOLE)).toMatchObject({code: 0})
    expect((await patch('2001', ...PART, '--yes')).stderr).toContain(
      "sent from here: -F 'address.address1=Ring 1' -F address.city=Wien -F address.country=AUT",
    )
  })

  it('clears what is null, and takes that back', async () => {
    await patch('2001', '--type', 'credit', ...WHOLE)
    const nulls = ['address1', 'city', 'country'].flatMap(name => ['-F', `address.${name}=null`])
    expect(await patch('2001', ...PART, ...nulls, '--yes')).toMatchObject({code: 0})
    expect(await home.run(['requests', 'undo', '--yes'])).toMatchObject({code: 0})
    expect(await account('2001')).toMatchObject({address: {address1: 'Ring 1', zipCode: '1010'}})
  })

  it('clears the rest of an address if a person says so', async () => {
    const {code} = await home.run(['accounts', 'patch', '2001', ...PART, '--yes', '-p', 'sandbox'], {
      questionsAt: {columns: 200, rows: 30},
      typed: [['Continue anyway?', 'y']],
    })
    expect(code).toBe(0)
    expect((await account('2001')).address).toEqual({zipCode: '1020'})
  })

  it.each([
    ['2001', 'credit', ' name  Family\n'],
    ['2002', 'debit', ' name  Family\n'],
    ['2003', 'prepaid', ' name  Family\n'],
    ['2004', 'fleet', ' name  Family\n'],
    ['2005', 'MULTICURR_EUR_FI', ' multiCurr  MULTICURR_EUR_FI\n name       Family\n'],
  ])('changes account %s of type %s', async (id, type, sent) => {
    const {code, stdout} = await patch(id, '--type', type, '-F', 'name=Family')
    expect(code).toBe(0)
    expect(stdout).toBe(`Account ${id} updated\n${sent}`)
    expect(await account(id)).toMatchObject({name: 'Family'})
  })

  it.each(['CREDIT', 'Credit', 'multicurr_eur_fi'])('takes the type in any case: %s', async type => {
    const id = type.length > 6 ? '2005' : '2001'
    expect((await patch(id, '--type', type, '-F', 'name=x')).code).toBe(0)
  })

  it.each(operations['accounts.patchMulticurrency.v4'].known.multiCurr)(
    'knows the segment %s',
    async type => {
      const {url} = await dryRun('accounts', 'patch', '2005', '--type', type, '-F', 'creditLimit=1')
      expect(new URL(url).pathname).toBe(`/v4/${type}/2005`)
    },
  )

  it.each([
    ['crdit', 'credit'],
    ['MULTICURR_EUR_F', 'MULTICURR_EUR_FI'],
    ['MULTICUR_SEK_SE', 'MULTICURR_SEK_SE'],
  ])('asks of %s whether %s was meant', async (type, meant) => {
    const {code, stderr} = await patch('2001', '--type', type, '-F', 'name=x')
    expect(code).toBe(2)
    expect(stderr).toContain(`Did you mean ${meant}?`)
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('sends a segment that nobody knows with --segment', async () => {
    const argv = ['accounts', 'patch', '2005', '--segment', 'MULTICURR_CHF_CH', '-F', 'creditLimit=1']
    expect((await dryRun(...argv)).url).toContain('/v4/MULTICURR_CHF_CH/2005')
  })

  it.each([
    [[]],
    [['--type', 'credit', '--segment', 'MULTICURR_EUR_FI']],
    [['--type', 'credit', '--api-version', 'v3']],
    [['--segment', 'MULTICURR_EUR_FI', '--api-version', 'v3']],
    [['--type', 'savings']],
  ])('wants exactly one type, not %j', async flags => {
    expect((await patch('2001', ...flags, '-F', 'name=x')).code).toBe(2)
  })

  it('takes a type with v4, which is the default', async () => {
    const argv = ['accounts', 'patch', '2001', '--type', 'credit', '--api-version', 'v4', '-F', 'name=x']
    expect((await dryRun(...argv)).url).toContain('/v4/CREDIT/2001')
  })

  it('reports an account of another type in the words of the service', async () => {
    const {code, stderr} = await patch('2001', '--type', 'debit', '-F', 'name=x')
    expect(code).toBe(6)
    expect(stderr).toContain('The account is not of type DEBIT')
  })

  it('warns of v3 and works', async () => {
    const {code, stderr} = await patch('2001', '--api-version', 'v3', '-F', 'reason=checked')
    expect(code).toBe(0)
    expect(stderr).toContain('PATCH /v3/{id} is deprecated')
    expect(await account('2001')).toMatchObject({reason: 'checked'})
  })
})

describe('the body of a patch', () => {
  const credit = ['accounts', 'patch', '2001', '--type', 'credit']

  it('is typed by the contract with -F and text with -f', async () => {
    const {body} = await dryRun(
      ...credit,
      ...['-F', 'creditLimit=5000', '-F', 'number=0123', '-F', 'interestPostingEnabled=true'],
      ...['-F', 'address.city=Oslo', '-F', 'usageLimits[0].values[0].sumAmount=12.50', '-f', 'reason=42'],
      '--no-check-input',
    )
    expect(body).toEqual({
      reason: '42',
      creditLimit: 5000,
      number: '0123',
      interestPostingEnabled: true,
      address: {city: 'Oslo'},
      usageLimits: [{values: [{sumAmount: 12.5}]}],
    })
  })

  it('comes from a literal, a file or stdin, and fields win over it', async () => {
    const data = JSON.stringify({creditLimit: 1, reason: 'file'})
    const file = join(home.folder, 'change.json')
    await writeFile(file, data)
    for (const [source, stdin] of [[data], [`@${file}`], ['-', data]] as const) {
      const argv = [...credit, '--data', source, '-F', 'creditLimit=2', '--dry-run']
      const {stdout} = await home.run(argv, stdin === undefined ? {} : {stdin})
      expect(JSON.parse(stdout).body).toEqual({creditLimit: 2, reason: 'file'})
    }
  })

  it('can be started from a skeleton that matches the contract', async () => {
    const {code, stdout} = await home.run([...credit, '--skeleton'])
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(stdout))).toContain('creditLimit')
  })

  it.each([
    ['creditLimt=1', 'Did you mean creditLimit?'],
    ['creditLimit=lots', 'creditLimit must be a number'],
    ['status=ACCOUNT_GREAT', 'status must be one of'],
    ['address.ctiy=Oslo', 'Did you mean city?'],
    ['segment=SEGMENT_Z', 'segment must be one of'],
  ])('-F %s is refused before it is sent: %s', async (field, words) => {
    const {code, stdout, stderr} = await home.run([...credit, '-F', field])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(words)
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('reports everything that is wrong at once', async () => {
    const {stderr} = await home.run([...credit, '-F', 'creditLimt=1', '-F', 'statsu=2', '--json'])
    expect(JSON.parse(stderr).error.data.violations).toMatchObject([
      {pointer: '/creditLimt', suggestion: 'creditLimit'},
      {pointer: '/statsu', suggestion: 'status'},
    ])
  })

  it('is checked in a dry run too, unless --no-check-input', async () => {
    const change = [...credit, '-F', 'creditLimt=1']
    for (const preview of ['--dry-run', '--curl']) {
      expect((await home.run([...change, preview])).code).toBe(2)
      expect((await home.run([...change, preview, '--no-check-input'])).code).toBe(0)
    }
  })

  it('goes to the service as it is with --no-check-input', async () => {
    const {code, stderr} = await home.run([...credit, '-F', 'creditLimt=1', '--no-check-input'])
    expect(code).toBe(6)
    expect(stderr).toContain('creditLimt')
  })

  it.each(['=1', 'creditLimit', '__proto__.polluted=1', 'a..b=1'])('-F %s is no member', async field => {
    expect((await home.run([...credit, '-F', field])).code).toBe(2)
    expect(Object.keys({})).toEqual([])
  })
})

describe('rules that must not be missed', () => {
  const credit = ['accounts', 'patch', '2001', '--type', 'credit']
  const sent = async (): Promise<number> => (await home.json<unknown[]>(['requests', 'list'])).length

  it.each(['sumAmount', 'singleAmount'])('%s 0 means no limit, which --yes confirms', async member => {
    const data = limits({code: 'ATM', [member]: 0})
    const asked = await home.run([...credit, '--data', data])
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain(`${member} 0 means no limit`)
    expect(await sent()).toBe(0)
    const sure = await home.run([...credit, '--data', data, '--yes'])
    expect(sure.code).toBe(0)
    expect(sure.stderr).toContain(`Warning: ${member} 0 means no limit`)
  })

  it('a limit above 0 is no hazard', async () => {
    expect((await home.run([...credit, '--data', limits({code: 'ATM', sumAmount: 100})])).code).toBe(0)
  })

  it.each([
    ['ACCOUNT_TO_CLOSE', credit],
    ['ACCOUNT_COLLECTION', credit],
    ['ACCOUNT_TO_CLOSE', ['accounts', 'patch', '2002', '--type', 'debit']],
    ['ACCOUNT_TO_CLOSE', ['accounts', 'patch', '2001', '--api-version', 'v3']],
    ['ACCOUNT_TO_CLOSE', ['api', 'PATCH', '/v4/CREDIT/2001']],
  ])('%s by %j is confirmed by name, never by --yes', async (value, argv) => {
    const change = [...argv, '-F', `status=${value}`]
    for (const flags of [[], ['--yes'], ['--confirm', '2001', '--yes'], ['--confirm', value.toLowerCase()]]) {
      const {code, stderr} = await home.run([...change, ...flags])
      expect(code).toBe(2)
      expect(stderr).toContain(`--confirm ${value}; --yes does not cover it`)
    }
    expect(await sent()).toBe(0)
    expect((await home.run([...change, '--confirm', value])).code).toBe(0)
  })

  it.each([
    ['WRITE_OFF', '2001', 0],
    ['IMMEDIATE_ACCOUNT_CLOSE', '2001', 0],
    // Its balance isn't zero, as the service then says.
    ['IMMEDIATE_ACCOUNT_CLOSE', '2006', 6],
  ] as const)('the property %s of %s too', async (property, id, exit) => {
    const argv = ['accounts', 'update-property', id, property]
    expect((await home.run([...argv, '--yes'])).code).toBe(2)
    expect(await sent()).toBe(0)
    const {code} = await home.run([...argv, '--confirm', property])
    expect(code).toBe(exit)
    expect(await sent()).toBe(1)
  })
})

describe('accounts reminder and update-property', () => {
  it.each([
    'accounts block abc --type credit --yes',
    'accounts limit 20o1 5 --type credit --yes',
    'accounts patch 2001- --type debit -F name=x --yes',
  ])('%s is refused as a row with such an id is', async line => {
    const {code, stderr} = await home.run(line.split(' '))
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('digits only')})
    const unchecked = await home.run([...line.split(' '), '--no-check-input'])
    expect(unchecked.code).not.toBe(2)
  })

  it('asks for another type after the service refused the one that was chosen', async () => {
    const {code, stderr} = await home.run(['accounts', 'block', '2006', '--note', 'lost', '-i'], {
      columns: 80,
      typed: [
        ['Type', 'credit'],
        ['What else?', ''],
        ['Continue?', 'y'],
        ['Is account 2006 of another type?', ''],
        ['Continue?', 'y'],
      ],
    })
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('The account is not of type CREDIT.')
    const again = stderr.split('To run this again:')[1] ?? ''
    expect(again).toContain('--type debit')
    expect(again).not.toContain('credit')
    const sent = await home.json<{operation: string; state: string}[]>(['requests', 'list'])
    expect(sent.map(({operation, state}) => `${operation} ${state}`)).toEqual([
      'accounts.patchDebit.v4 done',
      'accounts.patchCredit.v4 refused',
    ])
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('says at %s after such a refusal that a request was sent', async (_, key) => {
    const {code, stderr} = await home.run(
      'accounts block 2006 --type credit --note lost -p sandbox'.split(' '),
      {
        columns: 80,
        typed: [['Is account 2006 of another type?', key]],
      },
    )
    expect(code).not.toBe(0)
    const said = stderr.replaceAll(/\s+/g, ' ')
    expect(said).toContain('A request was sent before, and refused with 409')
    expect(said).not.toContain('Nothing was sent')
  })

  it('numbers two questions before a live account is closed', async () => {
    const service = await openService()
    onTestFinished(() => service.close())
    await home.json([
      ...['profiles', 'add', 'live', '--kind', 'live', '--base-url', service.url],
      ...['--profile-audit-user', 'aino'],
    ])
    const {code, stderr} = await home.run(['accounts', 'close', '2001', '--type', 'credit', '-p', 'live'], {
      columns: 80,
      typed: [
        ['Question 1 of 2. Type ACCOUNT_TO_CLOSE to confirm:', 'ACCOUNT_TO_CLOSE'],
        ['Question 2 of 2. Type 2001 to confirm:', '2001'],
      ],
    })
    expect(code, stderr).toBe(0)
  })

  it('asks for no other type than the one that the service accepted before', async () => {
    await home.run(['accounts', 'close', '2001', '--type', 'credit', '--confirm', 'ACCOUNT_TO_CLOSE'])
    const {code, stderr} = await home.run(['accounts', 'unblock', '2001', '-p', 'sandbox'], {
      columns: 80,
      typed: [['Continue?', 'y']],
    })
    expect(code).toBe(6)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('marked for closing; its status is final')
    expect(stderr).not.toContain('of another type')
  })

  it('accounts patch asks for another type too, and sends the same fields', async () => {
    const line = 'accounts patch 2006 --type credit --status ACCOUNT_BLOCKED --note lost -p sandbox'
    const {code, stderr} = await home.run(line.split(' '), {
      columns: 80,
      typed: [
        ['Is account 2006 of another type?', ''],
        ['Continue?', 'y'],
      ],
    })
    expect({code, stderr}).toMatchObject({code: 0})
    const sent = await home.json<{operation: string; state: string}[]>(['requests', 'list'])
    expect(sent.map(({operation, state}) => `${operation} ${state}`)).toEqual([
      'accounts.patchDebit.v4 done',
      'accounts.patchCredit.v4 refused',
    ])
    // A list of cards then shows the type.
    const {stdout} = await home.run(['cards', 'list', '--account', '2006'], {columns: 100})
    expect(stdout).toContain('2006 (debit)')
    const [card] = await home.json<object[]>(['cards', 'list', '--account', '2006'])
    expect(card).toMatchObject({accountId: '2006'})
  })

  it('leaves a refusal about another type to scripts', async () => {
    const {code, stderr} = await home.run('accounts block 2006 --type credit --yes'.split(' '))
    expect({code, stderr}).toMatchObject({code: 6, stderr: expect.stringContaining('--type debit')})
  })

  it('changes the dates of reminders', async () => {
    const {code, stdout} = await home.run(
      'accounts reminder 2001 -F reminder1TriggerDate=2027-01-15 -F disableReminderProcess=true'.split(' '),
    )
    expect(code).toBe(0)
    expect(stdout).toBe(
      'Account 2001 updated · Reminder data updated\n reminder1TriggerDate    2027-01-15\n disableReminderProcess  true\n',
    )
    const refused = await home.run('accounts reminder 2001 -F reminder1TriggerDate=1/2/2027'.split(' '))
    expect(refused.code).toBe(2)
  })

  it.each([
    ['2001', 'WRITE_OFF', 'The service offers nothing else for WRITE_OFF.'],
    ['2008', 'IMMEDIATE_ACCOUNT_CLOSE', 'The service offers nothing else for IMMEDIATE_ACCOUNT_CLOSE.'],
    ['2001', 'DELETE_ADDRESS', 'PATCH /v4/CREDIT/{id}, PATCH /v4/DEBIT/{id}'],
  ])('%s %s is told what there is in its place', async (id, property, words) => {
    const argv = ['accounts', 'update-property', id, property, '--confirm', property]
    const {stderr} = await home.run(property === 'DELETE_ADDRESS' ? argv.slice(0, 4) : argv)
    expect(stderr).toContain(words)
    if (property !== 'DELETE_ADDRESS') expect(stderr).not.toContain('PATCH')
  })

  it('takes an address away, and names the properties there are', async () => {
    expect((await home.run(['accounts', 'update-property', '2001', 'DELETE_ADDRESS'])).code).toBe(0)
    const {code, stderr} = await home.run(['accounts', 'update-property', '2001', 'DELETE_ADRESS'])
    expect(code).toBe(2)
    expect(stderr).toContain('DELETE_ADDRESS')
  })
})

describe('idempotency keys', () => {
  const credit = ['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5000']

  it('are named with --debug, kept by the service, and refused for another request', async () => {
    const first = await home.run([...credit, '--idempotency-key', 'mine', '--debug'])
    expect(first.stderr).toContain('key mine (kept for 24 hours)')
    expect((await home.run([...credit, '-F', 'reason=key'])).stderr).toMatch(/^request r_\w+$/m)
    expect((await home.run([...credit, '--idempotency-key', 'mine'])).code).toBe(0)
    const other = await home.run([...credit, '-F', 'reason=new', '--idempotency-key', 'mine', '--json'])
    expect(other.code).toBe(2)
    expect(JSON.parse(other.stderr).error.code).toBe('KEY_REUSED')
  })

  it.each(['', 'x'.repeat(65), 'a\nb', 'käse'])('must be 1 to 64 printable characters, not %j', async key => {
    const {code, stdout} = await home.run([...credit, '--idempotency-key', key])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(await home.json(['requests', 'list'])).toEqual([])
  })

  it('may have 64 characters', async () => {
    expect((await home.run([...credit, '--idempotency-key', 'x'.repeat(64)])).code).toBe(0)
  })
})

describe('the type of an account', () => {
  it.each([
    [
      ['accounts', 'unblock', '2002', '--type', 'credit', '--reason', 'Found'],
      ': cardctl accounts unblock 2002 --reason Found --type debit -p sandbox Or --type prepaid, --type fleet, --type MULTICURR_<currency>_<country>',
    ],
    [
      ['accounts', 'patch', '2002', '--type', 'prepaid', '--name', 'x'],
      ', pass that: --type credit, --type debit, --type fleet, --type MULTICURR_<currency>_<country>.',
    ],
  ])('is followed by the others if the service refuses it: %j', async (argv, others) => {
    const {code, stderr} = await home.run(argv)
    expect(code).toBe(6)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`If the account is of another type${others}`)
  })

  it('is not doubted if the service refuses for another reason', async () => {
    const missing = await home.run(['accounts', 'block', '9999', '--type', 'credit', '--yes'])
    expect(missing.code).toBe(5)
    const close = ['accounts', 'close', '2001', '--type', 'credit', '--confirm', 'ACCOUNT_TO_CLOSE', '--yes']
    expect((await home.run(close)).code).toBe(0)
    const closed = await home.run(['accounts', 'unblock', '2001', '--type', 'credit', '--yes'])
    expect(closed.code).toBe(6)
    expect(missing.stderr + closed.stderr).not.toContain('of another type')
  })

  it.each([
    ['6k', false],
    ['ACCOUNT_CLOSED', true],
  ])('is not doubted if no type takes the value: %s', async (value, isDoubted) => {
    const flag = isDoubted ? '--status' : '--credit-limit'
    const {code, stderr} = await home.run(['accounts', 'patch', '2001', '--type', 'credit', flag, value])
    expect(code).toBe(2)
    expect(stderr.includes('If the account is of another type')).toBe(isDoubted)
  })

  it('is chosen among those that have the field, and is part of the line to learn', async () => {
    const {code, stderr} = await home.run(['accounts', 'limit', '-i'], {
      columns: 80,
      typed: [
        ['Id of the account', '2001'],
        ['New credit limit', '6k'],
        ['not a plain number', '\u00156000'],
        ['? Type', 'credit'],
        ['What else?', ''],
        ['Continue?', 'y'],
      ],
    })
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/[❯ ] debit\n/)
    expect(stderr).not.toContain('Multicurrency segment')
    expect(stderr).toContain('To run this again: cardctl accounts limit 2001 6000 --type credit')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'cardctl cards get CARD -p sandbox (a card has limits of its own',
    )
  })

  it('is asked before the segment, which only a multicurrency account has', async () => {
    const {code, stderr} = await home.run(
      ['accounts', 'patch', '2005', '--name', 'Trip', '--dry-run', '-i'],
      {
        columns: 80,
        typed: [
          ['? Type of the account', '\u001B[A'],
          ['? Segment of the account', 'EUR_FI'],
          ['What else?', ''],
        ],
      },
    )
    expect(code).toBe(0)
    const [before = ''] = stderr.split('? Segment of the account')
    expect(before).toMatch(/❯ credit\s+debit\s+prepaid\s+fleet\s+multicurrency: asked next/)
    expect(before).not.toContain('MULTICURR_')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('--type MULTICURR_EUR_FI')
  })

  it('may be one without a credit limit, which is said with what there is instead', async () => {
    const {code, stderr} = await home.run('accounts limit 2002 5000 --type credit -p sandbox'.split(' '), {
      columns: 80,
      typed: [
        // fleet, multicurrency, debit
        ['Is account 2002 of another type?', '\u001B[B\u001B[B'],
      ],
    })
    const said = stderr.replaceAll(/\s+/g, ' ')
    expect({code, said}).toMatchObject({code: 2, said: expect.stringContaining('debit: has no credit limit')})
    expect(said).not.toContain('MULTICURR_')
    expect(said).toContain('A debit account has no credit limit. Nothing was changed.')
    expect(said).toContain('cardctl accounts patch 2002 --type debit --skeleton')
  })

  it('is asked for with segments only after multicurrency was chosen', async () => {
    const {code, stderr} = await home.run(['accounts', 'limit', '2005', '5000', '-p', 'sandbox'], {
      columns: 80,
      typed: [
        // credit, fleet, multicurrency
        ['Type of account 2005', '\u001B[B\u001B[B'],
        ['Segment of account 2005', 'eur_fi'],
        ['Continue?', 'y'],
      ],
    })
    expect({code, stderr}).toMatchObject({code: 0, stderr: expect.stringContaining('MULTICURR_EUR_FI')})
  })

  it('is told of this journal after the service refused another one', async () => {
    await home.run(['accounts', 'block', '2002', '--type', 'debit', '--yes'])
    const limit = await home.run(['accounts', 'limit', '2002', '5000', '--type', 'credit', '--yes'])
    const said = limit.stderr.replaceAll(/\s+/g, ' ')
    expect(said).toMatch(
      /Account 2002 is of type debit, as in request r_\w+\. A debit account has no credit limit\./,
    )
    expect(said).not.toContain('--type fleet')
    const unblock = await home.run(['accounts', 'unblock', '2002', '--type', 'credit', '-p', 'sandbox'], {
      columns: 80,
      typed: [
        ['❯ debit: as in request', ''],
        ['Continue?', 'y'],
      ],
    })
    expect({code: unblock.code, stderr: unblock.stderr}).toMatchObject({code: 0})
  })

  it('is not asked for where the account is closed', async () => {
    const {code, stderr} = await home.run('accounts block 2008 --type debit -p sandbox'.split(' '), {
      columns: 80,
    })
    expect({code, stderr}).toMatchObject({code: 6, stderr: expect.not.stringContaining('another type')})
  })

  it('is asked for after an id that is checked where it is typed', async () => {
    const {stderr} = await home.run(['accounts', 'block', '-i'], {
      columns: 80,
      typed: [
        ['Id of the account', '20o1'],
        ['digits only', '\u0003'],
      ],
    })
    expect(stderr).not.toContain('? Type')
  })

  it('accounts unblock offers what was blocked from here before what was used later', async () => {
    await home.run(['accounts', 'block', '2001', '--type', 'credit', '--yes'])
    await home.run(['accounts', 'limit', '2004', '9', '--type', 'fleet', '--yes'])
    const {stderr} = await home.run(['accounts', 'unblock', '-i'], {
      columns: 80,
      typed: [['Id of the account', '\u0003']],
    })
    expect(stderr).toMatch(/❯ 2001 +set to ACCOUNT_BLOCKED from here, .*\n.*2004 +change the limit/)
  })

  it('is not asked for if an earlier change tells it', async () => {
    await home.run(['accounts', 'limit', '2001', '5000', '--type', 'credit'])
    const {code, stderr} = await home.run(['accounts', 'block', '2001', '-i'], {
      columns: 80,
      typed: [
        ['What else?', ''],
        ['Continue?', 'y'],
      ],
    })
    expect(code).toBe(0)
    expect(stderr).not.toContain('? Type')
    expect(stderr).not.toContain('Multicurrency segment')
  })
})

describe('an id of something else', () => {
  it.each([
    [
      'a card for an account',
      ['accounts', 'block', '3003', '--type', 'credit', '--yes'],
      '3003 is the id of a card, and its account is 2003.',
      'cardctl accounts block 2003 --type credit',
    ],
    [
      'a card for the account of a list',
      ['cards', 'list', '--account', '3003'],
      '3003 is the id of a card',
      'cardctl cards list --account 2003',
    ],
    [
      'an account for a card',
      ['cards', 'get', '2003'],
      '2003 is the id of an account.',
      'cardctl cards list --account 2003',
    ],
  ])('%s is called so, with the command that is meant', async (_, argv, said, command) => {
    const {code, stderr} = await home.run(argv)
    expect(code).toBe(5)
    expect(stderr).toContain(said)
    expect(stderr).toContain(command)
    // Another account is confirmed again.
    expect(stderr).not.toContain('--yes')
  })

  it('an id that nothing has is to be checked', async () => {
    const {stderr} = await home.run(['accounts', 'block', '2999', '--type', 'credit', '--yes'])
    expect(stderr).toContain('Check the id and the profile.')
  })
})

describe('accounts block', () => {
  const typed = {questionsAt: {columns: 200, rows: 30}, typed: []} as const

  it('names the cards that stop working to a person, before it blocks', async () => {
    const {stderr} = await home.run(['accounts', 'block', '2001', '--type', 'credit', '-p', 'sandbox'], typed)
    expect(stderr).toMatch(
      /While account 2001 is blocked, none of its cards works: 1 card, 3001 \(CARD_OK\)\.[\s\S]*request r_/,
    )
  })

  it('says nothing of cards where the service does not tell them', async () => {
    await home.run(['sandbox', 'faults', 'add', '--operation', 'cards.listByAccount.v4', '--status', '403'])
    const {stderr} = await home.run(['accounts', 'block', '2001', '--type', 'credit', '-p', 'sandbox'], typed)
    expect(stderr).toContain('request r_')
    expect(stderr).not.toContain('none of its cards works')
  })
})
