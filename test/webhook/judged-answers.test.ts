import type {RequestListener} from 'node:http'
import process from 'node:process'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {childEnvironment} from '../../src/children/child-environment.ts'
import {decideByCommand, forwardTo} from '../../src/webhook/index.ts'
import {type Home, openHome} from '../helpers/cli.ts'
import {callOf} from './calls.ts'
import {endpoint, listener} from './listener.ts'

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
const CODES = 'the response code is unknown; there are 00, 05, 10, 14'

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
    expect(await judge(unknownCode(code))).toContain(CODES)
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

  test.each(['approve it', '"approve"'])('shows what an answer looks like instead of %s', async body => {
    expect(await judge(body)).toMatch(/an approval is \{|is none of: approve, decline CODE/)
  })
})
