import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {describe, expect, onTestFinished, test} from 'vitest'
import type {CallCredentials} from '../../../src/network/call-credentials.ts'
import {SIGNATURE_DEFAULTS} from '../../../src/network/signature-defaults.ts'
import {Secret} from '../../../src/sensitive/secret.ts'
import {openCaller} from '../../../src/webhook/index.ts'
import {readSuite} from '../../../src/webhook/suite/read-suite.ts'
import type {StepResult, SuiteSummary} from '../../../src/webhook/suite/results.ts'
import {runSuite} from '../../../src/webhook/suite/run-suite.ts'
import {ROOT} from '../../docs/pages.ts'
import {part} from '../../helpers/whole.ts'
import {listener} from '../listener.ts'
import {type Faults, faultyEndpoint} from './endpoints.ts'

const NOON = Date.UTC(2026, 5, 15, 12)

interface Ran {
  readonly steps: readonly StepResult[]
  readonly summary: SuiteSummary | undefined
  /** `step: expected, got`. */
  readonly faults: readonly string[]
}

async function run(
  text: string,
  url: string,
  more: {bail?: boolean; deadlineMs?: number; signal?: AbortSignal; credentials?: CallCredentials} = {},
): Promise<Ran> {
  const {deadlineMs = 2000, signal = new AbortController().signal, bail, credentials} = more
  const {suite, problems} = await readSuite(text, 'suite')
  expect(problems).toEqual([])
  if (!suite) throw new Error('The suite has problems.')
  const caller = openCaller({base: new URL(url), deadlineMs, credentials, now: () => NOON})
  onTestFinished(() => caller.close())
  let ids = 0
  const newId = () => `id-${++ids}`
  const steps: StepResult[] = []
  let summary: SuiteSummary | undefined
  for await (const event of runSuite(suite, {
    caller,
    signal,
    bail,
    now: () => NOON,
    random: () => 0.5,
    newId,
  })) {
    if (event.type === 'step') steps.push(event)
    if (event.type === 'summary') summary = event
  }
  const faults = steps.flatMap(({name, checks}) =>
    checks.filter(({passed}) => !passed).map(({expected, got}) => `${name}: ${expected}, ${got}`),
  )
  return {steps, summary, faults}
}

const shipped = (name: string) => readFileSync(`${ROOT}examples/suites/${name}.yaml`, 'utf8')

describe('the shipped suites', () => {
  test.each(['smoke', 'money', 'identity', 'hostile'])('a good endpoint passes %s', async name => {
    const {url} = await faultyEndpoint()
    const {faults, summary, steps} = await run(shipped(name), url)
    expect(faults).toEqual([])
    const proofs = steps.filter(({name: step}) => /credential|password|certificate|signature/.test(step))
    expect(summary).toMatchObject({passed: steps.length - proofs.length, skipped: proofs.length})
  })

  test('hostile tells who takes calls with missing, wrong and old credentials and signatures', async () => {
    const credentials = {
      auth: {type: 'bearer', token: new Secret('t')},
      signature: {...SIGNATURE_DEFAULTS, keys: [new Secret('k')]},
    } as const
    const strict = await listener({credentials, now: () => NOON})
    const careless = await listener()
    const only = {credentials}
    const proofs = ({steps}: Ran, state: string) =>
      steps
        .filter(step => /credential|certificate|signature/.test(step.name) && step.state === state)
        .map(({name}) => name)
    expect(proofs(await run(shipped('hostile'), strict.url, only), 'passed')).toHaveLength(6)
    expect(proofs(await run(shipped('hostile'), careless.url, only), 'failed')).toEqual([
      'no credential',
      'a wrong credential',
      'no signature',
      'a wrong signature',
      'an old signature',
      'a signature from the future',
    ])
  })

  test('an endpoint that answers another call with a known id by 409 passes hostile', async () => {
    const {url} = await faultyEndpoint({reuse: 409})
    expect((await run(shipped('hostile'), url)).faults).toEqual([])
  })

  test.each(['smoke', 'money', 'identity', 'hostile', 'load'])(
    'every expectation of %s says what it rests on',
    async name => {
      const {suite} = await readSuite(shipped(name), name)
      const bases = suite?.steps
        .flatMap(({spec}) => [spec.expect ?? []].flat())
        .map(each => Object(each).basis)
      expect(bases?.length).toBeGreaterThan(0)
      expect(bases?.filter(basis => !['outline', 'known', 'decided'].includes(basis))).toEqual([])
    },
  )

  let toggled = 0
  const planted: readonly [fault: string, suite: string, faults: Faults, found: string | RegExp][] = [
    [
      'decides a repeated id anew',
      'money',
      {forgets: true, decide: () => ({code: toggled++ % 2 ? '51' : '00'})},
      /the same answer as coffee, declined 51, after approved|the same answer as coffee, approved, after declined 51/,
    ],
    [
      'answers a call that comes at once otherwise',
      'money',
      {races: true},
      /coffee ten times at once: the same answer as coffee, declined 96, after approved/,
    ],
    [
      'gives a part to a merchant that takes none',
      'money',
      {decide: () => ({code: '10', part: {amount: 1, currency: 'EUR'}})},
      /a merchant that takes no part: approved or declined, invalid: the merchant does not support partial approvals: partialApprovalCapable of the call is not true/,
    ],
    [
      'gives a part of an amount of zero',
      'smoke',
      {decide: call => (amountIn(call) === 0 ? {code: '10'} : undefined)},
      /an account verification: approved or declined, invalid/,
    ],
    [
      'rounds yen to cents',
      'money',
      {
        decide: call =>
          currencyIn(call) === 'JPY' && amountIn(call) === 1500
            ? {code: '10', part: {amount: 750.5, currency: 'JPY'}}
            : undefined,
      },
      '1500 JPY: decided, invalid: the partial amount has more digits than its currency',
    ],
    [
      'answers in another currency',
      'money',
      {
        decide: call =>
          currencyIn(call) === 'KWD' ? {code: '10', part: {amount: 1, currency: 'USD'}} : undefined,
      },
      '12.345 KWD: decided, invalid: the currency of the partial amount differs from that of the call',
    ],
    [
      'approves more than the amount',
      'money',
      {
        decide: call =>
          amountIn(call) === 120 ? {code: '10', part: {amount: 500, currency: 'EUR'}} : undefined,
      },
      'a merchant that takes a part: decided, invalid: the partial amount is not between zero and the requested amount',
    ],
    ['refuses the warm-up', 'smoke', {warmUp: 404}, 'warm-up: ready, refused with status 404'],
    [
      'refuses what it does not know',
      'hostile',
      {decide: call => (JSON.stringify(call).includes('somethingNew') ? {status: 422} : undefined)},
      'an unknown field: decided, refused with status 422',
    ],
    [
      'has a code of its own',
      'identity',
      {decide: call => (JSON.stringify(call).includes('walletz') ? {code: 'Z9'} : undefined)},
      /a wallet that is unknown: decided, invalid: .*not a response code/,
    ],
    [
      'approves what it cannot read',
      'hostile',
      {onBroken: {}},
      'broken, cut off: not approved or partial or late or unreachable, approved',
    ],
    [
      'answers by the id alone',
      'hostile',
      {answersById: true},
      'its id without a payment: not approved or partial or late or unreachable, approved',
    ],
    [
      'refuses another call with a known id by another status than 409',
      'hostile',
      {reuse: 422},
      /its id for a coffee for 6,000: .*status 422/,
    ],
    [
      'decides by the amount, but not for a known id',
      'hostile',
      {
        answersById: true,
        decide: call => (amountIn(call) === 6000 ? {code: '51'} : undefined),
      },
      'its id for a coffee for 6,000: the same answer as a coffee for 6,000, or status 409, approved, after declined 51',
    ],
    [
      'fails at a reversal without a payment',
      'hostile',
      {decide: call => (JSON.stringify(call).includes('REVERSAL') ? {status: 500} : undefined)},
      'a reversal before its payment: decided, invalid: status 500',
    ],
    [
      'writes HTML',
      'smoke',
      {decide: () => ({body: '<html>'})},
      /coffee: decided, invalid: the answer is not a JSON object/,
    ],
  ]
  test.each(part(planted, 2))('an endpoint that %s fails %s', async (_, name, faults, found) => {
    toggled = 0
    const {url} = await faultyEndpoint(faults)
    const ran = await run(shipped(name), url)
    expect(ran.faults).toContainEqual(
      typeof found === 'string' ? expect.stringContaining(found) : expect.stringMatching(found),
    )
  })

  test('an endpoint that does not answer every tenth call of a load fails it', async () => {
    const {url} = await faultyEndpoint({decide: (_, seen) => (seen % 10 === 0 ? {delayMs: 5000} : undefined)})
    const text =
      'steps: [{name: many, load: {rate: 100/s, duration: 500ms}, expect: {inTime: 99%, invalid: 0}}]'
    const {faults, steps} = await run(text, url, {deadlineMs: 1000})
    expect(faults).toEqual([
      expect.stringMatching(/^many: at least 99% within the deadline, [\d.]+% of 50 calls$/),
    ])
    expect(steps[0]?.load?.late).toBeGreaterThanOrEqual(5)
    expect(steps[0]?.load).toMatchObject({calls: 50, invalid: 0})
  })
})

const dataOf = (call: unknown) =>
  (call as {transactionData: {transactionAmount: {amount: number; currency: string}}}).transactionData
const amountIn = (call: unknown) => dataOf(call).transactionAmount.amount
const currencyIn = (call: unknown) => dataOf(call).transactionAmount.currency

describe('what a step sends', () => {
  interface Call {
    readonly metadata: Readonly<Record<string, string>>
    readonly card: {readonly cardId: unknown}
    readonly account: {readonly availableAmount: unknown}
    readonly transactionData: Readonly<Record<string, unknown>>
    readonly merchantData: Readonly<Record<string, unknown>>
  }
  const sentBy = async (steps: string, head = '') => {
    const {url, calls} = await faultyEndpoint()
    const ran = await run(`${head}\nsteps:\n${steps}`, url)
    expect(ran.faults).toEqual([])
    return calls as unknown as Call[]
  }

  test('a scenario with its amount and changes', async () => {
    const [call] = await sentBy(
      '  - {send: contactless, amount: 7.50 EUR, set: {card.cardId: 77, merchantData.category.code: "7995"}, without: [account.availableAmount]}',
    )
    expect(call?.transactionData.transactionAmount).toEqual({amount: 7.5, currency: 'EUR'})
    expect(call?.card.cardId).toBe('77')
    expect(call?.merchantData.category).toMatchObject({code: '7995'})
    expect(call?.account).not.toHaveProperty('availableAmount')
  })

  test('a call whose connection is dropped has no answer to judge, and its repeat has', async () => {
    const {url} = await faultyEndpoint()
    for (const drop of ['in the request', 'before the answer', 'in the answer']) {
      const text = `steps:\n  - {name: pay, send: chip, amount: 10 EUR, drop: ${drop}}\n  - {repeat: pay, expect: decided}\n`
      const {steps, faults} = await run(text, url)
      expect(faults).toEqual([])
      expect(steps.map(({checks, calls}) => [checks.length, calls[0]?.outcome === 'invalid'])).toEqual([
        [0, true],
        [1, false],
      ])
    }
  })

  test('a repeat is the same call, and a call of its own has an id of its own', async () => {
    const calls = await sentBy('  - {name: a, send: atm, times: 2}\n  - {repeat: a, times: 2}')
    const ids = calls.map(({metadata}) => metadata.id)
    expect(ids[0]).not.toBe(ids[1])
    expect(ids.slice(2)).toEqual([ids[0], ids[0]])
    expect(calls[2]).toEqual(calls[0])
  })

  test('increments and reversals are of the same transaction, at a later time', async () => {
    const [hold, more, part, rest] = await sentBy(
      '  - {name: h, send: hotel}\n  - {increment: h, amount: 600 NOK}\n  - {reverse: h, remaining: 900 NOK, after: 1h}\n  - {reverse: h, after: 8d}',
    )
    expect(new Set([hold, more, part, rest].map(call => call?.metadata.transactionId)).size).toBe(1)
    expect(new Set([hold, more, part, rest].map(call => call?.metadata.id)).size).toBe(4)
    expect(more?.metadata.messageCategory).toBe('INCREMENTAL_AUTHORIZATION')
    expect(more?.transactionData.transactionAmount).toEqual({amount: 600, currency: 'NOK'})
    expect(part?.transactionData).toMatchObject({
      transactionType: 'REVERSAL',
      originalTransactionId: hold?.metadata.transactionId,
      replacementAmount: {amount: 900, currency: 'NOK'},
      transactionDateTime: '2026-06-15T13:00:00.000Z',
    })
    expect(rest?.transactionData).not.toHaveProperty('replacementAmount')
    expect(rest?.transactionData.transactionDateTime).toBe('2026-06-23T13:00:00.000Z')
  })

  test('the clock is set and moved', async () => {
    const calls = await sentBy(
      '  - {clock: "2027-01-31"}\n  - {send: atm}\n  - {clock: +90m}\n  - {send: atm}',
    )
    expect(calls.map(({transactionData}) => transactionData.transactionDateTime)).toEqual([
      '2027-01-31T00:00:00.000Z',
      '2027-01-31T01:30:00.000Z',
    ])
  })

  test('the available amount follows what was approved, reversed and cleared', async () => {
    const look = '  - {send: verification, times: 1, name: "look ${case.n}", cases: [{n: N}]}'
    const at = (n: number) => look.replace('n: N', `n: ${n}`)
    const calls = await sentBy(
      [
        '  - {name: pump, send: fuel, amount: 120 EUR}',
        at(1),
        '  - {repeat: pump}',
        at(2),
        '  - {clear: pump, amount: 95 EUR}',
        at(3),
        '  - {name: coffee, send: contactless, amount: 5 EUR}',
        '  - {reverse: coffee, remaining: 2 EUR}',
        at(4),
        '  - {reverse: coffee}',
        at(5),
      ].join('\n'),
      'available: 500 EUR',
    )
    const looks = calls.filter(call => amountIn(call) === 0)
    expect(looks.map(({account}) => account.availableAmount)).toEqual(
      [420, 420, 405, 403, 405].map(amount => ({amount, currency: 'EUR'})),
    )
  })

  test('values of earlier calls and answers', async () => {
    const [first, second] = await sentBy(
      '  - {name: a.b, send: fuel}\n  - {send: chip, amount: "${a.b.part.amount} EUR", set: {metadata.linkId: "${a.b.id}", merchantData.name: "was ${a.b.decision} ${a.b.answer.transactionData.authResponseCode.code}"}}',
    )
    expect(second?.transactionData.transactionAmount).toEqual({amount: 80, currency: 'EUR'})
    expect(second?.metadata.linkId).toBe(first?.metadata.id)
    expect(second?.merchantData.name).toBe('was partial 10')
  })

  test('bodies with the same id are the same call under a new id', async () => {
    const calls = await sentBy(
      '  - {body: {metadata: {id: x}}}\n  - {body: {metadata: {id: x}}}\n  - {body: {metadata: {id: x}}, keepId: true}',
    )
    expect(calls.map(({metadata}) => metadata.id)).toEqual(['id-1', 'id-1', 'x'])
  })

  test('a body of a given size, and names that a language has for itself', async () => {
    const [padded, named] = await sentBy(
      '  - {send: atm, padTo: 60000}\n  - {send: atm, set: {__proto__.isApproved: true, constructor: 1}}',
    )
    expect(Buffer.byteLength(JSON.stringify(padded))).toBe(60_000)
    expect(JSON.stringify(named)).toContain('"__proto__":{"isApproved":true}')
    expect({}).not.toHaveProperty('isApproved')
  })
})

describe('what is expected', () => {
  test.each([
    ['fuel', 'partial'],
    ['fuel', 'partial 80 EUR'],
    ['fuel', 'partial 10'],
    ['atm', 'approved'],
    ['atm', 'decided'],
    ['fuel', '{decision: [approved, partial], amount: {min: 50, max: 120, currency: EUR}}'],
    ['fuel', '{decision: {not: declined}, code: ["00", "10"], status: 200, within: 2s}'],
    ['atm', '{amount: 100 EUR}'],
    ['hotel', '{amount: 2400 NOK}'],
    ['atm', '{code: APPROVED}'],
    ['atm', '{status: "2??"}'],
    ['fuel', '{query: transactionData.partialApprovalAmount.amount == `80`}'],
    ['fuel', '{query: {transactionData.partialApprovalAmount: {amount: 80, currency: EUR}}}'],
    ['fuel', '{schema: {required: [transactionData]}}'],
  ])('%s: %s', async (scenario, expected) => {
    const {url} = await faultyEndpoint()
    expect((await run(`steps: [{send: ${scenario}, expect: ${expected}}]`, url)).faults).toEqual([])
  })

  test.each([
    ['fuel', 'approved', 'approved, partial 80 EUR'],
    ['fuel', 'partial 50 EUR', '50 EUR approved, 80 EUR approved'],
    ['fuel', '{amount: {over: 80, currency: EUR}}', 'over 80 EUR approved, 80 EUR approved'],
    ['atm', '{amount: 100 USD}', '100 USD approved, 100 EUR approved'],
    ['atm', 'declined 51', 'code 51, code 00'],
    ['atm', '{code: {not: "00"}}', 'code not 00, code 00'],
    ['atm', '{status: 201}', 'status 201, status 200'],
    ['atm', 'late', 'late, approved'],
    ['atm', '{query: "transactionData.x"}', 'transactionData.x, null'],
    ['atm', '{schema: {required: [other]}}', 'an answer that matches the schema, other is missing'],
  ])('%s is not %s', async (scenario, expected, found) => {
    const {url} = await faultyEndpoint()
    const {faults} = await run(`steps: [{name: s, send: ${scenario}, expect: ${expected}}]`, url)
    expect(faults).toContain(`s: ${found}`)
  })

  test('an answer that takes longer, and one that is late', async () => {
    const {url} = await faultyEndpoint({decide: () => ({delayMs: 60})})
    const text = 'within: 10ms\nsteps: [{name: a, send: atm}]'
    expect((await run(text, url)).faults).toEqual([expect.stringMatching(/^a: within 10 ms, [\d.]+ ms$/)])
    const late = await run('steps: [{name: a, send: atm, expect: {within: 1s}}]', url, {deadlineMs: 20})
    expect(late.faults).toEqual(['a: decided, late', 'a: within 1000 ms, late'])
  })

  test('of several calls the ones that fail are counted', async () => {
    const {url} = await faultyEndpoint({decide: (_, seen) => (seen > 3 ? {code: '51'} : undefined)})
    const {steps} = await run('steps: [{send: atm, times: 5, expect: approved}]', url)
    expect(steps[0]?.checks).toMatchObject([{passed: false, got: 'declined 51', failed: 2}])
    expect(steps[0]?.calls.map(({failed}) => failed === true)).toEqual([false, false, false, true, true])
  })
})

describe('the run', () => {
  const three = 'steps: [{name: a, send: atm, expect: declined}, {name: b, send: atm}, {name: c, send: atm}]'

  test('goes on after a step that fails, unless it is told to stop', async () => {
    const {url, calls} = await faultyEndpoint()
    const states = (ran: Ran) => ran.steps.map(({state}) => state)
    expect(states(await run(three, url))).toEqual(['failed', 'passed', 'passed'])
    expect(states(await run(three, url, {bail: true}))).toEqual(['failed', 'skipped', 'skipped'])
    expect(calls.length).toBe(4)
  })

  test('ends if nobody answers the first call', async () => {
    const {steps, summary} = await run(three, 'http://127.0.0.1:1')
    expect(steps.map(({state}) => state)).toEqual(['failed', 'skipped', 'skipped'])
    expect(summary?.stopped).toMatchObject({
      why: 'unreachable',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('a step that the endpoint does not survive fails, whatever it expects, and ends the run', async () => {
    const server = createServer((request, response) => {
      request.on('data', body => {
        if (String(body).includes('"end"')) return void server.close().closeAllConnections()
        response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const text =
      'steps: [{name: a, send: atm}, {name: b, raw: "\\"end\\"", expect: {decision: {not: approved}}}, {name: c, send: atm}]'
    const {steps, summary, faults} = await run(text, url)
    expect(steps.map(({state}) => state)).toEqual(['passed', 'failed', 'skipped'])
    expect(faults).toEqual([
      expect.stringMatching(/^b: an endpoint that can still be reached, .*ECONNREFUSED/),
    ])
    expect(summary?.stopped).toEqual({why: 'gone', reason: 'the endpoint is gone since: b'})
  })

  test('a step whose values never came fails alone', async () => {
    const {url} = await faultyEndpoint()
    const {steps, faults} = await run(
      'steps: [{name: a, send: atm}, {send: atm, set: {x: "${a.part.amount}"}}, {send: atm}]',
      url,
    )
    expect(steps.map(({state}) => state)).toEqual(['passed', 'failed', 'passed'])
    expect(faults).toEqual(['atm: a step that can be run, ${a.part.amount} has no value'])
  })

  test('ends at the signal, and skips the rest', async () => {
    const stop = new AbortController()
    const {url} = await faultyEndpoint({
      decide: (_, seen) => {
        if (seen === 2) stop.abort('SIGINT')
        return undefined
      },
    })
    const {steps, summary} = await run(three, url, {signal: stop.signal})
    expect(steps.map(({state}) => state)).toEqual(['failed', 'skipped', 'skipped'])
    expect(summary?.stopped?.why).toBe('interrupted')
  })

  test('card numbers in what was sent, answered and expected are masked', async () => {
    const {url} = await faultyEndpoint({decide: () => ({body: '{"note":"4111111111111111","cvv2":"123"}'})})
    const text =
      'steps: [{send: atm, set: {merchantData.name: "card 4111111111111111"}, expect: {query: "note == \'4111111111111111x\'"}}, {raw: "4111111111111111"}]'
    const {steps, summary} = await run(text, url)
    const shown = JSON.stringify([steps, summary])
    expect(shown).not.toContain('4111111111111111')
    expect(shown).toContain('411111••••••1111')
  })
})

describe('card: new', () => {
  const text = `card: new
available: 100 EUR
steps:
  - {name: a, send: chip, amount: 40 EUR}
  - {name: b, send: chip, amount: 30 EUR, card: new}
  - {increment: b, amount: 5 EUR}
  - {reverse: a}
  - {send: chip, amount: 1 EUR}`

  test('gives a suite or a step a card with an account of its own, and the steps that follow it', async () => {
    const {url, calls} = await faultyEndpoint()
    const {faults} = await run(text, url)
    expect(faults).toEqual([])
    const seen = calls.map(({card, account, customer}) => ({
      card: Object(card).cardId,
      accountId: Object(account).accountId,
      customerId: Object(customer).customerId,
      available: Object(account).availableAmount.amount,
    }))
    const [ofSuite, ofStep] = [seen[0]?.card, seen[1]?.card]
    expect(ofSuite).toMatch(/^\d{9}$/)
    expect(ofStep).not.toBe(ofSuite)
    expect(seen).toEqual(
      [
        [ofSuite, 100],
        [ofStep, 100],
        [ofStep, 70],
        [ofSuite, 60],
        [ofSuite, 100],
      ].map(([id, available]) => ({card: id, accountId: id, customerId: id, available})),
    )
  })

  test('each gives every step a card, unless it follows another', async () => {
    const {url, calls} = await faultyEndpoint()
    await run(text.replaceAll(', card: new', '').replace('card: new', 'card: each'), url)
    const cards = calls.map(({card}) => Object(card).cardId)
    expect(new Set(cards).size).toBe(3)
    expect([cards[2], cards[3]]).toEqual([cards[1], cards[0]])
    expect(calls.map(({account}) => Object(account).availableAmount.amount)).toEqual([100, 100, 70, 60, 100])
  })

  test('without it all calls are of card 3001', async () => {
    const {url, calls} = await faultyEndpoint()
    await run(text.replaceAll(', card: new', '').replace('card: new\n', ''), url)
    expect(new Set(calls.map(({card}) => Object(card).cardId))).toEqual(new Set(['3001']))
  })
})

describe('a step that was only ever declined for lack of funds', () => {
  const text = `steps:
  - {name: coffee, send: contactless}
  - {name: again, repeat: coffee}
  - {name: reversed, reverse: coffee, expect: approved}
  - {name: wanted, send: chip, expect: declined 51}
  - {name: wanted again, repeat: wanted}
  - {name: whatever, send: chip, expect: [{decision: [approved, declined]}]}
  - {name: never, send: chip, expect: approved}`
  const states = async (code: string) => {
    const {url} = await faultyEndpoint({
      decide: ({transactionData}) => (Object(transactionData).transactionType === 'REVERSAL' ? {} : {code}),
    })
    const {steps, summary} = await run(text, url)
    return {states: Object.fromEntries(steps.map(({name, state}) => [name, state])), steps, summary}
  }

  test('is not checked, with what follows it, unless that is what it expects', async () => {
    const {states: found, steps, summary} = await states('51')
    expect(found).toEqual({
      coffee: 'not checked',
      again: 'not checked',
      reversed: 'not checked',
      wanted: 'passed',
      'wanted again': 'passed',
      whatever: 'not checked',
      never: 'failed',
    })
    expect(steps.map(({reason}) => reason)).toEqual([
      'it was only ever declined for lack of funds',
      'coffee was declined with 51',
      'coffee was declined with 51',
      undefined,
      undefined,
      'it was only ever declined for lack of funds',
      undefined,
    ])
    expect(summary).toMatchObject({passed: 2, failed: 1, notChecked: 4, skipped: 0})
  })

  test('differs from one that was declined for another reason: only what needs its hold is not checked', async () => {
    const {states: found} = await states('57')
    expect(found).toMatchObject({
      coffee: 'passed',
      again: 'passed',
      reversed: 'not checked',
      whatever: 'passed',
    })
  })
})
