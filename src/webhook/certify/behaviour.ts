import {amountChecks} from './amount-checks.ts'
import {basicChecks} from './basic-checks.ts'
import {brokenChecks} from './broken-checks.ts'
import type {BehaviourCheck} from './check.ts'
import {connectionChecks, warmUpChecks} from './connection-checks.ts'
import {openFormChecks} from './form-checks.ts'
import {incrementChecks, manyIncrementChecks} from './increment-checks.ts'
import {balanceChecks, moneyChecks} from './money-checks.ts'
import {repeatChecks, restartChecks, reusedIdChecks} from './repeat-checks.ts'
import {repeatedReversalChecks, reversalChecks} from './reversal-checks.ts'
import {whichHoldChecks} from './which-hold-checks.ts'
import {writtenFormChecks} from './written-checks.ts'

/**
 * In this order: what others build on comes first, so that the first check that fails names the rule that was broken.
 * Where holds are seen, a check says "decided once"; from outside one sees only that an answer was repeated.
 */
export const behaviourChecks: readonly BehaviourCheck[] = [
  ...basicChecks,
  ...moneyChecks,
  ...amountChecks,
  ...incrementChecks,
  ...reversalChecks,
  ...whichHoldChecks,
  ...balanceChecks,
  ...manyIncrementChecks,
  ...openFormChecks,
  ...repeatChecks,
  ...repeatedReversalChecks,
  ...reusedIdChecks,
  ...brokenChecks,
  ...writtenFormChecks,
  ...connectionChecks,
  ...warmUpChecks,
  ...restartChecks,
]
