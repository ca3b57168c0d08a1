import type {Operation} from '../contract/operation.ts'
import type {EffectOutcome} from '../errors/failure.ts'

/** What the requests of a command have changed at the service, all together. */
export class Effects {
  #all: EffectOutcome = 'none'
  #carriedOut: string | undefined
  #hasSent = false

  /** Whether any request, also a read, may have been sent. */
  get hasSent(): boolean {
    return this.#hasSent
  }

  noteSent(): void {
    this.#hasSent = true
  }

  /** `unknown` if the effect of any request is, else `done` if any had one. */
  get all(): EffectOutcome {
    return this.#all
  }

  /** The last write that was certainly carried out, by its id in the journal. */
  get carriedOut(): string | undefined {
    return this.#carriedOut
  }

  addCarriedOut({effect}: Pick<Operation, 'effect'>, requestId: string): void {
    if (effect === 'write' || effect === 'destroy') this.#carriedOut = requestId
  }

  add({effect}: Pick<Operation, 'effect'>, outcome: EffectOutcome): void {
    if (effect === 'read' || this.#all === 'unknown' || outcome === 'none') return
    this.#all = outcome
  }
}
