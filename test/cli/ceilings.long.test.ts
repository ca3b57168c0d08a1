// An amount above the profile's ceiling needs a person at a terminal, whichever command sends it.
import {writeFile} from 'node:fs/promises'
import {afterEach, beforeEach, describe, expect, it} from 'vitest'
import {type Home, openHome} from '../helpers/cli.ts'
import {openService, type Service} from '../helpers/service.ts'

let home: Home
let service: Service
beforeEach(async () => {
  home = await openHome()
  service = await openService()
  const add = ['profiles', 'add', 'team', '--kind', 'test', '--base-url', service.url]
  await home.json([...add, '--ceiling', 'EUR:50000', '--ceiling', 'JPY:8000000', '--ceiling', '70000'])
  await writeFile(`${home.folder}/rows.csv`, 'id,creditLimit\n2001,5000\n2002,70001\n2003,90000\n')
  await writeFile(`${home.folder}/transfers.csv`, 'from,to,amount,currency\n2006,2007,50001,EUR\n')
})
afterEach(async () => {
  await service.close()
  await home.remove()
})

const PATCH = ['accounts', 'patch', '2001', '--type', 'credit']
const LIMITS = 'usageLimits=[{"code":"DAILY","values":[{"code":"ALL","sumAmount":N}]}]'

/** What sends an amount of N, and what is said of it. */
const WAYS: readonly (readonly [name: string, argv: readonly string[], said: string])[] = [
  [
    'a command',
    ['accounts', 'limit', '2001', '70001', '--type', 'credit'],
    'creditLimit 70 001 is above the ceiling of 70 000',
  ],
  ['-F', [...PATCH, '-F', 'creditLimit=70000.01'], 'creditLimit 70 000.01 is above the ceiling of 70 000'],
  ['JSON', [...PATCH, '--data', '{"creditLimit":1e6}'], 'creditLimit 1 000 000 is above'],
  [
    'text that is a number',
    [...PATCH, '-f', 'creditLimit=70001', '--no-check-input'],
    'creditLimit 70 001 is above',
  ],
  [
    'a limit in a list',
    [...PATCH, '-F', LIMITS.replace('N', '70001')],
    'usageLimits DAILY values ALL sumAmount 70 001 is above',
  ],
  [
    'no limit',
    [...PATCH, '-F', LIMITS.replace('N', '0')],
    'sumAmount 0 means no limit, so it is above the ceiling of 70 000',
  ],
  ['api', ['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'creditLimit=70001'], 'creditLimit 70 001 is above'],
  [
    'api with other capitals',
    ['api', 'PATCH', '/v4/CREDIT/2001', '-F', 'CREDITLIMIT=70001', '--no-check-input'],
    'CREDITLIMIT 70 001 is above',
  ],
  [
    'api with other signs and digits',
    [
      ...['api', 'PATCH', '/v4/CREDIT/2001', '--data', '{"credit_limit ":"\uff17\uff10\uff10\uff10\uff11"}'],
      '--no-check-input',
    ],
    'credit_limit 70 001 is above',
  ],
  [
    'a transfer',
    ['a2a', 'create', '--transfer', '2006:2007:50001:EUR'],
    'transfers 1 amount EUR 50 001 is above the ceiling of EUR 50 000',
  ],
  [
    'a transfer in another currency',
    ['a2a', 'create', '--transfer', '2006:2007:70001:SEK'],
    'SEK 70 001 is above the ceiling of SEK 70 000',
  ],
  [
    'transfers whose totals are known',
    ['a2a', 'create', '--from', 'TRANSFERS', '--confirm-count', '1', '--confirm-total', 'EUR:50001'],
    'EUR 50 001 is above',
  ],
  [
    'a price',
    ['pricelists', 'period', 'patch', '6003', '--value', '70001'],
    'value 70 001 is above the ceiling of 70 000',
  ],
  [
    'bulk rows',
    ['bulk', 'run', 'accounts.patchCredit.v4', '--from', 'ROWS'],
    '2 of 3 rows: row 2, creditLimit 70 001 is above the ceiling',
  ],
  [
    'bulk rows without a check',
    ['bulk', 'run', 'accounts.patchCredit.v4', '--from', 'ROWS', '--no-precheck'],
    '2 of 3 rows: row 2',
  ],
]

const line = (argv: readonly string[]): string[] => [
  ...argv.map(word =>
    word.replace('ROWS', `${home.folder}/rows.csv`).replace('TRANSFERS', `${home.folder}/transfers.csv`),
  ),
  ...['-p', 'team', '--yes'],
]
const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe.each(WAYS)('%s', (_, argv, said) => {
  it('is refused without a terminal', async () => {
    const {code, stderr} = await home.run(line(argv))
    expect({code, sent: service.requests.length}, stderr).toEqual({code: 3, sent: 0})
    expect(unwrapped(stderr)).toContain(said)
    expect(stderr).toContain('GATE_REFUSED')
  })

  it('is named in the question of a terminal, which --yes does not answer', async () => {
    const {stderr} = await home.run(line(argv), {columns: 200, typed: [['Continue anyway?', 'n']]})
    expect(unwrapped(stderr)).toContain(said)
    expect(stderr).toContain('CONFIRMATION_DECLINED')
    expect(service.requests).toHaveLength(0)
  })

  it('is sent if a person agrees', async () => {
    await home.run(line(argv), {columns: 200, typed: [['Continue anyway?', 'y']]})
    expect(service.requests.length).toBeGreaterThan(0)
  })
})

it.each([
  ['accounts', 'limit', '2001', '70000', '--type', 'credit'],
  ['a2a', 'create', '--transfer', '2006:2007:50000:EUR', '--no-reference'],
  ['a2a', 'create', '--transfer', '2006:2007:7999999:JPY'],
  [...PATCH, '-F', 'creditLimit=0'],
])('at most the ceiling needs nobody: %s %s %s %s', async (...argv) => {
  expect((await home.run(line(argv))).code).toBe(0)
})

it('every transfer counts for itself, and those above are counted', async () => {
  const many = ['2006:2007:50001:EUR', '2006:2008:60000:EUR', '2006:2009:1:EUR'].flatMap(text => [
    '--transfer',
    text,
  ])
  const {stderr} = await home.run(line(['a2a', 'create', ...many]))
  expect(unwrapped(stderr)).toContain(
    'transfers 2 amount EUR 60 000 is above the ceiling of EUR 50 000, and so is 1 more.',
  )
})

it('a limit without a currency is held against the lowest ceiling, unless one is for all others', async () => {
  await home.json(['profiles', 'edit', 'team', '--unset', 'ceiling'])
  await home.json(['profiles', 'edit', 'team', '--ceiling', 'EUR:500', '--ceiling', 'JPY:80000'])
  const limit = ['accounts', 'limit', '2001', '501', '--type', 'credit']
  expect((await home.run(line(limit))).code).toBe(3)
  expect((await home.run(line(['a2a', 'create', '--transfer', '2006:2007:501:SEK']))).code).toBe(0)
})

it('a repeated request needs a person again', async () => {
  await home.run(line(['accounts', 'limit', '2001', '70001', '--type', 'credit']), {
    columns: 200,
    typed: [['Continue anyway?', 'y']],
  })
  const {code, stderr} = await home.run(['requests', 'retry', 'last', '-p', 'team', '--yes'])
  expect({code, stderr, sent: service.requests.length}).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is above the ceiling'),
    sent: 1,
  })
})

it('a preview is shown, as nothing is sent', async () => {
  const {code} = await home.run([
    ...line(['accounts', 'limit', '2001', '70001', '--type', 'credit']),
    '--dry-run',
  ])
  expect(code).toBe(0)
})

it.each([
  ['EUR:50.000', 'in thousands'],
  ['50.000', 'in thousands'],
  ['EUR', 'must be an amount'],
  ['EUX:5', 'names EUX, which is not a currency code'],
  ['EUR:-5', 'must be an amount'],
])('%s is no ceiling', async (text, said) => {
  const {code, stderr} = await home.run(['profiles', 'edit', 'team', '--ceiling', text])
  expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining(said)})
})

it('no variable raises the ceiling of a stored profile', async () => {
  const {code} = await home.run(line(['accounts', 'limit', '2001', '70001', '--type', 'credit']), {
    env: {CARDCTL_CEILING: '900000'},
  })
  expect(code).not.toBe(0)
  expect(service.requests).toHaveLength(0)
})
