import {type Decider, type Decision, DecisionFault} from '../decide.ts'
import {answerInWords} from './actions.ts'
import type {Rule} from './compile-rules.ts'
import {createJudge} from './judge.ts'

export interface RuleSurroundings {
  /** In [0, 1). */
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** More rules than these that don't match are only counted. */
const TOLD = 10

/** The first rule that takes a call decides; where none does, it is left to the next decider. */
export function decideBy(rules: readonly Rule[], {random, sleep}: RuleSurroundings): Decider {
  const judge = createJudge(rules, random)
  return {
    decide: async (request): Promise<Decision | undefined> => {
      const {call, at} = request
      const say = (said: string) => request.note({by: 'rules', said})
      const {rule, missed, doubt} = judge.judge(call, at)
      for (const {rule: name, why} of missed.slice(0, TOLD)) say(`${name}: ${why}`)
      if (missed.length > TOLD) say(`${missed.length - TOLD} more do not match`)
      if (!rule) return undefined
      if (doubt !== undefined && rule.fallback) {
        const because = `${rule.name} cannot be evaluated, for ${doubt}`
        say(`${because}: ${answerInWords(rule.fallback)}`)
        return {answer: rule.fallback, by: 'fallback', because}
      }
      const {answer, delay} = rule.action
      const wait = delay && Math.round(delay.min + random() * (delay.max - delay.min))
      const answered = answer?.(call)
      const what = answered ? answerInWords(answered.answer) : 'left to the next'
      const because = answered?.because === undefined ? '' : `, because ${answered.because}`
      say(`${rule.name}: ${what}${because}${wait === undefined ? '' : `, after ${wait} ms`}`)
      if (wait !== undefined) {
        await sleep(wait, request.signal).catch(() => {
          throw new DecisionFault('the deadline came before the delay was over')
        })
      }
      return answered && {answer: answered.answer, by: byName(rule)}
    },
  }
}

const byName = ({name}: Rule): string => (/^rule \d+$/.test(name) ? name : `rule ${name}`)
