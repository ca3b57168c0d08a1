import {connectionChecks} from './connection-checks.ts'
import type {BehaviourCheck} from './exam.ts'
import {holdChecks} from './hold-checks.ts'
import {orderChecks} from './order-checks.ts'
import {repeatChecks} from './repeat-checks.ts'

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
