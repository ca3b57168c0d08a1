// Calls and answers of the webhook in the words of a service, in both directions.
import {fileURLToPath} from 'node:url'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {allResponseCodes} from '../../src/contract/response-codes.ts'
import {findScenario, scenarios} from '../../src/contract/scenarios.ts'
import {readDialect} from '../../src/dialect/index.ts'
import {loadWebhook, type WebhookDialect} from '../../src/dialect/webhook.ts'
import {exponentOf} from '../../src/money/exponents.ts'
import {scenarioCall, someCard} from '../../src/webhook/index.ts'

const webhookOf = async (name: string): Promise<WebhookDialect> => {
  const file = fileURLToPath(new URL(`../../examples/dialects/${name}.yaml`, import.meta.url))
  const webhook = await loadWebhook(file)
  if (!webhook) throw new Error('It has no webhook.')
  return webhook
}
const harbour = await webhookOf('harbour')
const program = await webhookOf('card-program')

const callOf = (name: string) => {
  const scenario = findScenario(name)
  if (!scenario) throw new Error(name)
  let ids = 0
  const made = {now: () => 0, newId: () => `id-${++ids}`, random: () => 0.5}
  return JSON.parse(JSON.stringify(scenarioCall({scenario, card: someCard, ...made})))
}
const wire = (value: unknown) => JSON.parse(JSON.stringify(value))

const word = fc.string({minLength: 1})
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, {nil: undefined})
const money = fc
  .tuple(fc.constantFrom('EUR', 'JPY', 'KWD'), fc.nat({max: 10 ** 12}))
  .map(([currency, minor]) => ({
    amount: Number((minor / 10 ** exponentOf(currency)).toFixed(exponentOf(currency))),
    currency,
  }))
const optional = <T extends object>(shape: {[K in keyof T]: fc.Arbitrary<T[K]>}) =>
  fc.record(shape, {requiredKeys: []})
const anyOurs = fc
  .record({
    metadata: fc.record({
      id: word,
      traceId: maybe(word),
      transactionId: maybe(word),
      linkId: maybe(fc.oneof(word, fc.constant(null))),
      messageCategory: fc.constantFrom(
        'INITIAL_AUTHORIZATION',
        'INCREMENTAL_AUTHORIZATION',
        'PIN_MANAGEMENT',
      ),
    }),
    customer: fc.record({customerId: word}),
    account: fc.record({accountId: word, availableAmount: maybe(money)}),
    card: fc.record({
      cardId: word,
      expiration: maybe(
        fc.record({year: fc.integer({min: 2000, max: 2099}), month: fc.integer({min: 1, max: 12})}),
      ),
    }),
    transactionData: fc
      .tuple(
        fc.record({transactionType: fc.constantFrom('RETAIL', 'ATM', 'REVERSAL', 'P2P_DEBIT', 'AFT')}),
        optional({
          transactionAmount: money,
          settlementAmount: fc.oneof(money, fc.constant(null)),
          billingAmount: money,
          replacementAmount: money,
          cashbackAmount: money,
          transactionFees: fc.array(fc.record({feeType: word, feeAmount: money})),
          cardEntryMode: word,
          cardPresent: fc.boolean(),
          cardholderVerifications: fc.array(word),
          authValidityInDays: fc.nat(),
          partialApprovalCapable: fc.boolean(),
        }),
      )
      .map(([one, other]) => ({...one, ...other})),
    merchantData: fc.record({name: word, category: fc.record({code: fc.stringMatching(/^[0-9]{4}$/)})}),
  })
  .map(wire)

describe('calls', () => {
  test('any call of ours comes back the same from harbour', () => {
    fc.assert(
      fc.property(anyOurs, ours => {
        const theirs = wire(harbour.writeCall(ours))
        expect(harbour.readCall(theirs)).toMatchObject({ours, unreadable: []})
      }),
    )
  })

  test.for(Object.keys(scenarios))('%s comes back the same from harbour, without a difference', name => {
    const ours = callOf(name)
    const theirs = wire(harbour.writeCall(ours))
    // The made-up card has ids of ours.
    const given = {...theirs, card_id: 'crd_1', account_id: 'acc_1', customer_id: 'cus_1'}
    expect(harbour.readCall(given)).toEqual({
      ours: {
        ...ours,
        card: {...ours.card, cardId: 'crd_1'},
        account: {...ours.account, accountId: 'acc_1'},
        customer: {customerId: 'cus_1'},
      },
      unreadable: [],
      differs: [],
    })
  })

  test('amounts are in minor units there, of each currency', () => {
    const asked = (amount: number, currency: string) => {
      const call = callOf('chip')
      call.transactionData.transactionAmount = {amount, currency}
      return (harbour.writeCall(call) as {asked: unknown}).asked
    }
    expect(asked(12.34, 'EUR')).toEqual({minor: 1234, currency: 'EUR'})
    expect(asked(1500, 'JPY')).toEqual({minor: 1500, currency: 'JPY'})
    expect(asked(1.255, 'KWD')).toEqual({minor: 1255, currency: 'KWD'})
    expect(() => asked(1.255, 'EUR')).toThrow('more than 2 decimals')
  })

  test('what has no place there is named, and nothing is left out unseen', () => {
    fc.assert(
      fc.property(anyOurs, fc.stringMatching(/^[a-z]{3,9}$/), fc.integer(), (ours, name, value) => {
        const more = {...ours, transactionData: {...ours.transactionData, [`x_${name}`]: value}}
        expect(() => harbour.writeCall(more)).toThrow(`transactionData.x_${name} has no place there`)
      }),
    )
  })

  test.for([
    [{asked: {minor: 12.5, currency: 'EUR'}}, 'asked.minor is no whole number of minor units'],
    [{asked: {minor: 2 ** 53, currency: 'EUR'}}, 'asked.minor is too large to be read exactly'],
    [{asked: {minor: 5, currency: 'EURO'}}, 'asked.minor is an amount, and its currency is not known'],
    [{asked: {minor: 5}}, 'asked.minor is an amount, and its currency is not known'],
    [{card_expires: 'soon'}, 'card_expires is no year and month'],
    [{call_id: null}, 'call_id is missing, which is metadata.id'],
    [{card_id: ''}, 'card_id is missing, which is card.cardId'],
    [{kind: null}, 'kind is missing, which is transactionData.transactionType'],
  ] as const)('%j can not be decided', ([change, message]) => {
    const theirs = {...(wire(harbour.writeCall(callOf('chip'))) as object), ...change}
    expect(harbour.readCall(theirs).unreadable.map(one => one.message)).toContain(message)
  })

  test.for([
    [{kind: 'barter'}, 'kind is a value that the dialect does not know'],
    [{event: 'authorisation.cleared'}, 'event is not what the dialect says'],
    [{card_id: '4711'}, 'card.cardId does not have the form of such an id'],
  ] as const)('%j is taken as it came, and named', ([change, message]) => {
    const theirs = {...(wire(harbour.writeCall(callOf('chip'))) as object), ...change}
    const {unreadable, differs} = harbour.readCall(theirs)
    expect(unreadable).toEqual([])
    expect(differs.map(one => one.message)).toContain(message)
  })

  test('a gateway of just-in-time funding', () => {
    expect(program.writeCall(callOf('chip'))).toEqual({
      type: 'authorization',
      token: expect.any(String),
      preceding_related_transaction_token: expect.any(String),
      user_token: '2001',
      acting_user_token: '2001',
      card_token: '3001',
      amount: 7.8,
      currency_code: 'EUR',
      state: 'PENDING',
      card_acceptor: {
        name: expect.any(String),
        city: expect.any(String),
        country_code: expect.any(String),
        mcc: '5814',
      },
      gpa_order: {
        jit_funding: {
          token: expect.any(String),
          method: 'pgfs.authorization',
          user_token: '2001',
          amount: 7.8,
        },
      },
    })
  })

  test.for(['hotel-increment', 'balance-inquiry', 'partial-reversal', 'cashback'])(
    'the gateway has no %s: it is not sent as something else',
    name => {
      const known = Object.keys(scenarios)
      expect(known).toContain(name)
      expect(() => program.writeCall(callOf(name))).toThrow(/no place|can't be|no value/)
    },
  )
})

const ours = (code: string, more: object = {}) => ({transactionData: {authResponseCode: {code}, ...more}})
const part = {partialApprovalAmount: {amount: 80.01, currency: 'EUR'}}
const balance = {availableAmount: {amount: 1250, currency: 'JPY'}}

describe('answers', () => {
  const call = wire(harbour.writeCall(callOf('chip')))

  test('those that the dialect names come back the same', () => {
    for (const answer of [ours('00'), ours('00', balance), ours('10', part), ours('51'), ours('05')]) {
      const theirs = harbour.writeAnswer(answer, call)
      expect(theirs.status).toBe(200)
      expect(harbour.readAnswer(wire(theirs), call)).toEqual({ours: answer})
    }
  })

  test.for(['harbour', 'card-program'])(
    '%s: every code says the same on both sides, by number or name',
    async name => {
      const webhook = await webhookOf(name)
      const given = {...call, ...(wire(program.writeCall(callOf('chip'))) as object)}
      for (const code of [...allResponseCodes, 'APPROVED', 'NOT_SUFFICIENT_FUNDS']) {
        if (code === '10') continue
        const read = webhook.readAnswer(wire(webhook.writeAnswer(ours(code), given)), given)
        const back = (read as {ours: ReturnType<typeof ours>}).ours.transactionData.authResponseCode.code
        expect(back === '00', code).toBe(code === '00' || code === 'APPROVED')
      }
    },
  )

  test('approved with 200 and declined with 402', () => {
    const given = wire(program.writeCall(callOf('chip')))
    const {token} = given.gpa_order.jit_funding
    const funding = {token, method: 'pgfs.authorization', user_token: '2001', amount: 7.8}
    expect(program.writeAnswer(ours('00'), given)).toEqual({status: 200, body: {jit_funding: funding}})
    expect(program.writeAnswer(ours('51'), given)).toEqual({
      status: 402,
      body: {jit_funding: {...funding, decline_reason: 'INSUFFICIENT_FUNDS'}},
    })
    expect(program.writeAnswer(ours('14'), given)).toEqual({status: 402, body: {jit_funding: funding}})
    expect(() => program.writeAnswer(ours('10', part), given)).toThrow('10 has no value there')
  })

  const given = wire(program.writeCall(callOf('chip')))
  const right = wire(program.writeAnswer(ours('00'), given).body) as {jit_funding: object}
  const bent = (status: number, change: object) => ({
    status,
    body: {jit_funding: {...right.jit_funding, ...change}},
  })
  test.for([
    [
      bent(200, {decline_reason: 'INSUFFICIENT_FUNDS'}),
      'jit_funding.decline_reason does not go with status 200',
    ],
    [
      bent(402, {decline_reason: 'NO_MOOD'}),
      'jit_funding.decline_reason is a value that the dialect does not know',
    ],
    [bent(200, {amount: 5}), 'jit_funding.amount is not gpa_order.jit_funding.amount of the call'],
    [bent(200, {token: undefined}), 'jit_funding.token is not gpa_order.jit_funding.token of the call'],
    [{status: 200, body: {}}, 'jit_funding.token is not gpa_order.jit_funding.token of the call'],
    [{status: 200, body: 'ok'}, 'the answer is not a JSON object'],
  ] as const)('%j is a fault', ([answer, fault]) => {
    expect(program.readAnswer(answer, given)).toMatchObject({fault})
  })

  test.for([201, 204, 302, 400, 404, 500, 503])('status %i is no decision', status => {
    expect(program.readAnswer({status, body: right}, given)).toBe('no decision')
  })

  test('nothing but what the dialect names is read as an approval', () => {
    const status = fc.constantFrom(200, 201, 202, 400, 402, 500)
    const decision = fc.oneof(
      fc.constantFrom('approve', 'APPROVED', 'Approved', '00', 'ok', true, 0, null),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(status, decision, fc.jsonValue(), (status, decision, approved) => {
        const read = harbour.readAnswer({status, body: {call_id: call.call_id, decision, approved}}, call)
        const isDecline =
          typeof read === 'object' && 'ours' in read && /"code":"(?!00|10)/.test(JSON.stringify(read))
        const isApproval = decision === 'approved' || decision === 'approved_in_part'
        expect(isDecline || isApproval || read === 'no decision' || 'fault' in read).toBe(true)
        if (isApproval && status !== 200) expect(read).toBe('no decision')
      }),
    )
  })
})

describe('a dialect', () => {
  const problems = async (
    answer: string,
    call = '{/metadata/id: /id, /account/accountId: /a, /card/cardId: /c, /transactionData/transactionType: /t}',
  ) => {
    const read = await readDialect(
      `dialect: 1\nname: own\noperations: {cards.*: {cannot: x}}\nwebhook:\n  auth:\n    request: POST /x\n    call: {members: ${call}}\n    answer: ${answer}\n`,
    )
    return read.problems.map(({line, message}) => `${line}: ${message}`)
  }
  const code = '/transactionData/authResponseCode/code'
  test.for([
    ['{members: {}}', '8: nothing says how an approval is written: 00'],
    [
      `{members: {${code}: {at: /d, values: {'00': yes}}}}`,
      '8: nothing says how a decline is written, for example with decline',
    ],
    [`{members: {${code}: {at: /d, values: {'00': 'y', '51': 'y'}}}}`, '8: nothing tells 51 from 00'],
    [
      `{members: {${code}: {at: /d, values: {'00': 'y', '10': 'y', '51': 'n'}}}}`,
      '8: nothing tells 10 from 00',
    ],
    ["{members: {}, statuses: {'00': 200, else: 200}, decline: '05'}", '8: nothing tells 00 from 05'],
    [
      "{members: {}, statuses: {'00': 402, else: 200}, decline: '05'}",
      '8: an approval has a status from 200 to 299',
    ],
    [
      "{members: {}, statuses: {'00': 200, else: 402}, decline: '00'}",
      '8: this is not a response code that declines',
    ],
    [
      `{members: {${code}: {at: /d, values: {'00': 'y', '99': 'n'}}}}`,
      '8: 99 is not a response code of two digits',
    ],
    [`{members: {/code: /c, ${code}: /d}}`, '8: /code is no field of its answer'],
  ] as const)('%s', async ([answer, problem]) => {
    expect(await problems(answer)).toContain(problem)
  })

  test('that leaves out what a call needs', async () => {
    expect(await problems(`{members: {${code}: /d}}`, '{/metadata/id: /id}')).toEqual(
      ['account.accountId', 'card.cardId', 'transactionData.transactionType'].map(
        name => `7: a call needs ${name}, and nothing is given for it`,
      ),
    )
    expect(await problems(`{members: {${code}: /d}}`)).toEqual([])
  })
})
