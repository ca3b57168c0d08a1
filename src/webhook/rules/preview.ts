import type {AuthCall} from '../call-kind.ts'
import {answerInWords} from './actions.ts'
import type {Rule} from './compile-rules.ts'
import {createJudge} from './judge.ts'

/** What rules would do with a call. Absent members: no rule takes it, or the one that does leaves the decision. */
export interface Preview {
  readonly rule?: string
  /** `approve`, `decline 61`, `partial 30 EUR`, `no answer`, `broken answer`, `status 503`. */
  readonly decision?: string
  /** Why that, where the rule says something else at first sight. */
  readonly because?: string
  /** ms; two values for a random one. */
  readonly delay?: {readonly min: number; readonly max: number}
  /** How likely the rule takes such a call, where that isn't certain. */
  readonly probability?: number
}

/**
 * Tells of one call after the other what would be decided, counting as the rules count. A rule that takes calls by chance
 * takes them here, and says how likely that is.
 */
export function previewBy(rules: readonly Rule[]): (call: AuthCall, at: number) => Preview {
  const judge = createJudge(rules, () => 0)
  return (call, at) => {
    const {rule} = judge.judge(call, at)
    if (!rule) return {}
    const {answer, delay} = rule.action
    const answered = answer?.(call)
    return {
      rule: rule.name,
      ...(answered && {decision: answerInWords(answered.answer)}),
      ...(answered?.because !== undefined && {because: answered.because}),
      ...(delay && {delay}),
      ...(rule.probability < 1 && {probability: rule.probability}),
    }
  }
}
