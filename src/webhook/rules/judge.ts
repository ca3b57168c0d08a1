import type {ReceivedCall} from '../received-call.ts'
import type {Rule} from './compile-rules.ts'
import type {Velocity} from './velocity.ts'

export interface Verdict {
  /** The first rule that takes the call. */
  readonly rule?: Rule
  /** The rules before it, and why they don't. */
  readonly missed: readonly {readonly rule: string; readonly why: string}[]
  /** Why the rule cannot be evaluated, though it takes the call: its fallback answers. */
  readonly doubt?: string
}

export interface Judge {
  /** `at`: when the call came, milliseconds since 1970. */
  judge(call: ReceivedCall, at: number): Verdict
}

/** Rules in their order, which have counted nothing yet. `random` gives numbers in [0, 1). */
export function createJudge(rules: readonly Rule[], random: () => number): Judge {
  const met = new Map<Rule, number>()
  const velocities = new Map(rules.map(rule => [rule, rule.velocity?.()]))

  /** Whether it is the rule's turn, once everything else is met. */
  function isOut(rule: Rule): string | undefined {
    if (rule.probability < 1 && random() >= rule.probability) return 'left out by chance'
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
        // Rules that count see every call, also those that an earlier rule takes.
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

/** Why a rule doesn't take a call, else why that cannot be told. */
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
  // In doubt a call counts where that declines, and doesn't where that approves.
  if (!velocity || (doubt !== undefined && !fallback)) return doubt === undefined ? {} : {doubt}
  const isOver = velocity.count(call, at)
  if (isOver === false) return {unmet: 'the velocity is within its limit'}
  if (isOver === undefined) doubt ??= 'the card or the amount is absent or not readable'
  return doubt === undefined ? {} : {doubt}
}

const inDoubt = (why: string): string => `it cannot be evaluated, for ${why}`
