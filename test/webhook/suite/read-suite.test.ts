import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readSuite} from '../../../src/webhook/suite/read-suite.ts'
import {runs} from '../../helpers/whole.ts'

const read = (text: string) => readSuite(text, 'suite')
const problemsOf = async (text: string) =>
  (await read(text)).problems.map(({line, column, message}) => `${line}:${column} ${message}`)

describe('what is wrong is named by line and column', () => {
  test.each([
    ['steps: [{send: contactles}]', '1:16 there is no such scenario; did you mean contactless?'],
    ['steps:\n  - sendd: atm', '2:5 sendd is not a field of steps[0]; did you mean send?'],
    ['steps: [{send: atm, expect: aproved}]', '1:29 this is not a decision; did you mean approved?'],
    [
      'steps: [{send: atm, expect: {decison: approved}}]',
      '1:30 decison is not a field of steps[0].expect; did you mean decision?',
    ],
    [
      'steps:\n  - {send: atm, expect: [approved, {withn: 1s}]}',
      '2:37 withn is not a field of steps[0].expect[1]; did you mean within?',
    ],
    ['steps: [{name: a, send: atm}, {repeat: b}]', '1:40 no earlier step has this name'],
    [
      'steps: [{name: coffee, send: atm}, {repeat: cofee}]',
      '1:45 no earlier step has this name; did you mean coffee?',
    ],
    ['steps: [{repeat: a}, {name: a, send: atm}]', '1:18 no earlier step has this name'],
    ['steps: [{send: atm, wait: 1s}]', '1:27 a step does one thing, found send, wait'],
    [
      'steps: [{name: a}]',
      '1:9 a step has one of send, body, raw, warmUp, repeat, increment, reverse, clear, wait, clock, load',
    ],
    ['steps: [{wait: 1s, amount: 1 EUR}]', '1:28 wait takes no amount'],
    ['steps: [{send: atm, amount: 1.001 EUR}]', '1:29 The amount has 3 decimals, EUR has 2'],
    [
      'steps: [{send: atm, amount: 10}]',
      '1:29 steps[0].amount must be an amount with its currency, such as 12.50 EUR',
    ],
    [
      'steps: [{send: atm, expect: {within: 5}}]',
      '1:38 steps[0].expect.within must be a time such as 300ms or 1.5s',
    ],
    [
      'steps: [{send: atm, expect: {code: 99}}]',
      '1:36 the response code is unknown: put a code such as "05" in quotes',
    ],
    [
      'steps: [{send: atm, expect: {code: 05}}]',
      '1:36 YAML reads 05 as the number 5: write "05" if it is text, else 5',
    ],
    [
      'steps: [{send: atm, expect: {schema: {properties: {a: {type: 5}}}}}]',
      '1:62 this is not a JSON Schema (2020-12): it must be one of array, boolean, integer, null, number, object, string',
    ],
    ['steps: [{send: atm, expect: {schema: {$ref: "#/none"}}}]', '1:38 this is not a JSON Schema (2020-12)'],
    [
      'steps: [{send: atm, expect: {query: "a ["}}]',
      '1:37 this is not a JMESPath expression: not understood at its end',
    ],
    [
      'steps: [{send: atm, expect: {query: a == 5}}]',
      "1:37 this is not a JMESPath expression: a number needs backticks, `5`, at character 6, near '5'",
    ],
    [
      'steps: [{send: atm, expect: {query: lenght(a)}}]',
      "1:37 this is not a JMESPath expression: there is no such function at character 1, near 'lenght(a)'",
    ],
    [
      'steps: [{send: atm, expect: {decision: declined 51}}]',
      '1:40 this is not a decision: with 51 beside it, write expect: declined 51',
    ],
    ['steps: [{send: atm, expect: {p99: 1s}}]', '1:35 only a load has p99'],
    [
      'steps: [{load: {rate: 1/s, duration: 1s}, expect: approved}]',
      '1:51 a load is judged by its times and counts, not by decision',
    ],
    ['steps: [{load: {rate: 9000/s, duration: 1s}}]', '1:23 a rate is at most 5000/s and above 0'],
    ['steps: [{name: a, send: atm}, {name: a, send: atm}]', '1:38 an earlier step has the same name'],
    ['steps: [{send: atm, set: {card.cardId: "${b.id}"}}]', '1:40 no earlier step has this name'],
    [
      'steps: [{send: atm, amount: "${case.x}", cases: [{y: 1 EUR}]}]',
      '1:29 no case has a value for this column',
    ],
    [
      'set: {merchantData.contry: NOR}\nsteps: [{send: atm}]',
      '1:7 a call has no field merchantData.contry; did you mean merchantData.country?',
    ],
    [
      'steps:\n  - send: atm\n    set: {mcc: 1, country: NOR}',
      '3:19 a call has no field country; did you mean merchantData.country?',
    ],
    [
      'steps: [{send: atm, set: {mercantData.country: NOR}}]',
      '1:27 a call has no field mercantData.country; did you mean merchantData.country?',
    ],
    [
      'steps: [{send: atm, without: [token, transactonData]}]',
      '1:38 a call has no field transactonData; did you mean transactionData?',
    ],
    ['steps: [{send: atm, card: old}]', '1:27 steps[0].card must be one of new'],
    ['steps: [{warmUp: true, card: new}]', '1:30 warmUp takes no card'],
    ['steps: [{increment: a}]', '1:9 increment needs an amount'],
    [
      'steps:\n  - {send: atm, amount: ${case.x}, cases: [{x: 1 EUR}]}',
      '2:25 inside braces and brackets, put text with a variable in quotes',
    ],
    ['stepps: []', '1:1 stepps is not a field of a test suite; did you mean steps?'],
    ['{"send":"atm"}\n{"send":', '2:9 this is not JSON'],
    ['{"send":"atm"}\n{"send":"atn"}', '2:1 there is no such scenario; did you mean atm?'],
  ])('%s', async (text, expected) => {
    expect(await problemsOf(text)).toContainEqual(expect.stringContaining(expected))
  })

  test('a wrong value of a case is named at its step', async () => {
    const text = 'steps:\n  - send: atm\n    expect: ${case.e}\n    cases: [{e: approved}, {e: aproved}]'
    expect(await problemsOf(text)).toEqual(['3:13 this is not a decision; did you mean approved?'])
  })
})

test('any text is read or refused with places that are in it', async () => {
  const words = fc.constantFrom(
    ...[
      'steps:',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ': ',
      'send',
      'atm',
      'expect',
      '\n',
      '  ',
      '"',
      '${a.b}',
      'cases',
      ',',
      '1',
      '&a',
      '*a',
    ],
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, {maxLength: 30}).map(parts => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(texts, async text => {
      const {suite, problems} = await read(text)
      expect(suite === undefined).toBe(problems.length > 0)
      const lines = text.split('\n')
      for (const {line, column, message} of problems) {
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeGreaterThan(0)
        expect(message).not.toMatch(/\.$/)
      }
    }),
    {numRuns: runs(300)},
  )
})

const step = fc.record(
  {
    send: fc.constantFrom('contactless', 'atm', 'fuel'),
    amount: fc.integer({min: 1, max: 10 ** 9}).map(minor => `${(minor / 100).toFixed(2)} EUR`),
    times: fc.integer({min: 1, max: 9}),
    set: fc.dictionary(
      fc.constantFrom('card.cardId', 'merchantData.name', 'a.b.c'),
      fc.string({minLength: 1}),
      {minKeys: 1},
    ),
    expect: fc.constantFrom('approved', 'declined 51', 'partial 1.50 EUR', ['approved', {within: '1s'}]),
  },
  {requiredKeys: ['send']},
)
const withoutVariables = (value: unknown) => !JSON.stringify(value).includes('${')

test('the same steps are the same suite as YAML, as JSON and as NDJSON', async () => {
  const steps = fc.array(step, {minLength: 2, maxLength: 6}).filter(withoutVariables)
  const yaml = await import('yaml')
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const texts = [
        JSON.stringify({steps: all}),
        yaml.stringify({steps: all}),
        all.map(each => JSON.stringify(each)).join('\n'),
      ]
      for (const text of texts) {
        const {suite, problems} = await read(text)
        expect(problems).toEqual([])
        expect(suite?.steps.map(({spec}) => spec)).toEqual(all)
      }
    }),
    {numRuns: runs(60)},
  )
})

test('a field that the contract does not know may be set', async () => {
  const set = 'transactionData.somethingNew: 1, somethingElse: {a: 1}, __proto__.isApproved: true, a.b.c: 1'
  const {problems} = await read(`set: {${set}}\nsteps: [{send: atm, set: {${set}}, without: [other]}]`)
  expect(problems).toEqual([])
})

test('a step is run once for each row, with the values of the row', async () => {
  const {suite} = await read(
    'steps:\n  - name: cash ${case.amount}\n    send: atm\n    amount: ${case.amount}\n    times: 2\n    cases: [{amount: 1 EUR}, {amount: 2 EUR}]\n  - {name: x, send: atm, cases: [{a: 1}, {a: 2}]}',
  )
  expect(suite?.steps.map(({name}) => name)).toEqual(['cash 1 EUR', 'cash 2 EUR', 'x 1', 'x 2'])
  expect(suite?.steps.map(({spec}) => spec.amount)).toEqual(['1 EUR', '2 EUR', undefined, undefined])
  expect(suite?.steps.map(({at}) => `${at.line}:${at.column}`)).toEqual(['6:13', '6:30', '7:34', '7:42'])
})

test('a step knows the steps that it needs', async () => {
  const {suite} = await read(
    'steps: [{name: a.b, send: atm}, {name: c, repeat: a.b}, {send: atm, set: {x: "${a.b.id} ${c.code}"}, expect: {sameAs: c}}]',
  )
  expect(suite?.steps.map(({needs}) => needs)).toEqual([[], ['a.b'], ['a.b', 'c']])
})

test('names that the user did not give are different', async () => {
  const {suite} = await read('steps: [{send: atm}, {send: atm}, {warmUp: true}, {wait: 1ms}]')
  expect(suite?.steps.map(({name}) => name)).toEqual(['atm', 'atm 2', 'warm-up', 'wait'])
})
