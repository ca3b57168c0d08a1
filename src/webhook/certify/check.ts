import type {Exam} from './exam.ts'

/** A check of what an endpoint does beyond one call and its answer. */
export interface BehaviourCheck {
  readonly name: string
  /** The rule of the contract that it checks, by its id. The source of the rule is the source of the check. */
  readonly rule: string
  readonly needs?: readonly Need[]
  run(exam: Exam): Promise<void>
}

/** Without it, a check can't be done. */
export type Need = 'probe' | 'restart' | 'signature'

/** Why a check could not be done, as a sentence without a full stop. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
}
