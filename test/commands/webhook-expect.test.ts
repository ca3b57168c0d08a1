import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {declineAll} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {endpoint, listener} from '../webhook/listener.ts'

let home: Home
let folder: string
beforeAll(async () => {
  home = await openHome()
  folder = await mkdtemp(join(tmpdir(), 'cardctl-expect-'))
})
afterAll(async () => {
  await home.remove()
  await rm(folder, {recursive: true})
})

const file = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

describe('trigger --expect', () => {
  const trigger = (url: string, ...argv: string[]) =>
    home.run(['webhook', 'trigger', 'auth', '--to', url, ...argv])

  test('a decline that is expected is no failure', async () => {
    const {url} = await listener({decider: declineAll('51')})
    const {code, stdout, stderr} = await trigger(url, '--expect', 'declined', '--expect', 'code=51')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/Expected +declined {2}yes\n +code 51 {2}yes/)
  })

  test.each([
    ['approved', 'Expected approved, got declined 51.'],
    ['declined 57', 'Expected code 57, got code 51.'],
    ['amount=4.20 EUR', 'Expected 4.20 EUR approved, got declined 51.'],
    ['status=400', 'Expected status 400, got status 200.'],
    ['query=transactionData.availableAmount', 'Expected transactionData.availableAmount, got null.'],
  ])('another answer than %s: 11', async (expected, message) => {
    const {url} = await listener({decider: declineAll('51')})
    const {code, stderr} = await trigger(url, '--expect', expected)
    expect(code).toBe(11)
    expect(stderr).toContain(`Error EXPECTATION_FAILED: ${message}`)
  })

  test.each([
    ['approved', 0],
    ['amount=4.20 EUR', 0],
    ['amount=4.21 EUR', 11],
    ['decision=declined', 11],
  ])('an approval, with %s: %i', async (expected, code) => {
    const {url} = await listener()
    expect((await trigger(url, '--expect', expected)).code).toBe(code)
  })

  test('an invalid answer is as expected if that was expected', async () => {
    const url = await endpoint((_, response) => void response.end('{}'))
    expect((await trigger(url, '--expect', 'invalid')).code).toBe(0)
    expect((await trigger(url, '--expect', 'decided')).code).toBe(11)
  })

  test('an endpoint that is not reached: 9', async () => {
    expect((await trigger('http://127.0.0.1:1', '--expect', 'approved')).code).toBe(9)
  })

  test('json has what was expected and what came', async () => {
    const {url} = await listener()
    const {stdout} = await trigger(url, '--expect', 'declined', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      expected: [{what: 'decision', expected: 'declined', got: 'approved', passed: false}],
    })
  })

  test.each([
    ['aproved', 'did you mean approved?'],
    ['cod=5', 'Did you mean code=?'],
    ['code=99', 'the response code is unknown'],
    ['amount=5', 'an amount has its currency'],
    ['within=5', 'a time is a number with ms or s'],
    ['query=a [', 'this is not a JMESPath expression'],
  ])('%s is refused before anything is sent', async (expected, message) => {
    const {url, events} = await listener()
    const {code, stderr} = await trigger(url, '--expect', expected)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(events).toEqual([])
  })
})

const recorded = (event: string, outcome: string, code: string, mcc: string) =>
  JSON.stringify({
    event: {
      type: 'auth',
      event,
      at: 1,
      durationMs: 1,
      id: event,
      kind: 'payment',
      merchant: 'M',
      outcome,
      code,
      by: 'x',
      repeated: false,
      deadlineMs: 2000,
    },
    request: {
      method: 'POST',
      path: '/auth',
      body: {
        metadata: {id: event},
        merchantData: {category: {code: mcc}},
        transactionData: {transactionType: 'RETAIL', transactionAmount: {amount: 1, currency: 'EUR'}},
      },
    },
    steps: [],
  })

describe('replay --expect', () => {
  test('same is the default, and answered takes any valid answer', async () => {
    const calls = await file('calls.ndjson', recorded('e_1', 'declined', '51', '5814'))
    const {url} = await listener()
    const replay = async (...argv: string[]) =>
      (await home.run(['webhook', 'replay', '--from', calls, '--to', url, ...argv])).code
    expect(await replay()).toBe(11)
    expect(await replay('--expect', 'same')).toBe(11)
    expect(await replay('--expect', 'answered')).toBe(0)
    expect(
      (
        await home.run([
          'webhook',
          'replay',
          '--from',
          calls,
          '--to',
          'http://127.0.0.1:1',
          '--expect',
          'answered',
        ])
      ).code,
    ).toBe(9)
  })
})

describe('rules check --against --expect same', () => {
  const check = async (rules: string, ...calls: string[]) => {
    const argv = [await file('rules.yaml', rules), '--against', await file('some.ndjson', calls.join('\n'))]
    return home.run(['webhook', 'rules', 'check', ...argv, '--expect', 'same'])
  }
  const casino = recorded('e_2', 'declined', '57', '7995')

  test.each([
    ['the same code', 'rules: [{when: {mcc: 7995}, then: {decline: "57"}}]'],
    ['its name', 'rules: [{when: {mcc: 7995}, then: {decline: NOT_PERMITTED}}]'],
    ['no rule', 'rules: [{when: {mcc: 5814}, then: approve}]'],
    ['a rule by chance', 'rules: [{when: {probability: 5%}, then: approve}]'],
  ])('%s: 0', async (_, rules) => {
    const {code, stderr} = await check(rules, casino)
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test.each([
    ['an approval', 'rules: [{then: approve}]'],
    ['another code', 'rules: [{when: {mcc: 7995}, then: {decline: "51"}}]'],
    ['no answer', 'rules: [{then: no answer}]'],
  ])('%s: 11', async (_, rules) => {
    const {code, stderr, stdout} = await check(rules, casino)
    expect(code).toBe(11)
    expect(stderr).toContain('Error DECISION_CHANGED: 1 decision of 1 call changed.')
    expect(stdout).toContain('e_2')
  })
})
