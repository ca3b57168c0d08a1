import type {Drop} from '../endpoint.ts'
import type {BehaviourCheck} from './exam.ts'

const DROPS: readonly Drop[] = ['in the request', 'before the answer', 'in the answer']

const dropped = (drop: Drop): readonly BehaviourCheck[] => [
  {
    name: `a connection dropped ${drop}: answer repeated`,
    rule: 'Repeats',
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      await exam.send(call, {drop})
      const again = await exam.send(exam.again(call))
      exam.expectSame(again, [await exam.send(exam.again(call))], 'the same answer again')
    },
  },
  {
    name: `a connection dropped ${drop}: decided once`,
    rule: 'Repeats',
    needs: ['probe'],
    run: async exam => {
      const call = exam.call('contactless', {amount: '10 EUR'})
      await exam.send(call, {drop})
      await exam.approved(exam.again(call))
      await exam.expectHolds(call, '10 EUR')
    },
  },
]

/** Connections that end early, and warm-ups that fail. */
export const connectionChecks: readonly BehaviourCheck[] = [
  ...DROPS.flatMap(dropped),
  {
    name: 'many connections dropped at once, then a call',
    rule: 'Deadline',
    run: async exam => {
      const drops = Array.from({length: 20}, (_, at) =>
        exam.send(exam.call('contactless'), {drop: DROPS[at % DROPS.length]}),
      )
      await Promise.all(drops)
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
  {
    name: 'a warm-up that fails, then a call',
    rule: 'Failed warm-up',
    run: async exam => {
      await exam.warmUp({drop: 'in the request'})
      await exam.warmUp({drop: 'before the answer'})
      await exam.warmUp({bytes: Buffer.from('{"type":"WARM_')})
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
  {
    name: 'after a restart: a call whose warm-up failed',
    rule: 'Failed warm-up',
    needs: ['restart'],
    run: async exam => {
      await exam.restart()
      await exam.warmUp({drop: 'in the request'})
      exam.expectOutcome(await exam.send(exam.call('contactless')), 'decided')
    },
  },
]
