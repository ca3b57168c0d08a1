import type {RequestListener} from 'node:http'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {decideByCommand, forwardTo} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from '../webhook/calls.ts'
import {endpoint, listener} from '../webhook/listener.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(() => home.remove())

const answering =
  (body: string): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.end(body))
  }

const unknownCode = (code: string) => JSON.stringify({transactionData: {authResponseCode: {code}}})

/** What each place that judges answers says of one. */
const judges: Readonly<Record<string, (body: string) => Promise<string>>> = {
  trigger: async body => {
    const {stdout} = await home.run(['webhook', 'trigger', 'auth', '--to', await endpoint(answering(body))])
    return stdout.replace(/\s+/g, ' ')
  },
  bench: async body => {
    const to = await endpoint(answering(body))
    const argv = ['webhook', 'bench', '--to', to, '--rate', '50/s', '--duration', '40ms', '-o', 'json']
    return (await home.run(argv)).stdout
  },
  forward: async body => {
    const {post, events} = await listener({decider: forwardTo(new URL(await endpoint(answering(body))))})
    await post('/auth', callOf('chip', 'a'))
    return JSON.stringify(events)
  },
  exec: async body => {
    const decider = decideByCommand(`printf '%s' '${body}'`, {
      env: childEnvironment(process.env, []),
      onStderr: () => {},
    })
    const {post, events} = await listener({decider})
    await post('/auth', callOf('chip', 'a'))
    return JSON.stringify(events)
  },
}

describe.each(Object.entries(judges))('%s', (_, judge) => {
  test.each(['OK', '93', 'yes'])('takes %s for no code and says which there are', async code => {
    const said = (await judge(unknownCode(code))).replaceAll('\\"', '"')
    expect(said).toContain(`"${code}" is not a response code; there are 00, 05, 10, 14`)
    expect(said).toContain('webhook contract --code all')
  })

  test('suggests the name that was meant', async () => {
    expect(await judge(unknownCode('APROVED'))).toContain('did you mean APPROVED')
  })

  test('names fields that the service ignores, with a suggestion', async () => {
    const body = '{"transactionData":{"authResponseCode":{"code":"00"},"avaliableAmount":1},"aproved":true}'
    const said = await judge(body)
    expect(said).toContain('avaliableAmount is not a field of transactionData; did you mean availableAmount')
    expect(said).toContain('aproved is not a field of the answer, which has transactionData')
    expect(said).toContain('approved')
  })

  test.each([
    ['{"transactionData":{"responseCode":{"code":"00"}}}', 'did you mean authResponseCode'],
    ['{"authResponseCode":{"code":"00"}}', 'did you mean transactionData.authResponseCode'],
    ['{"code":"00"}', 'did you mean transactionData.authResponseCode.code'],
    ['{"approved":true}', 'did you mean transactionData.authResponseCode'],
    [
      '{"transactionData":{"authResponseCode":{"code":"10"},"approvedAmount":{"amount":1,"currency":"EUR"}}}',
      'did you mean partialApprovalAmount',
    ],
  ])('of %s, %s', async (body, meant) => {
    const said = await judge(body)
    expect(said).toContain(meant)
    expect(said).toMatch(/webhook contract --field (authResponseCode|transactionData|partialApprovalAmount)/)
  })

  test('does not quote a code that may be a secret', async () => {
    const said = await judge(unknownCode('4111 1111 1111 1111'))
    expect(said).toContain('what it has is not a response code')
  })

  test.each(['approve it', '"approve"'])('shows what an answer looks like instead of %s', async body => {
    expect(await judge(body)).toMatch(/an approval is \{|is none of: approve, decline CODE/)
  })
})

test.each([
  ['balance-inquiry', '00', 'the approval of a balance inquiry has availableAmount'],
  ['reversal', '57', 'a reversal reports what has happened, so its answer is 00'],
])('trigger takes no answer that breaks the rule of its call: %s, %s', async (scenario, code, reason) => {
  const to = await endpoint(answering(unknownCode(code)))
  const {stderr} = await home.run(['webhook', 'trigger', 'auth', '--to', to, '--scenario', scenario])
  expect(stderr).toContain('ANSWER_INVALID')
  expect(stderr.replace(/\s+/g, ' ')).toContain(reason)
})
