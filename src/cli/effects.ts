import type {Operation} from '../contract/operation.ts'
import type {EffectOutcome} from '../errors/failure.ts'

/** What the requests of a command have changed at the service, all together. */
export class Effects {
  #all: EffectOutcome = 'none'

  /** `unknown` if the effect of any request is, else `done` if any had one. */
  get all(): EffectOutcome {
    return this.#all
  }

  add({effect}: Pick<Operation, 'effect'>, outcome: EffectOutcome): void {
    if (effect === 'read' || this.#all === 'unknown' || outcome === 'none') return
    this.#all = outcome
  }
}
