import type {ReceivedCall} from '../received-call.ts'
import {answerInWords} from './actions.ts'
import type {Rule} from './compile-rules.ts'
import type {Velocity} from './velocity.ts'

interface Verdict {
  /** The first rule that matches the call. */
  readonly rule?: Rule
  /** The rules before it, and why they don't match. */
  readonly missed: readonly {readonly rule: string; readonly why: string}[]
  /** Why the rule cannot be evaluated although it matches: its fallback answers. */
  readonly doubt?: string
}

interface Judge {
  /** `at`: when the call arrived, milliseconds since 1970. */
  judge(call: ReceivedCall, at: number): Verdict
}

/** Rules in order, with all counts at zero. `random` returns numbers in [0, 1). */
export function createJudge(rules: readonly Rule[], random: () => number): Judge {
  const met = new Map<Rule, number>()
  const velocities = new Map(rules.map(rule => [rule, rule.velocity?.()]))

  /** Whether it is the rule's turn, if everything else is met. */
  function isOut(rule: Rule): string | undefined {
    if (rule.probability < 1 && random() >= rule.probability) return 'skipped by probability'
    const turn = (met.get(rule) ?? 0) + 1
    met.set(rule, turn)
    if (turn <= rule.after) return `only after ${rule.after}`
    return turn > rule.after + rule.first ? `only ${rule.first} times` : undefined
  }

  return {
    judge: (call, at) => {
      const missed: {rule: string; why: string}[] = []
      let taken: {readonly rule: Rule; readonly doubt?: string} | undefined
      for (const rule of rules) {
        // Rules that count see every call, also those that an earlier rule matches.
        const velocity = velocities.get(rule)
        if (taken && !velocity) continue
        const found = look(rule, call, at, velocity)
        if (taken) continue
        const {unmet, doubt} = found
        const isLeftOut = doubt !== undefined && !rule.fallback
        const why = unmet ?? (isLeftOut ? inDoubt(doubt) : isOut(rule))
        if (why !== undefined) missed.push({rule: rule.name, why})
        else taken = {rule, ...(doubt !== undefined && {doubt})}
      }
      return {...taken, missed}
    },
  }
}

/** Why a rule doesn't match a call, or why that is unknown. */
function look(
  {conditions, fallback}: Rule,
  call: ReceivedCall,
  at: number,
  velocity: Velocity | undefined,
): {readonly unmet?: string; readonly doubt?: string} {
  let doubt: string | undefined
  for (const condition of conditions) {
    const unmet = condition(call, at)
    if (unmet && !unmet.inDoubt) return {unmet: unmet.why}
    doubt ??= unmet?.why
  }
  // If in doubt, a call counts towards a limit that declines, but not towards one that approves.
  if (!velocity || (doubt !== undefined && !fallback)) return doubt === undefined ? {} : {doubt}
  const isOver = velocity.count(call, at)
  if (isOver === false) return {unmet: 'the velocity is within the limit'}
  if (isOver === undefined) doubt ??= 'the card or the amount is absent or unreadable'
  return doubt === undefined ? {} : {doubt}
}

const inDoubt = (why: string): string => `it cannot be evaluated because ${why}`

/** The result for a call. Fields are absent if no rule matches, or if the matching rule doesn't decide. */
interface Described {
  readonly rule?: string
  /** `approve`, `decline 61`, `partial 30 EUR`, `no answer`, `broken answer`, `status 503`. */
  readonly decision?: string
  /** Why, if the rule's text says something else. */
  readonly because?: string
  /** ms; two values for a random one. */
  readonly delay?: {readonly min: number; readonly max: number}
}

/** What the rules would do with a call. */
export interface Preview extends Described {
  /** The probability that the rule matches such a call, if it isn't certain. */
  readonly probability?: number
  /** What happens if it doesn't match, by the first rule that leaves nothing to chance. */
  readonly otherwise?: Described
}

/** Previews one call after another, with counts. A rule that matches by chance matches here, with its probability. */
export function createPreview(rules: readonly Rule[]): (call: ReceivedCall, at: number) => Preview {
  const lucky = createJudge(rules, () => 0)
  const certain = createJudge(rules, () => 1)
  return (call, at) => {
    const first = lucky.judge(call, at)
    const other = certain.judge(call, at)
    const likely = describe(first, call)
    if (!first.rule || first.rule.probability === 1) return likely
    return {...likely, probability: first.rule.probability, otherwise: describe(other, call)}
  }
}

function describe({rule, doubt}: Verdict, call: ReceivedCall): Described {
  if (!rule) return {}
  if (doubt !== undefined && rule.fallback) {
    const because = `the fallback answers: the rule cannot be evaluated because ${doubt}`
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
