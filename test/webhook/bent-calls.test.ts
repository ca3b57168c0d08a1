// Calls as services send them that have some details in another way than the contract says. To add a case, add a line.
import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseAnswer} from '../../src/contract/auth-answer.ts'
import {scenarios} from '../../src/contract/scenarios.ts'
import {checkWebhookReply} from '../../src/contract/validate.ts'
import {
  type AuthEvent,
  approveAll,
  type Decider,
  declineAll,
  type Exchange,
  firstOf,
  forwardTo,
} from '../../src/webhook/index.ts'
import {decideBy} from '../../src/webhook/rules/follow-rules.ts'
import {previewBy} from '../../src/webhook/rules/index.ts'
import {callOf, requestFor} from './calls.ts'
import {endpoint, listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'
import {rulesOf} from './rules/calls.ts'

type Json = Record<string, unknown>
type Bend = (call: Json) => void

/** A purchase of EUR 500 at a café in Finland. */
const purchase = (id = 'a'): Json =>
  callOf('chip', id, {transactionAmount: {amount: 500, currency: 'EUR'}}) as unknown as Json

function placeOf(call: Json, path: string): [Json, string] {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  return [steps.reduce((place, step) => place[step] as Json, call), last]
}

const set =
  (path: string, value: unknown): Bend =>
  call => {
    const [place, name] = placeOf(call, path)
    place[name] = value
  }

const without =
  (path: string): Bend =>
  call => {
    const [place, name] = placeOf(call, path)
    delete place[name]
  }

const amounts = (transactionAmount: unknown): Bend =>
  set('transactionData.transactionAmount', transactionAmount)
const euros = (amount: unknown): Bend => amounts({amount, currency: 'EUR'})

/** What rules make of the purchase as the contract has it: the code that goes out, 00 by whoever comes after the rules. */
const rules = {
  limit: ['{when: {amount: {over: 200, currency: EUR}}, then: {decline: "61"}}', '61'],
  exact: ['{when: {amount: [10 EUR, 500.00 EUR]}, then: {decline: "51"}}', '51'],
  number: ['{when: {transactionData.transactionAmount.amount: {over: 200}}, then: {decline: "61"}}', '61'],
  small: ['{when: {amount: {under: 1000, currency: EUR}}, then: approve}, {then: {decline: "57"}}', '00'],
  part: ['{then: {partial: 50 EUR}}', '51'],
  cash: ['{when: {mcc: 6011}, then: {decline: "57"}}', '00'],
  vet: ['{when: {mcc: "0742"}, then: {decline: "57"}}', '00'],
  home: ['{when: {country: FIN}, then: approve}, {then: {decline: "62"}}', '00'],
  abroad: ['{when: {country: [USA, RUS]}, then: {decline: "62"}}', '00'],
  credit: ['{when: {kind: credit}, then: {decline: "57"}}', '00'],
  often: ['{when: {velocity: {over: 0, within: 1h}}, then: {decline: "65"}}', '65'],
  sum: ['{when: {velocity: {over: 400 EUR, within: 1h}}, then: {decline: "61"}}', '61'],
  wallet: ['{when: {token.walletIdentifier: PAY}, then: {decline: "57"}}', '00'],
  balance: ['{when: {account.availableAmount: {under: 5, currency: EUR}}, then: {decline: "51"}}', '00'],
} as const

type Codes = Partial<Record<keyof typeof rules, string>>

const AMOUNT = '/transactionData/transactionAmount'
/** No rule can tell what it is about. */
const noAmount: Codes = {limit: '05', exact: '05', number: '05', small: '57', part: '51', sum: '05'}

/** What differs, how, where the contract says something else, and the codes that are not those of the purchase. */
const cases: readonly (readonly [string, Bend, readonly string[], Codes])[] = [
  ['a numeric account', set('account.accountId', 2001), ['/account/accountId'], {}],
  ['a numeric card', set('card.cardId', 3001), ['/card/cardId'], {}],
  ['a UUID card', set('card.cardId', '3f2a9c1e-7d54-4f5e-9a44-2c1d9a7b3f10'), ['/card/cardId'], {}],
  ['no card', without('card'), ['/card'], {often: '05', sum: '05'}],
  [
    'a card of which digits are lost',
    set('card.cardId', 2 ** 60),
    ['/card/cardId'],
    {often: '05', sum: '05'},
  ],
  ['a card that is a text', set('card', '3001'), ['/card'], {often: '05', sum: '05'}],
  ['no customer', without('customer'), ['/customer'], {}],
  ['no account', without('account'), ['/account'], {balance: '05'}],
  ['no balance', set('account.availableAmount', null), ['/account/availableAmount'], {balance: '05'}],
  [
    'a balance as text',
    set('account.availableAmount', {amount: '4.99', currency: 'EUR'}),
    ['/account/availableAmount/amount'],
    {balance: '51'},
  ],
  ['a numeric id', set('metadata.id', 42), ['/metadata/id'], {}],
  ['no id', without('metadata.id'), ['/metadata/id'], {}],
  ['no metadata', without('metadata'), ['/metadata'], {}],
  ['metadata of a list', set('metadata', []), ['/metadata'], {}],
  ['an amount as text', euros('500.00'), [`${AMOUNT}/amount`], {}],
  ['an amount as text without decimals', euros('500'), [`${AMOUNT}/amount`], {}],
  [
    'a small amount as text',
    euros('20.00'),
    [`${AMOUNT}/amount`],
    {limit: '00', exact: '00', number: '00', part: '00', sum: '00'},
  ],
  ['an amount with a comma', euros('500,00'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with groups', euros('1,500.00'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with its currency', euros('EUR 500'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with an exponent, as text', euros('5e2'), [`${AMOUNT}/amount`], noAmount],
  ['an amount with more decimals', euros('200.0001'), [`${AMOUNT}/amount`], {exact: '00', sum: '00'}],
  [
    'an amount of many digits',
    euros('98765432109876543210.12'),
    [`${AMOUNT}/amount`],
    {exact: '00', number: '05', small: '57'},
  ],
  ['an amount below zero', euros(-500), [], {...noAmount, number: '00'}],
  ['an amount that is none', euros(null), [`${AMOUNT}/amount`], noAmount],
  [
    'an amount without a currency',
    amounts({amount: 500}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  [
    'a currency in small letters',
    amounts({amount: 500, currency: 'eur'}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  [
    'a numeric currency',
    amounts({amount: 500, currency: '978'}),
    [`${AMOUNT}/currency`],
    {...noAmount, number: '61'},
  ],
  ['an amount as a plain number', amounts(500), [AMOUNT], noAmount],
  ['no amount', amounts(null), [], noAmount],
  [
    'a billed amount beside one that cannot be read',
    call => {
      amounts('500 EUR')(call)
      set('transactionData.billingAmount', {amount: 11, currency: 'EUR'})(call)
    },
    [AMOUNT],
    noAmount,
  ],
  [
    'no type',
    without('transactionData.transactionType'),
    ['/transactionData/transactionType'],
    {credit: '05'},
  ],
  [
    'a numeric type',
    set('transactionData.transactionType', 0),
    ['/transactionData/transactionType'],
    {credit: '05'},
  ],
  ['a type that nobody knows', set('transactionData.transactionType', 'TELEPATHY'), [], {}],
  ['no transaction', set('transactionData', null), ['/transactionData'], {...noAmount, credit: '05'}],
  [
    'no merchant',
    set('merchantData', null),
    ['/merchantData'],
    {cash: '05', vet: '05', home: '62', abroad: '05'},
  ],
  ['a numeric MCC', set('merchantData.category.code', 6011), ['/merchantData/category/code'], {cash: '57'}],
  [
    'a numeric MCC without its zeros',
    set('merchantData.category.code', 742),
    ['/merchantData/category/code'],
    {vet: '57'},
  ],
  ['an MCC in words', set('merchantData.category.code', 'ATM'), [], {cash: '05', vet: '05'}],
  [
    'a category as text',
    set('merchantData.category', '6011'),
    ['/merchantData/category'],
    {cash: '05', vet: '05'},
  ],
  ['a country of two letters', set('merchantData.country', 'FI'), [], {home: '62', abroad: '05'}],
  [
    'a numeric country',
    set('merchantData.country', 246),
    ['/merchantData/country'],
    {home: '62', abroad: '05'},
  ],
  ['a token that is a text', set('token', 'PAY'), ['/token'], {wallet: '05'}],
  ['no token', set('token', null), [], {}],
  [
    'a date as a number',
    set('transactionData.transactionDateTime', 1781524800000),
    ['/transactionData/transactionDateTime'],
    {},
  ],
  ['a date with an offset', set('transactionData.transactionDateTime', '2026-06-15 12:00:00+02'), [], {}],
  ['an expiry as text', set('card.expiration', '12/29'), ['/card/expiration'], {}],
  ['yes and no as text', set('transactionData.cardPresent', 'Y'), ['/transactionData/cardPresent'], {}],
  [
    'nothing at all',
    call => {
      for (const name of Object.keys(call)) delete call[name]
    },
    ['/metadata', '/card'],
    {
      ...noAmount,
      cash: '05',
      vet: '05',
      home: '62',
      abroad: '05',
      credit: '05',
      often: '05',
      balance: '05',
    },
  ],
]

const bent = (bend: Bend): Json => {
  const call = purchase()
  bend(call)
  return call
}

/** The code that goes out, and why where that was in doubt. */
async function codeBy(decider: Decider, call: Json): Promise<{code: string; because: string | undefined}> {
  const decision = await firstOf([decider, approveAll]).decide(requestFor(call as never))
  if (decision?.answer.kind !== 'reply') throw new Error('That is no answer.')
  const {code} = decision.answer.reply.transactionData.authResponseCode
  return {code, because: decision.because}
}

const surroundings = {random: () => 0, sleep: async () => undefined}

test.each(cases)('%s: what rules decide', async (_, bend, _pointers, codes) => {
  const call = bent(bend)
  const found: Record<string, string> = {}
  const wanted: Record<string, string> = {}
  for (const [name, [text, usual]] of Object.entries(rules)) {
    const read = await rulesOf(`rules: [${text}]`)
    const {code, because} = await codeBy(decideBy(read, surroundings), call)
    found[name] = code
    wanted[name] = codes[name as keyof Codes] ?? usual
    if (code === '05')
      expect(because).toMatch(
        /^rule 1 cannot be evaluated because .+ is absent or unreadable$|^rule 1 cannot be evaluated because \S+ is (absent|unreadable)$/,
      )
    const [preview] = [previewBy(read)(call, 0)]
    if (code === '05')
      expect(preview).toMatchObject({decision: 'decline 05', because: expect.stringContaining('fallback')})
  }
  expect(found).toEqual(wanted)
})

test.each(cases)('%s: taken, told, passed on as it came, and recorded', async (_, bend, pointers) => {
  const text = ` ${JSON.stringify(bent(bend))}\n`
  const seen: string[] = []
  const address = await endpoint(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push(body)
    response.end('{"transactionData":{"authResponseCode":{"code":"05"}}}')
  })
  const room = recordingRoom()
  const {post, events, exchanges, close} = await listener({
    decider: forwardTo(new URL(address)),
    recorder: room.recorder(),
  })
  expect(await post('/auth', text)).toMatchObject({
    status: 200,
    body: {transactionData: {authResponseCode: {code: '05'}}},
  })
  expect(seen).toEqual([text])
  const [event] = events as readonly AuthEvent[]
  expect(event).toMatchObject({type: 'auth', outcome: 'declined', by: 'forward', repeated: false})
  const told = (event?.differs ?? []).map(({pointer}) => pointer)
  expect(told).toEqual(expect.arrayContaining([...pointers]))
  if (pointers.length === 0) expect(told).toEqual([])
  await close()
  expect(room.recorded()).toEqual(JSON.parse(JSON.stringify(exchanges)))
  const strict = await listener({strict: true})
  expect((await strict.post('/auth', text)).status).toBe(pointers.length > 0 ? 400 : 200)
})

test.each([
  ['without a body', '', ['']],
  ['of blanks', ' \n', ['']],
  ['without members', '{}', ['/type', '/timestamp']],
  ['with a time as a number', '{"type":"WARM_UP","timestamp":1781524800}', ['/timestamp']],
])('a warm-up %s is taken and passed on as it came', async (_, text, pointers) => {
  const seen: string[] = []
  const address = await endpoint(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push(body)
    response.end()
  })
  const {post, events} = await listener({decider: forwardTo(new URL(address))})
  expect((await post('/warm-up', text)).status).toBe(200)
  expect(seen).toEqual([text])
  expect(events).toMatchObject([{type: 'warm-up', differs: pointers.map(pointer => ({pointer}))}])
  const strict = await listener({strict: true})
  expect((await strict.post('/warm-up', text)).status).toBe(400)
})

test('a byte order mark before the call is no reason to refuse it, and is passed on', async () => {
  const seen: Buffer[] = []
  const address = await endpoint(async (request, response) => {
    for await (const chunk of request) seen.push(chunk as Buffer)
    response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')
  })
  const {post} = await listener({decider: forwardTo(new URL(address))})
  const text = `\ufeff${JSON.stringify(purchase())}`
  expect((await post('/auth', text)).status).toBe(200)
  expect(Buffer.concat(seen)).toEqual(Buffer.from(text))
})

test.each(Object.keys(scenarios))('%s as the contract has it leaves no rule in doubt', async name => {
  const call = callOf(name, 'a') as unknown as Json
  for (const [text] of Object.values(rules)) {
    const {because} = await codeBy(decideBy(await rulesOf(`rules: [${text}]`), surroundings), call)
    expect(because, text).toBeUndefined()
  }
})

test.each(['pin-change', 'balance-inquiry'])('a %s without an amount is not in doubt', async name => {
  const call = callOf(name, 'a', {transactionAmount: null}) as unknown as Json
  for (const rule of ['limit', 'exact', 'sum'] as const) {
    const {code, because} = await codeBy(
      decideBy(await rulesOf(`rules: [${rules[rule][0]}]`), surroundings),
      call,
    )
    expect([code, because], rule).toEqual(['00', undefined])
  }
})

test('what differs is told by place and never by value', async () => {
  const {post, events} = await listener()
  const call = purchase()
  set('account.accountId', 'secret-account')(call)
  euros('secret-amount')(call)
  await post('/auth', call)
  expect(events).toMatchObject([
    {differs: [{pointer: '/account/accountId', message: expect.any(String)}, {pointer: `${AMOUNT}/amount`}]},
  ])
  expect(JSON.stringify((events[0] as AuthEvent).differs)).not.toContain('secret')
})

test('the fallback is what the file says, and never an approval', async () => {
  const rule = 'rules: [{when: {mcc: 6011}, then: {decline: "57"}}]'
  const call = bent(set('merchantData', null))
  const answerBy = async (fallback: string) =>
    (
      await decideBy(await rulesOf(`fallback: ${fallback}\n${rule}`), surroundings).decide(
        requestFor(call as never),
      )
    )?.answer
  expect(await answerBy('{decline: SYSTEM_ERROR}')).toMatchObject({
    reply: {transactionData: {authResponseCode: {code: 'SYSTEM_ERROR'}}},
  })
  expect(await answerBy('no answer')).toEqual({kind: 'none'})
  expect(await answerBy('{status: 503}')).toMatchObject({kind: 'raw', status: 503})
  const {readRules} = await import('../../src/webhook/rules/read-rules.ts')
  for (const fallback of [
    'approve',
    '{approve: true}',
    '{partial: 50%}',
    '{decline: "00"}',
    '{decline: "05", status: 503}',
  ]) {
    const {problems} = await readRules(`fallback: ${fallback}\n${rule}`)
    expect(problems, fallback).not.toEqual([])
  }
})

test('what only some calls have leaves no doubt, and stands in the contract', async () => {
  const {someHave} = await import('../../src/webhook/rules/fields.ts')
  const {requestSchema, memberAt} = await import('../../src/contract/schema.ts')
  const schema = (await requestSchema('webhook.auth')) ?? {}
  expect(someHave.filter(path => memberAt(schema, path.split('.')) === undefined)).toEqual([])
})

const recordings = (exchanges: readonly Exchange[]) => exchanges.map(({event}) => event as AuthEvent)

test('two equal calls without an id are two, here and by the recording', async () => {
  const room = recordingRoom()
  const coffee = bent(without('metadata'))
  let asked = 0
  const decider: Decider = {decide: request => declineAll(['51', '57', '62'][asked++] ?? '').decide(request)}
  const first = await listener({decider, recorder: room.recorder()})
  await first.post('/auth', coffee)
  await first.post('/auth', coffee)
  await first.close()
  const second = await listener({decider, recorder: room.recorder()})
  await second.post('/auth', coffee)
  await second.close()
  const told = recordings(room.recorded()).toReversed()
  expect(told.map(({code, repeated}) => [code, repeated])).toEqual([
    ['51', false],
    ['57', false],
    ['62', false],
  ])
  expect(new Set(told.map(({id}) => id)).size, 'one name for one body').toBe(1)
  expect(told[0]?.id).toMatch(/^body-[0-9a-f]{16}$/)
})

/** Bodies and ids, few enough to come again. */
const madeCall = fc.record({
  id: fc.constantFrom<unknown>(
    'a',
    'b',
    7,
    '7',
    '',
    ' ',
    null,
    undefined,
    {},
    2 ** 60,
    'body-0123456789abcdef',
  ),
  amount: fc.constantFrom<unknown>(1, '1', 2, null),
})

test('a call is a repeat exactly when its id can be read and its body came under it before', () =>
  fc.assert(
    fc.asyncProperty(fc.array(madeCall, {maxLength: 12}), async made => {
      const {post, events, close} = await listener({decider: declineAll('51')})
      const before: {id: string; text: string}[] = []
      for (const {id, amount} of made) {
        const call = purchase()
        set('metadata', id === undefined ? undefined : {id})(call)
        euros(amount)(call)
        const text = JSON.stringify(call)
        await post('/auth', text)
        const readable = id === 7 || (typeof id === 'string' && id.trim() !== '')
        const known = before.filter(one => readable && one.id === String(id))
        const isRepeat = known.some(one => one.text === text)
        expect(events.at(-1)).toMatchObject({type: 'auth', repeated: isRepeat})
        expect('reusedId' in (events.at(-1) ?? {}), text).toBe(!isRepeat && known.length > 0)
        if (readable) before.push({id: String(id), text})
      }
      await close()
    }),
    {numRuns: 40},
  ))

/** A call of the contract in which something is put at random, or any object at all. */
const anyValue = fc.jsonValue({maxDepth: 3})
const paths = [
  'metadata',
  'metadata.id',
  'metadata.messageCategory',
  'customer',
  'account',
  'account.availableAmount',
  'card',
  'card.cardId',
  'transactionData',
  'transactionData.transactionType',
  'transactionData.transactionAmount',
  'transactionData.transactionAmount.amount',
  'transactionData.transactionAmount.currency',
  'transactionData.partialApprovalCapable',
  'transactionData.transactionFees',
  'merchantData',
  'merchantData.name',
  'merchantData.category',
  'merchantData.category.code',
  'merchantData.country',
  'token',
]
const strangeValue = fc.oneof(
  anyValue,
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    '1e999',
    [],
    {},
    [[]],
    {toString: 1, valueOf: 2},
    {amount: {}},
    'REVERSAL',
    'BALANCE_INQUIRY',
    'EUR',
    '500.00',
  ),
)
const anyCall: fc.Arbitrary<Json> = fc
  .oneof(
    fc.dictionary(fc.string(), anyValue, {noNullPrototype: true}) as fc.Arbitrary<Json>,
    fc.array(fc.tuple(fc.constantFrom(...paths), strangeValue), {maxLength: 4}).map(changes =>
      bent(call => {
        for (const [path, value] of changes) {
          const steps = path.split('.')
          const owner = steps
            .slice(0, -1)
            .reduce<unknown>((place, step) => (place as Json | null)?.[step], call)
          if (typeof owner === 'object' && owner !== null && !Array.isArray(owner))
            (owner as Json)[steps.at(-1) ?? ''] = value
        }
      }),
    ),
  )
  .map(call => JSON.parse(JSON.stringify(call).replaceAll('"1e999"', '1e999')) as Json)

const everyDecline = Object.values(rules)
  .map(([text]) => text)
  .filter(text => !text.includes('approve') && !text.includes('partial'))

test('any object leads to a valid answer, and by rules that decline alone to no approval', async () => {
  const read = await rulesOf(`rules: [${everyDecline.join(', ')}, {then: {decline: "05"}}]`)
  const one = await Promise.all(everyDecline.map(text => rulesOf(`rules: [${text}]`)))
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      for (const decider of [approveAll, declineAll('51'), declineAll('05')]) {
        const decision = await decider.decide(requestFor(call as never))
        const reply = decision?.answer.kind === 'reply' ? JSON.stringify(decision.answer.reply) : ''
        expect(await checkWebhookReply('webhook.auth', parseAnswer(reply))).toEqual([])
      }
      const decision = await decideBy(read, surroundings).decide(requestFor(call as never))
      expect(decision?.answer).toMatchObject({
        reply: {transactionData: {authResponseCode: {code: expect.stringMatching(/^(?!00|10)\d\d$/)}}},
      })
      // Alone each of them declines, or leaves it to the next because the call says that it isn't meant.
      for (const rule of one) {
        const alone = await decideBy(rule, surroundings).decide(requestFor(call as never))
        if (alone)
          expect(alone.answer).toMatchObject({
            reply: {transactionData: {authResponseCode: {code: expect.stringMatching(/^(?!00|10)/)}}},
          })
      }
    }),
    {numRuns: 400},
  )
})

test('any object is taken by the whole listener, recorded, listed and shown', async () => {
  const room = recordingRoom()
  const decider = decideBy(
    await rulesOf(`rules: [${everyDecline.join(', ')}, {then: {decline: "05"}}]`),
    surroundings,
  )
  const {post, events, exchanges, close} = await listener({decider, recorder: room.recorder()})
  const {webhookEventListView, webhookEventView} = await import('../../src/output/views/webhook-events.ts')
  const {webhookServeView} = await import('../../src/output/views/webhook-serve.ts')
  const {toCall} = await import('../../src/webhook/page/client/call.ts')
  const context = {
    now: Date.UTC(2026, 5, 15),
    timeZone: 'UTC',
    width: 120,
    colour: 0,
    ascii: false,
  } as never
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      const {status, body} = await post('/auth', JSON.stringify(call))
      expect(status).toBe(200)
      expect(await checkWebhookReply('webhook.auth', body)).toEqual([])
      const [event, exchange] = [events.at(-1), exchanges.at(-1)]
      if (!event || !exchange) throw new Error('Nothing was told.')
      await webhookServeView(event, context)
      await webhookEventView(exchange, context)
      toCall(exchange)
    }),
    {numRuns: 150},
  )
  await webhookEventListView(events, context)
  await close()
  expect(room.recorded()).toHaveLength(exchanges.length)
})

const PAN = '4111111111111111'
const SECRET = 'hunter2-hunter2'

/** Objects and lists that hold a card number in text, and a secret under its name, somewhere. */
const hiding: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    fc.constantFrom<unknown>(
      `to ${PAN}`,
      `4111 1111 1111 1111`,
      {pan: PAN},
      {cvv: SECRET},
      {track2Data: SECRET},
      {note: [PAN]},
    ),
    fc.array(tie('value'), {minLength: 1, maxLength: 2}),
    fc.dictionary(fc.constantFrom('later', 'value', 'items', 'pinBlock', 'password'), tie('value'), {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
})).value

test('wherever something secret stands in a bent call, nothing that is told or kept has it', async () => {
  const room = recordingRoom()
  const {post, events, exchanges, close} = await listener({recorder: room.recorder()})
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('later', ...paths), hiding, async (path, value) => {
      await post('/auth', bent(set(path, value)))
      for (const told of [events.at(-1), exchanges.at(-1)]) {
        expect(JSON.stringify(told)).not.toMatch(/hunter2|4111 ?1111 ?1111 ?1111/)
      }
    }),
    {numRuns: 300},
  )
  await close()
  expect(readFileSync(room.file, 'latin1')).not.toMatch(/hunter2|4111 ?1111 ?1111 ?1111/)
})

test.each([[[SECRET]], [SECRET], [{later: [PAN]}], [[{pan: PAN}]]])(
  'a token that is %j keeps its secret',
  async value => {
    const {post, events, exchanges} = await listener()
    await post('/auth', bent(set('token', value)))
    expect(JSON.stringify([events, exchanges])).not.toMatch(/hunter2|4111111111111111/)
  },
)
