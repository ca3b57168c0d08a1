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

/**
 * What kept a check from being done. `option`: a flag was not passed. `service`: the service that is played never sends
 * such a call. `endpoint`: it does not do what the check begins with. `run`: something went wrong in this run.
 */
export type Because = 'option' | 'service' | 'endpoint' | 'run'

/** Why a check was not done. */
export interface Undone {
  /** A sentence without a full stop. */
  readonly reason: string
  readonly because: Because
  /** The flags that it needs, if these were not passed. */
  readonly options?: readonly string[]
}

export const wantsOption = (reason: string, ...options: readonly string[]): Undone => ({
  reason,
  because: 'option',
  options,
})

/** A check can't be done. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked'
  readonly undone: Undone

  /** By default the endpoint doesn't do what the check begins with. */
  constructor(reason: string, undone: Omit<Undone, 'reason'> = {because: 'endpoint'}) {
    super(reason)
    this.undone = {reason, ...undone}
  }
}
