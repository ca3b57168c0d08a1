import {expect} from 'vitest'
import type {Rule} from '../../../src/webhook/rules/compile-rules.ts'
import {decideBy} from '../../../src/webhook/rules/follow-rules.ts'
import {readRules} from '../../../src/webhook/rules/read-rules.ts'
import {callOf, requestFor} from '../calls.ts'

/** The rules of a text that must be a good one. */
export async function rulesOf(text: string): Promise<readonly Rule[]> {
  const {rules, problems, warnings} = await readRules(text)
  expect([...problems, ...warnings]).toEqual([])
  return rules
}

export interface EarlierDecisions {
  readonly answer: unknown
  readonly by: string | undefined
  readonly said: readonly string[]
  readonly slept: readonly number[]
}

/** Decides about calls of scenarios, one after the other. `random` gives its numbers in turn, then zeros. */
export async function deciding(text: string, random: readonly number[] = []) {
  const numbers = [...random]
  const slept: number[] = []
  const decider = decideBy(await rulesOf(text), {
    random: () => numbers.shift() ?? 0,
    sleep: async ms => void slept.push(ms),
  })
  return async (scenario: string, more: object = {}): Promise<EarlierDecisions> => {
    const said: string[] = []
    slept.length = 0
    const note = (step: {said: string}) => said.push(step.said)
    const decision = await decider.decide(requestFor(callOf(scenario, 'a', more), {note}))
    return {answer: decision?.answer, by: decision?.by, said, slept: [...slept]}
  }
}
