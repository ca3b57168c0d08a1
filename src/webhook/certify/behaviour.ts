import {connectionChecks} from './connection-checks.ts'
import type {Exam} from './exam.ts'
import {holdChecks} from './hold-checks.ts'
import {orderChecks} from './order-checks.ts'
import {repeatChecks} from './repeat-checks.ts'

/** A check of what an endpoint does beyond one call and its answer. */
export interface BehaviourCheck {
  readonly name: string
  /** The rule of the contract that it checks, named by its subject. The source of the rule is the source of the check. */
  readonly rule: string
  readonly needs?: readonly ('probe' | 'restart')[]
  run(exam: Exam): Promise<void>
}

/**
 * In this order. Where holds are seen, a check says "decided once"; from outside one sees only that an answer was
 * repeated.
 */
export const behaviourChecks: readonly BehaviourCheck[] = [
  ...repeatChecks,
  ...connectionChecks,
  ...orderChecks,
  ...holdChecks,
]
