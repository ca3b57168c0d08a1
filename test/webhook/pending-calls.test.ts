import {expect, test} from 'vitest'
import {createPendingCalls} from '../../src/webhook/index.ts'
import {callOf, requestFor} from './calls.ts'
import {listener} from './listener.ts'

test('a call waits until it is answered, and its watchers are notified', async () => {
  const pendingCalls = createPendingCalls()
  const seen: (readonly string[])[] = []
  const stop = pendingCalls.subscribe(() => seen.push(pendingCalls.waiting().map(({event}) => event)))
  const {post, events, exchanges} = await listener({decider: pendingCalls, deadlineMs: 60_000})
  const first = post('/auth', callOf('fuel', 'a'))
  await expect.poll(() => pendingCalls.waiting().length).toBe(1)
  const second = post('/auth', callOf('chip', 'b'))
  await expect.poll(() => pendingCalls.waiting().length).toBe(2)
  const [one, two] = pendingCalls.waiting()
  if (!one || !two) throw new Error('nothing waits')
  expect(one).toMatchObject({summary: {id: 'a'}, until: one.at + 60_000})

  expect(await pendingCalls.answer(two.event, {partial: {amount: 5, currency: 'EUR'}}, 'page')).toMatch(
    /merchant/,
  )
  expect(await pendingCalls.answer(two.event, {decline: '00'}, 'page')).toMatch(
    /^the code is 05, 14, .*51, .* by name DO_NOT_HONOR/,
  )
  expect(
    await pendingCalls.answer(one.event, {partial: {amount: 5, currency: 'EUR'}}, 'page'),
  ).toBeUndefined()
  expect(await pendingCalls.answer(two.event, {decline: 'do_not_honor'}, 'terminal')).toBeUndefined()
  expect(await pendingCalls.answer(two.event, {approve: true}, 'terminal')).toMatch(/no longer waits/)
  expect((await first).body).toEqual({
    transactionData: {
      authResponseCode: {code: '10'},
      partialApprovalAmount: {amount: 5, currency: 'EUR'},
    },
  })
  await second
  expect(events).toMatchObject([
    {outcome: 'partial', by: 'ask'},
    {outcome: 'declined', code: 'DO_NOT_HONOR', by: 'ask'},
  ])
  expect(exchanges[0]?.steps).toEqual([{by: 'ask', said: 'answered on the page'}])
  stop()
  expect(seen).toEqual([[one.event], [one.event, two.event], [two.event], []])
})

test('an unanswered call is late, and waits no longer', async () => {
  const pendingCalls = createPendingCalls()
  const {post, events, exchanges} = await listener({decider: pendingCalls, deadlineMs: 100})
  expect((await post('/auth', callOf('chip', 'a'))).status).toBe(503)
  expect(pendingCalls.waiting()).toEqual([])
  expect(events).toMatchObject([{type: 'late'}])
  expect(exchanges[0]?.steps).toEqual([{by: 'ask', said: 'no answer in time'}])
})

test('two answers at once: one of them is too late', async () => {
  const pendingCalls = createPendingCalls()
  const decision = pendingCalls.decide(requestFor(callOf('chip', 'a')))
  const answers = await Promise.all([
    pendingCalls.answer('e_1', {approve: true}, 'page'),
    pendingCalls.answer('e_1', {decline: '05'}, 'terminal'),
  ])
  expect(answers.filter(answer => answer === undefined)).toHaveLength(1)
  expect(await decision).toMatchObject({by: 'ask', answer: {kind: 'reply'}})
})
