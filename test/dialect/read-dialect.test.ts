// What is wrong with a dialect is said by line and column, all at once.
import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {readDialect} from '../../src/dialect/index.ts'

const problemsOf = async (operations: string, more = '') => {
  const {problems} = await readDialect(`dialect: 1\nname: own\n${more}operations:\n${operations}`)
  return problems.map(({line, column, message}) => `${line}:${column}: ${message}`)
}

const GET = '  cards.get.v4:\n    request: GET /cards/{id}\n'

test.for(['harbour', 'card-program'])('%s, which comes with cardctl, has no mistake', async name => {
  const text = readFileSync(new URL(`../../examples/dialects/${name}.yaml`, import.meta.url), 'utf8')
  const {compiled, problems} = await readDialect(text)
  expect(problems).toEqual([])
  expect(compiled?.operations.size).toBeGreaterThan(30)
})

test.for([
  [
    'an operation that is none',
    '  cards.got.v4: {cannot: x}\n',
    '4:3: there is no operation cards.got.v4; did you mean cards.get.v4?',
  ],
  ['a sandbox control', '  sandbox.reset: {cannot: x}\n', '4:3: there is no operation sandbox.reset'],
  [
    'a topic that is carried out',
    '  pricelists.*:\n    request: GET /x\n',
    '4:3: several operations can only have the same cannot',
  ],
  ['a path parameter that nothing fills', GET, '5:14: nothing is given for {id}'],
  [
    'a place that the path has not',
    `${GET}    input: {'path:id': 'path:id'}\n    with: {'path:other': 1}\n`,
    '5:14: the path has no {other}',
  ],
  [
    'a parameter that is none of ours',
    `${GET}    input: {'path:card': 'path:id'}\n`,
    '6:13: cards.get.v4 has no path parameter card',
  ],
  [
    'a body where there is none',
    `${GET}    input: {'path:id': 'path:id', /status: /x}\n`,
    '6:35: cards.get.v4 takes no body',
  ],
  [
    'a member of the result that is none',
    `${GET}    input: {'path:id': 'path:id'}\n    output: {/state: /state}\n`,
    '7:14: /state is no field of the result of cards.get.v4',
  ],
  [
    'a map that is not there',
    `${GET}    input: {'path:id': 'path:id'}\n    output: {/status: {at: /s, values: states}}\n`,
    '7:40: there is no map states',
  ],
  [
    'a shape that is not there',
    `${GET}    input: {'path:id': 'path:id'}\n    output: {'': {at: /s, shape: card}}\n`,
    '7:34: there is no shape card',
  ],
  [
    'an expression that is none',
    `${GET}    input: {'path:id': 'path:id'}\n    output: {'': {jmespath: 'a['}}\n`,
    '7:29: the expression is wrong: not understood at its end',
  ],
  [
    'minor units of an unknown currency',
    '  a2a.create.v1:\n    request: POST /t\n    input: {/transfers/0/amount: {at: /a, as: minor}}\n    output: {/id: /id}\n',
    '6:47: minor units need a currency or an exponent',
  ],
  [
    'a read that would delete',
    "  cards.get.v4:\n    request: DELETE /cards/{id}\n    input: {'path:id': 'path:id'}\n",
    '5:14: cards.get.v4 only reads, and a DELETE does not',
  ],
  [
    'a write by GET',
    "  accounts.patchDebit.v4:\n    request: GET /a/{id}\n    input: {'path:id': 'path:id'}\n",
    '5:14: accounts.patchDebit.v4 is no read, and a GET changes nothing',
  ],
  [
    'a promise about a key that goes nowhere',
    "  accounts.patchDebit.v4:\n    request: PUT /a/{id}\n    input: {'path:id': 'path:id'}\n    idempotent: true\n",
    '7:17: the key needs a place: key, here or at the top of the file',
  ],
  [
    'a proof that proves itself',
    "  a2a.create.v1:\n    request: POST /t\n    input: {/transfers/0/amount: /a}\n    output: {/id: {is: '1'}}\n",
    '7:19: this is not from their response to the request, so proof must name what is',
  ],
  [
    'a result without what it needs',
    '  a2a.create.v1:\n    request: POST /t\n    output: {/status: /s}\n',
    '6:13: a result needs id, and nothing is given for it',
  ],
] as const)('%s', async ([, operations, problem]) => {
  expect(await problemsOf(operations)).toContain(problem)
})

test('a shape that is a part of itself', async () => {
  const shapes = 'shapes:\n  a: {/x: {at: /x, shape: b}}\n  b: {/y: {at: /y, items: a}}\n'
  expect(await problemsOf('  cards.*: {cannot: x}\n', shapes)).toContain(
    '4:3: this shape is a part of itself',
  )
})

test('a value of ours that the contract has not', async () => {
  const account =
    "  accounts.patchDebit.v4:\n    request: PUT /a/{id}\n    input: {'path:id': 'path:id', /status: {at: /s, values: {ACCOUNT_BLOKED: x}}}\n"
  expect(await problemsOf(account)).toEqual([expect.stringContaining('did you mean ACCOUNT_BLOCKED?')])
})

test('a name that is none', async () => {
  expect(await problemsOf(`${GET}    inputs: {}\n`)).toEqual([
    expect.stringMatching(/^6:5: inputs is not a field/),
  ])
})

const WRITE = (request: string, more = '') =>
  `  accounts.patchCredit.v4:\n    request: ${request}\n    input: {'path:id': 'path:no', /creditLimit: {at: /limit, as: minor, exponent: 2}}\n${more}`

test.for([
  ['GET /../../admin/{c}', 'a segment of dots'],
  ['GET //evil.example/{c}', 'must be a method and a path'],
  ['GET /..%2fadmin/{c}', 'must be a method and a path'],
  ['GET /x/{c}?y=1#z', 'must be a method and a path'],
  ['GET /a{c}', 'must be a method and a path'],
  ['GET /x\\\\y/{c}', 'must be a method and a path'],
])('the request %s is refused', async ([request, why]) => {
  const text = `  cards.get.v4:\n    request: "${request}"\n    input: {'path:id': 'path:c'}\n`
  expect((await problemsOf(text)).join('\n')).toContain(why)
})

test.for([
  ['    key: /limit\n', '/limit is given twice'],
  ['    with: {/limit: 1}\n', '/limit is given twice'],
  ["    with: {'path:no': 1}\n", 'path:no is given twice'],
  ['    with: {/limit/cents: 1}\n', '/limit/cents is given twice'],
  ["    key: 'path:no'\n", 'must be'],
  ["    key: 'header:Host'\n", 'the header Host is not for a dialect'],
  ["    key: 'header:X A'\n", 'is no name of a header'],
  ["    with: {'header:Authorization': x}\n", 'the header Authorization is not for a dialect'],
  ["    with: {'header:X-HTTP-Method-Override': DELETE}\n", 'is not for a dialect'],
  ['    with: {"header:X-A": "a\\r\\nb: c"}\n', "can't have this value"],
])('a write with %j is refused', async ([more, why]) => {
  expect((await problemsOf(WRITE('PUT /acc/{no}', more))).join('\n')).toContain(why)
})

test('ids have patterns that run in linear time', async () => {
  const cards = '  cards.*: {cannot: x}\n'
  expect(await problemsOf(cards, "ids: {card: '^(a'}\n")).toEqual([
    expect.stringContaining('no regular expression'),
  ])
  expect(await problemsOf(cards, "ids: {card: '(a)\\1'}\n")).toEqual([
    expect.stringContaining('no regular expression'),
  ])
})

test('a value of theirs is one of ours, which the contract has', async () => {
  const get = (values: string) =>
    `  cards.get.v4:\n    request: GET /c/{c}\n    input: {'path:id': 'path:c'}\n    output: {/status: {at: /s, values: ${values}}}\n`
  const map = 'values:\n  states: {CARD_OK: a, CARD_BLOCKED: a}\n'
  expect(await problemsOf(get('states'), map)).toEqual([
    expect.stringContaining('a is there for CARD_OK too'),
  ])
  expect(await problemsOf(get('{CARD_OKAY: a}'))).toEqual([expect.stringContaining('no value CARD_OKAY')])
  expect(
    await problemsOf(WRITE('PUT /acc/{no}').replace('as: minor, exponent: 2', 'as: minor, currency: EURO')),
  ).toEqual([expect.stringContaining('EURO is no currency')])
})

test('an operation of its own counts, wherever its topic is named', async () => {
  const own = "  cards.get.v4:\n    request: GET /c/{c}\n    input: {'path:id': 'path:c'}\n"
  for (const operations of [`${own}  cards.*: {cannot: x}\n`, `  cards.*: {cannot: x}\n${own}`]) {
    const {compiled} = await readDialect(`dialect: 1\nname: own\noperations:\n${operations}`)
    expect(compiled?.operations.get('cards.get.v4')).toHaveProperty('variants')
    expect(compiled?.operations.get('cards.listByAccount.v4')).toEqual({cannot: 'x'})
  }
})
