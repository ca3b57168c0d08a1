import {connectionChecks, warmUpChecks} from './connection-checks.ts'
import type {BehaviourCheck} from './exam.ts'
import {basicChecks, openFormChecks, writtenFormChecks} from './form-checks.ts'
import {balanceChecks, moneyChecks} from './money-checks.ts'
import {repeatChecks, restartChecks, reusedIdChecks} from './repeat-checks.ts'
import {incrementChecks, repeatedReversalChecks, reversalChecks} from './reversal-checks.ts'

/**
 * In this order: what others build on comes first, so that the first check that fails names the rule that was broken.
 * Where holds are seen, a check says "decided once"; from outside one sees only that an answer was repeated.
 */
export const behaviourChecks: readonly BehaviourCheck[] = [
  ...basicChecks,
  ...moneyChecks,
  ...reversalChecks,
  ...balanceChecks,
  ...incrementChecks,
  ...openFormChecks,
  ...repeatChecks,
  ...repeatedReversalChecks,
  ...reusedIdChecks,
  ...writtenFormChecks,
  ...connectionChecks,
  ...warmUpChecks,
  ...restartChecks,
]
