// Calls with strange values at random places, or any JSON object at all.

import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseAnswer} from '../../src/contract/auth-answer.ts'
import {checkWebhookAnswer} from '../../src/contract/validate.ts'
import {isObject} from '../../src/errors/is-object.ts'
import {approveAll, declineAll} from '../../src/webhook/index.ts'
import {decideBy} from '../../src/webhook/rules/follow-rules.ts'
import {runs} from '../helpers/whole.ts'
import {anyCall, paths} from './any-call.ts'
import {bent, rules, set, surroundings} from './bent-calls.ts'
import {requestFor} from './calls.ts'
import {listener} from './listener.ts'
import {recordingRoom} from './recordings.ts'
import {rulesOf} from './rules/calls.ts'

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
        expect(await checkWebhookAnswer('webhook.auth', parseAnswer(reply))).toEqual([])
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
    {numRuns: runs(400)},
  )
})

const hasPayment = (call: unknown): boolean => isObject(Object(call).transactionData)

test('any object is accepted by the listener, recorded, and drawn by the page', async () => {
  const room = recordingRoom()
  const decider = decideBy(
    await rulesOf(`rules: [${everyDecline.join(', ')}, {then: {decline: "05"}}]`),
    surroundings,
  )
  const {post, events, exchanges, close} = await listener({decider, recorder: room.recorder()})
  const {toCall} = await import('../../src/webhook/page/client/call.ts')
  await fc.assert(
    fc.asyncProperty(anyCall, async call => {
      const {status, body} = await post('/auth', JSON.stringify(call))
      const [event, exchange] = [events.at(-1), exchanges.at(-1)]
      if (!event || !exchange) throw new Error('Nothing was told.')
      const isConflict = 'reusedId' in event && event.reusedId !== undefined && !hasPayment(call)
      expect(status).toBe(isConflict ? 409 : 200)
      if (status === 200) expect(await checkWebhookAnswer('webhook.auth', body)).toEqual([])
      toCall(exchange)
    }),
    {numRuns: runs(150)},
  )
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

test('wherever a secret is in an altered call, nothing that is shown or kept has it', async () => {
  const room = recordingRoom()
  const {post, events, exchanges, close} = await listener({recorder: room.recorder()})
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('later', ...paths), hiding, async (path, value) => {
      await post('/auth', bent(set(path, value)))
      for (const told of [events.at(-1), exchanges.at(-1)]) {
        expect(JSON.stringify(told)).not.toMatch(/hunter2|4111 ?1111 ?1111 ?1111/)
      }
    }),
    {numRuns: runs(300)},
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
