import {maskText} from '../sensitive/mask-text.ts'
import type {Deadline} from './deadline.ts'
import type {DecisionRequest} from './decide.ts'
import type {CallSummary} from './events.ts'
import type {Pending, Step} from './exchange.ts'
import type {ReceivedCall} from './received-call.ts'

/** A call on its way to a decision. A getter in an object made for each call would cost a hidden class each. */
export class Asked implements DecisionRequest {
  readonly event: string
  readonly at: number
  readonly summary: CallSummary
  readonly call: ReceivedCall
  readonly bytes: Buffer
  readonly note: (step: Step) => void
  readonly #deadline: Deadline

  constructor({event, at, summary, call}: Pending, bytes: Buffer, deadline: Deadline, steps: Step[]) {
    this.event = event
    this.at = at
    this.summary = summary
    this.call = call
    this.bytes = bytes
    this.note = noteIn(steps)
    this.#deadline = deadline
  }

  get signal(): AbortSignal {
    return this.#deadline.signal
  }
}

/** Writes steps down, masked. */
export const noteIn =
  (steps: Step[]) =>
  ({by, said}: Step): void =>
    void steps.push({by, said: maskText(said)})
