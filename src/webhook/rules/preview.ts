import type {ReceivedCall} from '../received-call.ts'
import {answerInWords} from './actions.ts'
import type {Rule} from './compile-rules.ts'
import {createJudge, type Verdict} from './judge.ts'

/** What is told of a call. Absent members: no rule takes it, or the one that does leaves the decision. */
interface Told {
  readonly rule?: string
  /** `approve`, `decline 61`, `partial 30 EUR`, `no answer`, `broken answer`, `status 503`. */
  readonly decision?: string
  /** Why that, where the rule says something else at first sight. */
  readonly because?: string
  /** ms; two values for a random one. */
  readonly delay?: {readonly min: number; readonly max: number}
}

/** What rules would do with a call. */
export interface Preview extends Told {
  /** How likely the rule takes such a call, where that isn't certain. */
  readonly probability?: number
  /** What happens where it doesn't, by the first rule that leaves nothing to chance. */
  readonly otherwise?: Told
}

/**
 * Tells of one call after the other what would be decided, counting as the rules count. A rule that takes calls by chance
 * takes them here, and says how likely that is.
 */
export function previewBy(rules: readonly Rule[]): (call: ReceivedCall, at: number) => Preview {
  const lucky = createJudge(rules, () => 0)
  const certain = createJudge(rules, () => 1)
  return (call, at) => {
    const first = lucky.judge(call, at)
    const other = certain.judge(call, at)
    const told = tell(first, call)
    if (!first.rule || first.rule.probability === 1) return told
    return {...told, probability: first.rule.probability, otherwise: tell(other, call)}
  }
}

function tell({rule, doubt}: Verdict, call: ReceivedCall): Told {
  if (!rule) return {}
  if (doubt !== undefined && rule.fallback) {
    const because = `the fallback answers: the rule cannot be evaluated, for ${doubt}`
    return {rule: rule.name, decision: answerInWords(rule.fallback), because}
  }
  const {answer, delay} = rule.action
  const answered = answer?.(call)
  return {
    rule: rule.name,
    ...(answered && {decision: answerInWords(answered.answer)}),
    ...(answered?.because !== undefined && {because: answered.because}),
    ...(delay && {delay}),
  }
}
