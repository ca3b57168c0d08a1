import type {AuthCall} from '../call-kind.ts'
import type {Rule} from './compile-rules.ts'

export interface Verdict {
  /** The first rule that takes the call. */
  readonly rule?: Rule
  /** The rules before it, and why they don't. */
  readonly missed: readonly {readonly rule: string; readonly why: string}[]
}

export interface Judge {
  /** `at`: when the call came, milliseconds since 1970. */
  judge(call: AuthCall, at: number): Verdict
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
      let taken: Rule | undefined
      for (const rule of rules) {
        // Rules that count see every call, also those that an earlier rule takes.
        const velocity = velocities.get(rule)
        if (taken && !velocity) continue
        const unmet = firstOf(rule.conditions, condition => condition(call, at))
        const slow = unmet === undefined && velocity?.count(call, at) === false
        if (taken) continue
        const why = unmet ?? (slow ? 'the velocity is within its limit' : isOut(rule))
        if (why === undefined) taken = rule
        else missed.push({rule: rule.name, why})
      }
      return {...(taken && {rule: taken}), missed}
    },
  }
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
