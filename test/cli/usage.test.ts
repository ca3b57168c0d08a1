// What a person reads who has mistyped something: what is wrong, what was probably meant, and where to look it up.
import {afterAll, beforeAll, describe, expect, it} from 'vitest'
import pjson from '../../package.json' with {type: 'json'}
import {commands} from '../../src/commands/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

/** All commands of a topic, as the message lists them. */
const under = (topic: string): string => {
  const words = topic.split(' ')
  const ids = Object.keys(commands).map(id => id.split(':'))
  const below = ids.filter(id => words.every((word, at) => id[at] === word) && id.length > words.length)
  const next = new Set(below.map(id => id[words.length] ?? ''))
  return `Commands under "${topic}": ${[...next].sort().join(', ')}.`
}
const UNDER_CARDS = under('cards')

const IN_HISTORY =
  "No flag takes a secret. If you typed one, it is in your shell's history now: remove that line (bash: history -d -2, others: cardctl help sensitive-data), and change the secret if it is real. cardctl reads secrets from a hidden prompt or stdin."

it.each([
  ['bogus', 'Unknown command "bogus".', 'cardctl --help'],
  ['card', 'Unknown command "card". Did you mean "cards"?', 'cardctl --help'],
  ['card get 3001', 'Unknown command "card". Did you mean "cards get"?', 'cardctl --help'],
  ['cards bogus', `Unknown command "cards bogus". ${UNDER_CARDS}`, 'cardctl cards --help'],
  ['pin 1234', `Unknown command. ${under('pin')}`, 'cardctl pin --help'],
  ['cards bogus --help', `Unknown command "cards bogus". ${UNDER_CARDS}`, 'cardctl cards --help'],
  [
    'cards gte 3001',
    `Unknown command "cards gte". Did you mean "cards get"? ${UNDER_CARDS}`,
    'cardctl cards --help',
  ],
  [
    'sandbox state lits',
    `Unknown command "sandbox state lits". Did you mean "sandbox state list"? ${under('sandbox state')}`,
    'cardctl sandbox state --help',
  ],
  [
    'cards list --customer 1003 --expired',
    'There is no flag --expired. Did you mean --status CARD_EXPIRED?',
    '',
  ],
  [
    'report batch 88001 -o html',
    '--output must be one of table, json, ndjson, csv, yaml. Did you mean --html FILE?',
    '',
  ],
  ['report batch 88001 --html', 'Flag --html expects a value: --html FILE.', ''],
  ['remotecheckout enroll 3001', 'remotecheckout enroll takes no arguments. Pass the id with --card.', ''],
  [
    'cards list 3001',
    'cards list takes no arguments. Pass the id with --customer or --account.',
    'cardctl cards list --help',
  ],
  ['constructor', 'Unknown command "constructor".', 'cardctl --help'],
  ['help constructor', 'Unknown command or topic "constructor".', ''],
  ['toString 3001', 'Unknown command "toString".', 'cardctl --help'],
  ['-p sandbox', 'A command is missing. Put it before its flags.', 'cardctl --help'],
  ['--limit 3 cards list', 'A command is missing. Put it before its flags.', 'cardctl --help'],
  [
    '-p sandbox cards',
    `A command is missing after "cards": ${UNDER_CARDS.slice(UNDER_CARDS.indexOf(': ') + 2)}`,
    'cardctl cards --help',
  ],
  [
    '-p sandbox cards gte 3001',
    `Unknown command "cards gte". Did you mean "cards get"? ${UNDER_CARDS}`,
    'cardctl cards --help',
  ],
  [
    '-p sandbox cards get 1 2 3',
    'cards get takes no more than ID: there are 2 arguments too many.',
    'cardctl cards get --help',
  ],
  ['help bogus', 'Unknown command or topic "bogus".', ''],
  [
    'help cards gte',
    `Unknown command or topic "cards gte". Did you mean "cards get"? ${UNDER_CARDS}`,
    'cardctl cards --help',
  ],
  ['accounts patch', 'The argument ID (Id of the account) is missing.', 'cardctl accounts patch --help'],
  [
    'accounts update-property',
    'The arguments ID (Id of the account) and PROPERTY (Property, e.g. DELETE_ADDRESS or WRITE_OFF) are missing.',
    'cardctl accounts update-property --help',
  ],
  ['cards get', 'One of ID, --reference, --pan-stdin is needed.', 'cardctl cards get --help'],
  [
    'cards get 1 2 3',
    'cards get takes no more than ID: there are 2 arguments too many.',
    'cardctl cards get --help',
  ],
  ['remotecheckout get', '--customer is missing (Id of the customer).', 'cardctl remotecheckout get --help'],
  ['cards get --bogus', 'There is no flag --bogus.', 'cardctl cards get --help'],
  [
    'cards get --pan',
    `There is no flag --pan. Did you mean --pan-stdin? ${IN_HISTORY}`,
    'cardctl cards get --help',
  ],
  [
    'pricelists list',
    'Unknown command "pricelists list". The built-in contract has no operation that reads a price list. If your service has one, cardctl api sends it, and cardctl contract import makes it a command.',
    '',
  ],
  [
    'remotecheckout shwo',
    `Unknown command "remotecheckout shwo". ${under('remotecheckout')}`,
    'cardctl remotecheckout --help',
  ],
  ['pin set 3004 --pin 1234', `There is no flag --pin. ${IN_HISTORY}`, 'cardctl pin set --help'],
  [
    'accounts patch 2001 --type credit --status ACCOUNT_CLOSED',
    '--status must be one of ACCOUNT_OK, ACCOUNT_BLOCKED, ACCOUNT_TO_CLOSE, ACCOUNT_COLLECTION',
    '',
  ],
  [
    'accounts patch 2001 --type credit --status ACCOUNT_TO_CLOSED',
    '--status must be one of ACCOUNT_OK, ACCOUNT_BLOCKED, ACCOUNT_TO_CLOSE, ACCOUNT_COLLECTION',
    '',
  ],
  [
    'accounts patch 2001 --type credit --status ACCOUNT_UNBLOCKED',
    '--status must be one of ACCOUNT_OK, ACCOUNT_BLOCKED, ACCOUNT_TO_CLOSE, ACCOUNT_COLLECTION',
    '',
  ],
  [
    'accounts patch 2001 --type credit --status ACCOUNT_BLOKED',
    '--status must be one of ACCOUNT_OK, ACCOUNT_BLOCKED, ACCOUNT_TO_CLOSE, ACCOUNT_COLLECTION. Did you mean ACCOUNT_BLOCKED?',
    '',
  ],
  [
    'cards list --acount 1',
    'There is no flag --acount. Did you mean --account?',
    'cardctl cards list --help',
  ],
  ['a2a create --file t.csv', 'There is no flag --file. Did you mean --from?', ''],
  ['a2a create --csv t.csv', 'There is no flag --csv. Did you mean --from?', ''],
  ['bulk run cards.get.v4 --from-csv t.csv', 'There is no flag --from-csv. Did you mean --from?', ''],
  ['bulk run cards.get.v4 --input-file t.csv', 'There is no flag --input-file. Did you mean --from?', ''],
  ['cards list --customer-id 1001', 'There is no flag --customer-id. Did you mean --customer?', ''],
  ['requests list --from yesterday', 'There is no flag --from. Did you mean --since?', ''],
  ['accounts block 2001 --comment x', 'There is no flag --comment. Did you mean --note?', ''],
  ['a2a get 88001 --format json', 'There is no flag --format. Did you mean --output?', ''],
  ['cards get --id 3001', 'There is no flag --id. Pass ID without a flag.', ''],
  ['accounts block --account 2001', 'There is no flag --account. Pass ID without a flag.', ''],
  ['accounts block 2001 --force', 'There is no flag --force.', ''],
  [
    'accounts patch 2001 --country AUT',
    'There is no flag --country. Set the field with -F address.country=COUNTRY. It takes: three capital letters, such as AUT for Austria; null clears it.',
    'cardctl accounts patch --help',
  ],
  [
    'accounts patch 2001 --zip 1010',
    'There is no flag --zip. Set the field with -F address.zipCode=ZIP_CODE. It takes: text; null clears it.',
    '',
  ],
  [
    'accounts patch 2001 externalBalanceCheck true',
    'externalBalanceCheck is a field. Set it with -F externalBalanceCheck=true',
    '',
  ],
  [
    'accounts patch 2001 credit-limit 8253',
    'credit-limit is a field. Set it with --credit-limit CREDIT_LIMIT',
    '',
  ],
  [
    'accounts patch 2001 address Oslo',
    'address is a field. Set it with -F address.address1=ADDRESS1, -F address.address2=ADDRESS2, -F address.address3=ADDRESS3 or one of 6 more',
    '',
  ],
  ['cards list --page 3', 'There is no flag --page. Did you mean --page-size?', 'cardctl cards list --help'],
  ['profiles add p --no-read-onyl', 'There is no flag --no-read-onyl. Did you mean --no-read-only?', ''],
  [
    'cards get 3001 -o jsn',
    '--output must be one of table, json, ndjson, csv, yaml. Did you mean json?',
    'cardctl cards get --help',
  ],
  ['webhook serve --approve --decline 51', '--approve cannot be used with --decline.', ''],
  ['cards list --limit 1 --all', '--all cannot be used with --limit.', ''],
  ['cards list --limit', 'Flag --limit expects a value.', ''],
  ['cards list --limit x', '--limit must be a whole number, 1 or more.', ''],
  ['cards list --limit 0', '--limit must be a whole number, 1 or more.', ''],
  ['sandbox serve --port 65536', '--port must be a whole number from 0 to 65535.', ''],
  ['a2a create --wait-timeout 3s', '--wait-timeout needs --wait.', 'cardctl a2a create --help'],
  [
    'api GET /v4/customer/1003?size=x',
    'the query parameter size must be a whole number',
    'cardctl api --help',
  ],
])('%s', async (line, message, help) => {
  const {code, stdout, stderr} = await home.run(line.split(' '))
  expect({code, stdout}).toEqual({code: 2, stdout: ''})
  expect(stderr.split('\n')[0]).toMatch(/^Error (USAGE|CONTRACT_VIOLATION): /)
  expect(stderr.split('\n')[0]?.replace(/^Error [A-Z_]+: /, '')).toBe(message)
  if (help !== '') expect(stderr).toContain(`\n  See ${help}\n`)
})

it.each([[''], ['cards'], ['cards get'], ['cards get 3001'], ['sandbox clock'], ['help']])(
  '-h is --help: %s',
  async line => {
    const words = line.split(' ').filter(Boolean)
    const long = await home.run([...words, '--help'])
    expect(await home.run([...words, '-h'])).toEqual(long)
    expect(long).toMatchObject({code: 0, stderr: ''})
    expect(long.stdout).toContain('USAGE')
  },
)

it('--version goes where results go', async () => {
  const {code, stdout, stderr} = await home.run(['--version'])
  expect({code, stderr}).toEqual({code: 0, stderr: ''})
  expect(stdout).toMatch(new RegExp(`^cardctl/${pjson.version} \\S+ node-v\\S+\n$`))
})

describe('a2a create --transfer', () => {
  const create = (...transfers: string[]) =>
    home.run(['a2a', 'create', '--yes', ...transfers.flatMap(text => ['--transfer', text])])

  it('says which one is wrong, and all of them', async () => {
    const {code, stderr} = await create('2006:2007:1:EUR', '2006:2007:1.2345:EUR', '2006:rent:1:EUR')
    expect(code).toBe(2)
    expect(stderr).toContain('--transfer 2 of 3, amount: The amount has 4 decimals, EUR has 2.')
    expect(stderr).toContain('--transfer 3 of 3, to: is not an account id (digits only).')
    expect(stderr).not.toMatch(/1 of 3|1\.234|rent:1/)
  })

  it('says what a single one lacks', async () => {
    const {stderr} = await create('2006:2007')
    expect(stderr).toMatch(
      /^Error USAGE: --transfer, currency: is missing\. --transfer, amount: is missing\.\n/,
    )
  })

  it('takes no card number for an account', async () => {
    const {code, stderr} = await create('2006:2007:1:EUR', '2006:4111111111111111:1:EUR')
    expect(code).toBe(2)
    expect(stderr).toContain('SENSITIVE_IN_ARGV: What follows --transfer looks like a card number')
  })
})

it.each([
  ['a2a create pay.csv', 'run: cardctl a2a create --from pay.csv'],
  ['a2a create 4111', 'See cardctl a2a create --help '],
  ['a2a batch 88001', 'cardctl a2a status ID'],
  ['batch 88001', 'cardctl a2a status ID'],
  [
    'history 3001',
    'Say what it is: cardctl history card ID -p sandbox Or cardctl history account ID -p sandbox Or cardctl history customer ID -p sandbox Or cardctl history batch ID -p sandbox',
  ],
])('%s names the line that was meant', async (line, meant) => {
  const {code, stderr} = await home.run(line.split(' '))
  expect(code).toBe(2)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(meant)
})

it('names the history of each kind of thing that had the id here', async () => {
  await home.run(['accounts', 'block', '2002', '--type', 'debit'])
  const {stderr} = await home.run(['history', '2002'])
  expect(stderr).toContain('Say what it is: cardctl history account 2002')
})

it.each([
  ['statsu', 'the result has no field statsu. Did you mean status? It has id, customerId'],
  ['embossing.secondName', 'the result has no field secondName.'],
  ['reason', '--query matches nothing in the result.'],
])('says why --query %s prints nothing', async (query, why) => {
  const {code, stdout, stderr} = await home.run(['cards', 'get', '3001', '-o', 'json', '--query', query])
  expect({code, stdout}).toEqual({code: 0, stdout: 'null\n'})
  expect(stderr).toContain(why)
  const quiet = await home.run(['cards', 'get', '3001', '-o', 'json', '-q', '--query', query])
  expect(quiet.stderr).toBe('')
})

it.each([
  ["[?status=='CARD_OK'].id", ''],
  ["[?status=='NONE'].id", '--query matches nothing'],
  ['[].{number: id, is: zzz}', ''],
])('says something about --query %s only if nothing is left', async (query, said) => {
  const {stderr} = await home.run(['cards', 'list', '--customer', '1001', '-o', 'json', '--query', query])
  expect(stderr.includes('--query')).toBe(said !== '')
  expect(stderr).toContain(said)
})
