// Calls that differ from the contract in some details: how they are decided, recorded and passed on.
import {expect, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import {type AuthEvent, forwardTo} from '../../src/webhook/index.ts'
import {decideBy} from '../../src/webhook/rules/follow-rules.ts'
import {createPreview} from '../../src/webhook/rules/index.ts'
import {
  AMOUNT,
  bent,
  type Codes,
  cases,
  codeBy,
  euros,
  type Json,
  purchase,
  rules,
  set,
  surroundings,
} from './bent-calls.ts'
import {callOf, requestFor} from './calls.ts'
import {endpoint, listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'
import {rulesOf} from './rules/calls.ts'

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
    const [preview] = [createPreview(read)(call, 0)]
    if (code === '05')
      expect(preview).toMatchObject({decision: 'decline 05', because: expect.stringContaining('fallback')})
  }
  expect(found).toEqual(wanted)
})

test.each(cases)('%s: accepted, reported, passed on unchanged, and recorded', async (_, bend, pointers) => {
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

test('differences are reported by place and never by value', async () => {
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

test('fields that only some calls have leave no doubt, and are in the contract', async () => {
  const {OPTIONAL_FIELDS} = await import('../../src/webhook/rules/fields.ts')
  const {requestSchema, fieldSchemaAt} = await import('../../src/contract/schema.ts')
  const schema = (await requestSchema('webhook.auth')) ?? {}
  expect(OPTIONAL_FIELDS.filter(path => fieldSchemaAt(schema, path.split('.')) === undefined)).toEqual([])
})
