import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import type {ServerResponse} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {scenarios} from '../../src/contract/scenarios.ts'
import type {WebhookBody} from '../../src/contract/types.ts'
import {Secret} from '../../src/sensitive/secret.ts'
import {declineAll} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {endpoint, listener} from '../webhook/listener.ts'

type AuthCall = WebhookBody<'webhook.auth'>

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

/** Another `--to` takes the place of the first. */
const trigger = (to: string, ...argv: string[]) =>
  home.run(['webhook', 'trigger', 'auth', ...(argv.includes('--to') ? [] : ['--to', to]), ...argv])

/** An endpoint that keeps what it gets, and answers so. */
async function keeping(answer: (response: ServerResponse) => void = approved) {
  const received: {headers: Record<string, unknown>; body: unknown}[] = []
  const url = await endpoint(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString())})
    answer(response)
  })
  return {url, received, calls: () => received.map(({body}) => body as AuthCall)}
}

const approved = (response: ServerResponse) =>
  void response.end('{"transactionData":{"authResponseCode":{"code":"00"}}}')

describe('the answer decides the exit code', () => {
  test('approved: 0', async () => {
    const {url} = await listener()
    const {code, stdout, stderr} = await trigger(url)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toMatch(/Coffee, paid contactless +approved 00/)
    expect(stdout).toMatch(/Amount +EUR 4\.20/)
    expect(stdout).toMatch(/Time .* of 2\u202f000 ms/)
  })

  test('declined: 6', async () => {
    const {url} = await listener({decider: declineAll('51')})
    const {code, stdout, stderr} = await trigger(url)
    expect(code).toBe(6)
    expect(stdout).toContain('declined 51')
    expect(stderr).toContain('Error DECLINED: The endpoint declined with 51.')
  })

  test('an answer that differs from the contract: 8, with the place', async () => {
    const {url} = await keeping(response => void response.end('{"transactionData":{}}'))
    const {code, stdout, stderr} = await trigger(url)
    expect(code).toBe(8)
    expect(stdout).toMatch(
      /Wrong +transactionData\.authResponseCode is missing +\/transactionData\/authResponseCode/,
    )
    expect(stderr).toContain('Error ANSWER_INVALID')
  })

  test('a problem: 8, in the words of the endpoint', async () => {
    const {url} = await listener()
    const {code, stdout, stderr} = await trigger(`${url}/hooks`)
    expect(code).toBe(8)
    expect(stdout).toContain('calls go to /auth and /warm-up')
    expect(stderr).toContain(`the call went to ${url}/hooks/auth.`)
  })

  test.each(['/auth', '/warm-up', '/hooks/auth'])(
    'a URL that ends with %s: 2, with the one meant',
    async path => {
      const {url, received} = await keeping()
      const {code, stderr} = await trigger(url + path)
      expect(code).toBe(2)
      expect(stderr).toContain(`Did you mean ${url}${path.replace(/\/(auth|warm-up)$/, '')}?`)
      expect(received).toEqual([])
    },
  )

  test('the answer is shown if it is wrong, and otherwise on request', async () => {
    const wrong = await keeping(response => void response.end('\u001b[31mapprove'))
    expect((await trigger(wrong.url)).stdout).toContain('Answer, status 200\n \\u001b[31mapprove')
    const right = await keeping()
    expect((await trigger(right.url)).stdout).not.toContain('Answer, status')
    expect((await trigger(right.url, '--show-answer')).stdout).toMatch(
      /Answer, status 200\n \{\n {3}"transactionData": \{/,
    )
  })

  test('no endpoint: 9', async () => {
    const {code, stdout} = await trigger('http://127.0.0.1:1')
    expect(code).toBe(9)
    expect(stdout).toContain("the endpoint can't be reached (ECONNREFUSED)")
  })

  test('none within the deadline: 12', async () => {
    const {url} = await keeping(() => undefined)
    const {code, stdout, stderr} = await trigger(url, '--deadline', '50ms')
    expect(code).toBe(12)
    expect(stdout).toContain('late')
    expect(stderr).toContain('did not answer within 50 ms')
  })

  test('an accepted warm-up: 0', async () => {
    const {url, received} = await keeping(response => void response.end())
    const {code, stdout} = await home.run(['webhook', 'trigger', 'warm-up', '--to', url])
    expect(code).toBe(0)
    expect(stdout).toContain('ready')
    expect(received).toMatchObject([{headers: {'x-warmup': 'true'}, body: {type: 'WARM_UP'}}])
  })
})

test('as JSON it has the call, the answer and the judgement, also when that is bad', async () => {
  const {url, calls} = await keeping(response => void response.writeHead(500).end('{"title":"oh"}'))
  const {code, stdout, stderr} = await trigger(url, '--scenario', 'fuel', '-o', 'json')
  expect(code).toBe(8)
  expect(JSON.parse(stdout)).toEqual({
    type: 'auth',
    url: `${url}/auth`,
    scenario: {name: 'fuel', summary: scenarios.fuel?.summary},
    request: calls()[0],
    reply: {title: 'oh'},
    status: 500,
    outcome: 'invalid',
    reason: 'status 500',
    violations: [],
    durationMs: expect.any(Number),
    deadlineMs: 2000,
  })
  expect(JSON.parse(stderr)).toMatchObject({error: {code: 'ANSWER_INVALID', status: 500}})
})

describe('the call', () => {
  test('takes amount, currency and transaction', async () => {
    const {url, calls} = await keeping()
    await trigger(
      url,
      '--amount',
      '1200',
      '--currency',
      'JPY',
      '--transaction',
      't_4',
      '--scenario',
      'reversal',
    )
    expect(calls()[0]).toMatchObject({
      metadata: {transactionId: 't_4'},
      transactionData: {
        transactionAmount: {amount: 1200, currency: 'JPY'},
        billingAmount: {amount: 7.5, currency: 'EUR'},
        originalTransactionId: 't_4',
      },
    })
  })

  test('is about a card of the profile', async () => {
    const {url, calls} = await keeping()
    expect((await trigger(url, '--card', '3001')).code).toBe(0)
    expect((await trigger(url, '--account', '2001')).code).toBe(0)
    for (const call of calls()) {
      expect(call).toMatchObject({
        customer: {customerId: '1001'},
        account: {accountId: '2001', availableAmount: {amount: 5000, currency: 'EUR'}},
        card: {cardId: '3001', expiration: {year: 2029, month: 12}},
      })
    }
    const elsewhere = await trigger(url, '--card', '3001', '--account', '2002')
    expect(elsewhere.code).toBe(2)
    expect((await trigger(url, '--card', '999')).code).toBe(5)
    expect(calls()).toHaveLength(2)
  })

  test('has members set, typed by the contract, and says where it leaves that', async () => {
    const {url, calls} = await keeping()
    const {code, stderr} = await trigger(
      url,
      ...['--set', 'transactionData.transactionAmount.amount=7.25', '--set', 'merchantData.id=17'],
      ...['--set', 'transactionData.cardholderVerifications[0]=THREE_DS', '--set', 'token.id=1'],
      ...['--set', 'merchantData.merchantZipCode=null', '--set', 'transactionData.cardPressent=true'],
    )
    expect(code).toBe(0)
    expect(calls()[0]).toMatchObject({
      transactionData: {
        transactionAmount: {amount: 7.25, currency: 'EUR'},
        cardholderVerifications: ['THREE_DS'],
        cardPressent: true,
      },
      merchantData: {id: '17', merchantZipCode: null},
      token: {id: '1'},
    })
    expect(stderr).toContain('cardPressent is not a field of transactionData. Did you mean cardPresent?')
  })

  test('is any JSON from a file, stdin or the command line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cardctl-trigger-'))
    onTestFinished(() => rm(folder, {recursive: true}))
    const file = join(folder, 'call.json')
    await writeFile(file, '{"from":"file"}')
    const {url, received} = await keeping()
    await trigger(url, '--data', `@${file}`)
    await home.run(['webhook', 'trigger', 'auth', '--to', url, '--data', '-'], {stdin: '{"from":"stdin"}'})
    const {stderr} = await trigger(url, '--data', '{"from":"argv"}', '--set', 'metadata.id=7')
    expect(received.map(({body}) => body)).toEqual([
      {from: 'file'},
      {from: 'stdin'},
      {from: 'argv', metadata: {id: '7'}},
    ])
    expect(stderr).toContain('transactionData is missing')
  })

  test('a card number goes out from a file, and is never shown', async () => {
    const {url, received} = await keeping()
    const argv = ['webhook', 'trigger', 'auth', '--to', url, '--data', '-', '-o', 'json']
    const {stdout} = await home.run(argv, {stdin: '{"card":{"pan":"4111111111111111"}}'})
    expect(received).toMatchObject([{body: {card: {pan: '4111111111111111'}}}])
    expect(stdout).not.toContain('4111111111111111')
  })
})

test.each([
  ['--set', 'merchantData.nickname=4111 1111 1111 1111'],
  ['--set', 'card.pan=1'],
  ['--set', 'card.cardId=4111111111111111'],
  ['--set', 'note={"cvv":"123"}'],
  ['--data', '{"card":{"pan":"4111111111111111"}}'],
  ['--header', 'authorization: Basic YWJjOmRlZg=='],
  ['--header', 'x-note: 4111111111111111'],
  ['--auth', 'basic:user:password'],
  ['--to', 'http://user:password@127.0.0.1:1'],
])('%s %s is refused as secret', async (...argv) => {
  const {url, received} = await keeping()
  const {code, stdout, stderr} = await trigger(url, ...argv)
  expect(code).toBe(2)
  expect(stderr).toContain('SENSITIVE_IN_ARGV')
  expect(stderr + stdout).not.toMatch(/4111|password@|YWJj|user:password\b(?! or)/)
  expect(received).toEqual([])
})

test('a scenario in place of the type says where it goes', async () => {
  const {code, stderr} = await home.run(['webhook', 'trigger', 'chip', '--to', 'http://127.0.0.1:1'])
  expect(code).toBe(2)
  expect(stderr).toContain('webhook trigger auth --scenario chip')
})

test.each([
  [['--scenario', 'contactles'], 'Did you mean contactless?'],
  [['--amount', '1.2345'], 'decimals'],
  [['--amount=-5'], 'negative'],
  [['--amount', '50 EUR'], 'no currency'],
  [['--currency', 'XXX'], 'currency'],
  [['--set', 'nothing'], 'path=value'],
  [['--deadline', '61s'], '--deadline'],
  [['--header', 'host: elsewhere'], '--header'],
  [['--to', 'ftp://127.0.0.1'], '--to takes an http or https URL'],
  [['--to', 'http://hooks.example.com'], '--confirm hooks.example.com'],
  [['--to', 'http://hooks.example.com', '--confirm', 'hooks.example.org'], '--confirm hooks.example.com'],
])('%j is refused', async (argv, message) => {
  const {code, stderr} = await trigger('http://127.0.0.1:1', ...argv)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('a warm-up is no purchase', async () => {
  const {code, stderr} = await home.run([
    'webhook',
    'trigger',
    'warm-up',
    '--to',
    'http://127.0.0.1:1',
    '--amount',
    '5',
  ])
  expect(code).toBe(2)
  expect(stderr).toContain('--amount')
})

test('where credentials are missing it is said how to give them', async () => {
  const {url} = await listener({credentials: {auth: {type: 'bearer', token: new Secret('t')}}})
  const {code, stderr} = await trigger(url)
  expect(code).toBe(8)
  expect(stderr).toContain('with --auth basic:REF, bearer:REF, header:NAME:REF or hmac:REF')
  const unset = await trigger(url, '--auth', 'bearer:env:NOPE')
  expect(unset.stderr).toContain('Correct the reference')
  expect(unset.stderr).not.toContain('profiles edit')
})

test('credentials and headers are sent, and not shown', async () => {
  const {url, received} = await keeping()
  const flags = ['--auth', 'basic:env:HOOK', '--header', 'X-Trace: 1']
  const env = {HOOK: 'service:hush'}
  const argv = ['webhook', 'trigger', 'auth', '--to', url, ...flags]
  expect((await home.run(argv, {env})).code).toBe(0)
  const authorization = `Basic ${Buffer.from('service:hush').toString('base64')}`
  expect(received[0]?.headers).toMatchObject({authorization, 'x-trace': '1'})
  const dry = await home.run([...argv, '--dry-run'], {env})
  expect(JSON.parse(dry.stdout)).toMatchObject({
    method: 'POST',
    url: `${url}/auth`,
    headers: {authorization: '[masked]', 'x-trace': '1'},
    body: {card: {cardId: '3001'}},
  })
  const curl = await home.run([...argv, '--curl'], {env})
  expect(curl.stdout).toContain(`'authorization: '"$AUTHORIZATION"`)
  expect(received).toHaveLength(1)
})

test('a signal abandons the call', async () => {
  const stop = new AbortController()
  const {url} = await keeping(() => stop.abort('SIGINT'))
  const {code} = await home.run(['webhook', 'trigger', 'auth', '--to', url], {signal: stop.signal})
  expect(code).toBe(130)
})

test('the scenarios are listed by name', async () => {
  const list = await home.json<{name: string}[]>(['webhook', 'scenarios'])
  expect(list.map(({name}) => name)).toEqual(Object.keys(scenarios))
  expect((await home.run(['webhook', 'scenarios'])).stdout).toMatch(/fuel +A fuel pump .* EUR 120\.00/)
})

test('what an endpoint says of cards is masked in what is shown of its answer', async () => {
  const spilling = {
    transactionData: {authResponseCode: {code: '00'}, note: 'of 4111111111111111'},
    pan: '4111111111111111',
  }
  const {url} = await keeping(response => void response.end(JSON.stringify(spilling)))
  const {stdout, stderr} = await trigger(url, '-o', 'json')
  expect(stdout).toContain('of 411111••••••1111')
  expect(stdout + stderr).not.toContain('4111111111111111')
})
