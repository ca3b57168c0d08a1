import {expect, test} from 'vitest'
import {readRules} from '../../../src/webhook/rules/read-rules.ts'

/** `line:column message` of everything that is wrong. */
const problemsOf = async (text: string) =>
  (await readRules(text)).problems.map(({line, column, message}) => `${line}:${column} ${message}`)

test('everything that is wrong is reported at once, with its line and column', async () => {
  const text = `# mine
rules:
  - name: x
    when:
      amout: {over: 2}
      amount: {ovr: 2, currency: eur}
      kind: [payment, cash]
      velocity: {over: 3, within: 10min}
    then: decline 51
  - thn: approve
`
  expect(await problemsOf(text)).toEqual([
    '5:7 amout is not a field of rules[0].when; did you mean amount?',
    '6:16 ovr is not a field of rules[0].when.amount; did you mean over?',
    '6:34 rules[0].when.amount.currency must be three capital letters',
    expect.stringMatching(/^7:23 rules\[0\]\.when\.kind\[1\] must be payment, credit/),
    '8:35 rules[0].when.velocity.within must be a time such as 30s, 10m, 24h or 7d',
    '9:11 rules[0].then must be approve, no answer, or an object such as {decline: "51"}',
    '10:5 rules[1].then is missing',
    '10:5 thn is not a field of rules[1]; did you mean then?',
  ])
})

test('errors beyond the schema are reported together with schema errors, also in one rule', async () => {
  const text = `rules:
  - then: {partial: 150%}
  - when: {cuntry: FIN}
    then: {decline: 99999}
  - approve
  - when: {probability: 200%, time: {zone: Helsinki}}
    then: {delay: 5min}
  - then: {approve: true, decline: 51}
`
  expect(await problemsOf(text)).toEqual([
    '2:21 a percentage is at most 100%',
    '3:12 cuntry is not a field of rules[1].when; did you mean country?',
    expect.stringMatching(/^4:21 decline takes 05, 14, 41/),
    '5:5 rules[2] must be an object',
    '6:25 a percentage is at most 100%',
    '6:44 unknown time zone; for example Europe/Helsinki',
    '7:19 rules[3].then.delay must be a time such as 300ms or 1.5s',
    '8:36 a rule has one decision, found approve, decline',
  ])
})

test('reports JSON in the same way', async () => {
  const text = '{\n\t"rules": [\n\t\t{"then": {"decline": "00"}}\n\t]\n}'
  expect(await problemsOf(text)).toEqual([expect.stringMatching(/^3:24 decline takes 05, 14, 41/)])
})

test.each([
  ['', '1:1 the file must be an object'],
  ['- approve', '1:1 the file must be an object'],
  ['rules: approve', '1:8 rules must be a list'],
  ['rules: [', '1:9 '],
  ['rules: []\nrules: []', '2:1 Map keys must be unique'],
  [`rules: ${'['.repeat(5000)}`, '1:68 the file is nested deeper than 60 levels'],
  [`rules:\n${'  - a\n'.repeat(9)}${'[0,'.repeat(50)}${'0,'.repeat(200_000)}`, '11:'],
  [
    'rules: []\n---\nrules: []',
    '2:1 a second document begins here: put everything into one, without --- between them',
  ],
  ['rules:\n\t- then: approve', '2:1 Tabs'],
  ['rules: *other', '1:8 unknown alias *other'],
  [
    'rules: [{when: {mcc: 0742}, then: approve}]',
    '1:22 YAML reads 0742 as the number 742: write "0742" if it is text, else 742',
  ],
  [
    'rules: [{when: {card.cardId: 12345678901234567890}, then: approve}]',
    '1:30 YAML reads 12345678901234567890 as the number 123',
  ],
  ['rules: [{then: {decline: 05}}]', '1:26 YAML reads 05 as the number 5: write "05" if it is text, else 5'],
  ['rules: [{then: {decline: 51, approve: true}}]', '1:39 a rule has one decision, found decline, approve'],
  ['rules: [{then: {delay: {min: 2s, max: 1s}}}]', '1:24 the range ends before it starts'],
  ['rules: [{then: {partial: 101%}}]', '1:26 a percentage is at most 100%'],
  ['rules: [{then: {partial: 1.001 EUR}}]', '1:26 The amount has 3 decimals, EUR has 2'],
  [
    'rules: [{then: {partial: 50}}]',
    '1:26 rules[0].then.partial must be a share such as "50%" or an amount such as 30 EUR',
  ],
  ['rules: [{then: {delay: 300}}]', '1:24 rules[0].then.delay must be a time such as 300ms or 1.5s'],
  [
    'rules: [{then: {delay: {min: 1, max: 2s}}}]',
    '1:30 rules[0].then.delay.min must be a time such as 300ms or 1.5s',
  ],
  ['rules: [{then: 51}]', '1:16 rules[0].then must be approve, no answer, or an object such as'],
  [
    'rules: [{when: {amount: [5]}, then: approve}]',
    '1:26 rules[0].when.amount[0] must be an amount with its currency, such as 12.50 EUR',
  ],
  [
    'rules: [{when: {time: {from: 22, to: "23:00"}}, then: approve}]',
    '1:30 rules[0].when.time.from must be a',
  ],
  [
    'rules: [{when: {velocity: {over: 3, within: 60}}, then: approve}]',
    '1:45 rules[0].when.velocity.within must be a time such as 30s, 10m, 24h or 7d',
  ],
  [
    'rules: [{when: {velocity: {over: many, within: 1h}}, then: approve}]',
    '1:34 rules[0].when.velocity.over must be a number of calls or a sum such as 500 EUR',
  ],
  [
    'rules: [{when: {probability: 10}, then: approve}]',
    '1:30 rules[0].when.probability must be a share such as',
  ],
  ['rules: [{then: {status: no}}]', '1:25 rules[0].then.status must be a whole number'],
  ['rules: [{then: {}}]', '1:16 rules[0].then has no fields'],
  ['rules: [{when: {amount: {over: 2}}, then: approve}]', '1:25 rules[0].when.amount.currency is missing'],
  ['rules: [{when: {amount: 2 XXX}, then: approve}]', '1:25 XXX is not a currency code'],
  ['rules: [{when: {amount: {over: 2, under: 1, currency: EUR}}, then: approve}]', '1:25 the range ends'],
  ['rules: [{when: {mcc: 3000-2000}, then: approve}]', '1:22 the range ends before it starts'],
  [
    'rules: [{when: {country: FI}, then: approve}]',
    '1:26 rules[0].when.country must be three capital letters',
  ],
  [
    'rules: [{when: {time: {zone: Helsinki}}, then: approve}]',
    '1:30 unknown time zone; for example Europe/Helsinki',
  ],
  ['rules: [{when: {time: {from: "22:00"}}, then: approve}]', '1:23 '],
  ['rules: [{when: {velocity: {over: 3}}, then: approve}]', '1:27 rules[0].when.velocity.within is missing'],
  ['rules: [{when: {velocity: {over: 0, within: 0s}}, then: approve}]', '1:45 within must be longer than 0'],
  [
    'rules: [{when: {merchantData.id: 123E45}, then: approve}]',
    '1:34 YAML reads 123E45 as the number 1.23e+47: write "123E45" if it is text, else 1.23e+47',
  ],
  ['rules: [{when: {probability: 200%}, then: approve}]', '1:30 a percentage is at most 100%'],
  ['rules: [{when: {merchant: {not: x, min: 1}}, then: approve}]', '1:27 not must be the only key'],
  [
    'rules: [{when: {merchant: {currency: EUR}}, then: approve}]',
    '1:27 a currency needs min, max, over or under',
  ],
])('%s', async (text, problem) => {
  const [first] = await problemsOf(text)
  expect(first?.slice(0, problem.length)).toBe(problem)
})

test('what the contract does not know is a warning: the service may send more one day', async () => {
  const {rules, problems, warnings} = await readRules(`rules:
  - when:
      merchantData.cuntry: FIN
      merchantData.category: "6011"
      transactionData.terminalID: x
      transactionData.later.member: 1
      transactionData.transactionFees.feeType: MARKUP
    then: approve
`)
  expect({rules: rules.length, problems}).toEqual({rules: 1, problems: []})
  expect(warnings).toEqual([
    {
      line: 3,
      column: 7,
      message: 'the contract has no merchantData.cuntry; did you mean merchantData.country?',
    },
    {
      line: 4,
      column: 7,
      message:
        'merchantData.category is an object: write merchantData.category.code or merchantData.category.description',
    },
    {
      line: 5,
      column: 7,
      message: 'the contract has no transactionData.terminalID; did you mean merchantData.terminalId?',
    },
    {line: 6, column: 7, message: 'the contract has no transactionData.later.member'},
  ])
})

test.each([
  [
    'transactionData.partialApprovalCapable: yes',
    '1:57 transactionData.partialApprovalCapable is true or false',
  ],
  ['transactionData.cardPresent: {not: "x*"}', '1:52 transactionData.cardPresent is true or false'],
  ['transactionData.cardPresent: {min: 1}', '1:46 transactionData.cardPresent is not a number'],
  [
    'entryMode: {not: [ECOMMERCE, ECOMERCE]}',
    '1:46 the contract has no entryMode ECOMERCE; did you mean ECOMMERCE?',
  ],
  ['entryMode: TELE*', '1:28 the contract has no entryMode TELE*'],
  ['entryMode: ""', '1:28 the contract has no entryMode ""'],
  ['entryMode: 4111111111111111', '1:28 the contract has no entryMode that is meant here'],
  ['type: retail', '1:23 the contract has no type retail; did you mean RETAIL?'],
  ['card.expiration.year: [2027, soon]', '1:46 card.expiration.year is a number'],
  ['card.expiration.month: "05"', '1:40 card.expiration.month is a number: remove the quotes'],
  [
    'account.availableAmount: 12.50',
    '1:42 account.availableAmount is an amount: add its currency, for example 12.50 EUR',
  ],
  [
    'transactionData.billingAmount: {over: 5}',
    '1:48 transactionData.billingAmount is an amount: add its currency, for example 12.50 EUR',
  ],
  ['merchantData.category.code: 742', '1:45 merchantData.category.code has four digits; use mcc for ranges'],
  ['merchantData.id: [11, 1.10]', '1:39 merchantData.id is text: put it in quotes'],
  ['merchantData.id: &id [+47], token.id: *id', '1:39 merchantData.id is text: put it in quotes'],
])('a value that no call of the contract can have is a warning: %s', async (condition, warning) => {
  const {problems, warnings} = await readRules(`rules: [{when: {${condition}}, then: approve}]`)
  expect(problems).toEqual([])
  expect(warnings.map(({line, column, message}) => `${line}:${column} ${message}`)).toEqual([warning])
})

test.each([
  'transactionData.cardPresent: [true, "*"]',
  'entryMode: [WALLET_*, CHIP]',
  'category: INITIAL_AUTHORIZATION',
  'card.expiration.year: [2027, "2028", "20*"]',
  'transactionData.transactionFees.feeAmount.amount: 12.50',
  'transactionData.transactionFees.feeAmount.amount: {min: -1E3, over: .5}',
  'transactionData.billingAmount: {over: 5, currency: EUR}',
  'transactionData.billingAmount: 5 EUR',
  'merchantData.category.code: ["5411", "54*"]',
  'customer.customerId: [1001, "0042"]',
  'card.cardId: {min: 3000}',
  'token.id: null',
  'merchant: yes',
])('nothing is wrong with %s', async condition => {
  const {problems, warnings} = await readRules(`rules: [{when: {${condition}}, then: approve}]`)
  expect({problems, warnings}).toEqual({problems: [], warnings: []})
})

test.each([
  ['then: approve', 'rule 1 takes every call, so this rule is never reached'],
  ['when: {}\n    then: no answer', 'rule 1 takes every call, so this rule is never reached'],
  [
    'name: all\n    when: {probability: 100%}\n    then: {decline: 51, delay: 1s}',
    'all takes every call, so this rule is never reached',
  ],
])('a rule behind one that takes every call is a warning: %s', async (first, message) => {
  const {problems, warnings} = await readRules(`rules:
  - ${first}
  - {when: {mcc: 6011}, then: approve}
`)
  expect({problems, warnings}).toEqual({
    problems: [],
    warnings: [{line: 2 + first.split('\n').length, column: 5, message}],
  })
})

test('of many such rules the first is named', async () => {
  const {warnings} = await readRules('rules: [{then: approve}, {then: approve}, {then: approve}]')
  expect(warnings.map(({column, message}) => `${column} ${message}`)).toEqual([
    '26 rule 1 takes every call, so this rule and all after it are never reached',
  ])
})

test.each([
  'then: {delay: 1s}',
  'when: {probability: 99%}, then: approve',
  'when: {first: 3}, then: approve',
  'when: {after: 3}, then: approve',
  'when: {velocity: {over: 3, within: 1h}}, then: approve',
  'when: {time: {days: [mon]}}, then: approve',
  'when: {merchant: "*"}, then: approve',
])('a rule that leaves some calls to the next is no reason for one: %s', async first => {
  const {warnings} = await readRules(`rules: [{${first}}, {then: approve}]`)
  expect(warnings).toEqual([])
})

test('a problem in an alias is reported once', async () => {
  const {warnings} = await readRules(
    'rules: [{when: {type: &types [RETIAL], entryMode: CHIP}, then: approve}, {when: {type: *types}, then: approve}]',
  )
  expect(warnings).toHaveLength(1)
})

test('aliases that multiply do not', async () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [at, name] of ['b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
    const before = 'abcdefgh'[at]
    bomb.push(`${name}: &${name} [${`*${before}, `.repeat(9)}]`)
  }
  expect(await problemsOf(bomb.join('\n'))).toEqual(['1:1 the aliases of the file expand too far'])
})

test.each(['merchantName', 'merchant_name', 'mccCode'])('%s means the short name in it', async name => {
  const {problems} = await readRules(`rules:\n  - {name: a, when: {${name}: x}, then: approve}\n`)
  expect(problems.map(({message}) => message)).toEqual([
    `${name} is not a field of rules[0].when; did you mean ${name.startsWith('mcc') ? 'mcc' : 'merchant'}?`,
  ])
})
