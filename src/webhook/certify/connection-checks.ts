import {setTimeout as delay} from 'node:timers/promises'
import type {Drop} from '../endpoint.ts'
import type {BehaviourCheck} from './check.ts'
import {cardOf} from './exam.ts'

const DROPS: readonly Drop[] = ['in the request', 'before the answer', 'in the answer']
/** All of the JSON came, but the body has not ended. */
const UNFINISHED: readonly Drop[] = ['in the request', 'before the last chunk', 'before its length']

/** In ms after the body: an endpoint reads, decides or answers then. */
const RESETS = [0, 1, 1, 2, 2, 3, 5, 8]

/** An endpoint may notice a moment later that nobody took its answer. */
const NOTICED_MS = 50
/** By then it has done all that it does for a call, also what follows the answer. */
const DONE_MS = 1000

const dropped = (drop: Drop): readonly BehaviourCheck[] => [
  {
    name: `a connection dropped ${drop}: answer repeated`,
    rule: 'dropped-connections',
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      await exam.send(call, {drop})
      await delay(NOTICED_MS)
      const again = await exam.send(exam.again(call))
      exam.expectSame(again, [await exam.send(exam.again(call))], 'the same answer again')
    },
  },
  {
    name: `a connection dropped ${drop}: decided once`,
    rule: 'dropped-connections',
    run: async exam => {
      const card = exam.card()
      const call = exam.call('contactless', {card, amount: '10 EUR'})
      const other = exam.call('contactless', {card, amount: '20 EUR'})
      await exam.send(call, {drop})
      await exam.send(other, {drop})
      await delay(NOTICED_MS)
      await exam.approved(exam.again(call))
      await delay(DONE_MS)
      await exam.approved(exam.again(call))
      await exam.approved(exam.again(other))
      await exam.expectRoom(card)
    },
  },
]

/** Connections that end early. */
export const connectionChecks: readonly BehaviourCheck[] = [
  ...UNFINISHED.map(
    (drop): BehaviourCheck => ({
      name: `a connection dropped ${drop}: nothing is decided, and nothing held`,
      rule: 'dropped-connections',
      run: async exam => {
        const call = exam.call('contactless', {amount: '10 EUR'})
        await exam.send(call, {drop})
        await delay(NOTICED_MS)
        await exam.expectRoom(cardOf(call))
        await exam.expectHeldIfSeen(call)
      },
    }),
  ),
  ...DROPS.flatMap(dropped),
  {
    name: 'connections reset before the answer: decided once',
    rule: 'dropped-connections',
    run: async exam => {
      const card = exam.card()
      for (const resetAfterMs of RESETS) {
        const call = exam.call('contactless', {card, amount: '10 EUR'})
        await exam.sendOnly(call, {drop: 'by a reset before the answer', resetAfterMs})
        await delay(NOTICED_MS)
        await exam.approved(exam.again(call))
      }
      await exam.expectRoom(card)
    },
  },
  {
    name: 'many connections dropped at once, then a call',
    rule: 'dropped-connections',
    run: async exam => {
      const drops = Array.from({length: 20}, (_, at) =>
        exam.send(exam.call('contactless'), {drop: DROPS[at % DROPS.length]}),
      )
      await Promise.all(drops)
      // What each of them takes for good shows only after many.
      for (let round = 0; round < 5; round++) {
        await Promise.all(
          Array.from({length: 30}, () => exam.sendOnly(exam.call('contactless'), {drop: 'in the request'})),
        )
      }
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
]

/** Warm-ups: what they change, and those that fail. */
export const warmUpChecks: readonly BehaviourCheck[] = [
  {
    name: 'a warm-up changes nothing, whatever its body is',
    rule: 'warm-up-changes-nothing',
    run: async exam => {
      const call = exam.call('chip', {amount: '10 EUR'})
      const before = await exam.send(call)
      await exam.warmUp()
      const other = exam.call('chip', {card: cardOf(call), amount: '20 EUR'})
      await exam.warmUp({bytes: Buffer.from(JSON.stringify(other))})
      exam.expectSame(before, [await exam.send(exam.again(call))], 'the same answer as before the warm-up')
      await exam.expectRoom(cardOf(call))
    },
  },
  {
    name: 'a declined call again after a warm-up, when its card has money: answer repeated',
    rule: 'warm-up-changes-nothing',
    run: async exam => {
      const {done, call, held} = await exam.declined()
      await exam.warmUp()
      for (const payment of held) await exam.send(exam.reversal(payment))
      exam.expectSame(done, [await exam.send(exam.again(call))], 'the same answer as before the warm-up')
    },
  },
  {
    name: 'a warm-up that fails, then a call',
    rule: 'failed-warm-up',
    run: async exam => {
      await exam.warmUp({drop: 'in the request'})
      await exam.warmUp({drop: 'before the answer'})
      await exam.warmUp({bytes: Buffer.from('{"type":"WARM_')})
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
  {
    name: 'after a restart: a call whose warm-up failed',
    rule: 'failed-warm-up',
    needs: ['restart'],
    run: async exam => {
      await exam.restart()
      await exam.warmUp({drop: 'in the request'})
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
]
