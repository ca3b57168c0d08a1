import type {Operation} from '../contract/operation.ts'
import type {BodyDifference} from '../contract/validate.ts'
import {type EffectOutcome, Failure} from '../errors/failure.ts'
import {envelopeHint, type ServiceResponse} from '../http/index.ts'
import {maskWithin} from '../sensitive/mask-text.ts'

interface Unrecorded {
  /** Its id in the journal. */
  readonly id: string
  readonly why: unknown
}

/** What the requests of a command have changed at the service, all together. */
export class Effects {
  #all: EffectOutcome = 'none'
  #carriedOut: string | undefined
  #hasSent = false
  #hasWritten = false
  #refused: Failure | undefined
  readonly #unrecorded: Unrecorded[] = []

  /** Whether any request, also a read, may have been sent. */
  get hasSent(): boolean {
    return this.#hasSent
  }

  /** Whether any request may have been sent that isn't a read. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  noteSent({effect}: Pick<Operation, 'effect'>): void {
    this.#hasSent = true
    if (effect !== 'read') this.#hasWritten = true
  }

  /** `unknown` if the effect of any request is, else `done` if any had one. */
  get all(): EffectOutcome {
    return this.#all
  }

  /** The last write that was certainly carried out, by its id in the journal. */
  get carriedOut(): string | undefined {
    return this.#carriedOut
  }

  /** The last write that was sent and refused. */
  get refused(): Failure | undefined {
    return this.#refused
  }

  addRefused({effect}: Pick<Operation, 'effect'>, failure: Failure): void {
    if (effect !== 'read' && failure.details.effect === 'none' && failure.details.status !== undefined)
      this.#refused = failure
  }

  /** Requests whose end this command knows, but could not record. */
  get unrecorded(): readonly Unrecorded[] {
    return this.#unrecorded
  }

  addUnrecorded(request: Unrecorded): void {
    this.#unrecorded.push(request)
  }

  addCarriedOut({effect}: Pick<Operation, 'effect'>, requestId: string): void {
    if (effect === 'write' || effect === 'destroy') this.#carriedOut = requestId
  }

  add({effect}: Pick<Operation, 'effect'>, outcome: EffectOutcome): void {
    if (effect === 'read' || this.#all === 'unknown' || outcome === 'none') return
    this.#all = outcome
  }
}

/** Places named in one line; --debug names them all. */
export const MOST_NAMED = 5
const LONGEST = 200

/** Where the responses to one command differ from the contract. They are shown unchanged, with a warning. */
export class ResponseDifferences {
  /** Place and message → in how many responses or items it occurs. */
  readonly #places = new Map<string, number>()
  #responses = 0
  #differing = 0
  #foreign = 0
  #envelope: string | undefined

  /** Counts a response, with its differences. */
  add({
    differences: all,
    isForeign: isOther,
    isPolled,
    likelyEnvelope,
  }: Pick<ServiceResponse, 'differences' | 'isForeign' | 'isPolled' | 'likelyEnvelope'>): void {
    // That a response had no example of a member says nothing about the service.
    const differences = all.filter(({unseen}) => unseen !== true)
    const isForeign = isOther && !isPolled
    this.#responses++
    if (differences.length > 0 || isForeign) this.#differing++
    if (isForeign) this.#foreign++
    this.#envelope ??= likelyEnvelope
    for (const difference of differences) {
      const what = differenceWords(difference)
      this.#places.set(what, (this.#places.get(what) ?? 0) + 1)
    }
  }

  get any(): boolean {
    return this.#differing > 0
  }

  /** All differences in one sentence. */
  get words(): string {
    const places = [...this.#places].map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what))
    const named = places.slice(0, MOST_NAMED).join('; ')
    const more = places.length - MOST_NAMED
    const who =
      this.#responses > 1
        ? `${this.#differing} of ${this.#responses} responses differ`
        : 'The response differs'
    if (this.#foreign > 0) {
      const has = this.#responses > 1 ? `${this.#foreign} of ${this.#responses} responses have` : 'It has'
      const hint = this.#envelope === undefined ? '' : ` ${envelopeHint(this.#envelope)}`
      return `${who} from the contract. ${has} no field where the contract has it: shown as it came.${hint}`
    }
    return `${who} from the contract: ${named}${more > 0 ? `; and ${more} more` : ''}.`
  }

  /** The error of `--strict`. @param effect of the command: a read has none */
  toFailure(effect: EffectOutcome): Failure {
    return new Failure('ANSWER_DIFFERS', {
      message: this.words,
      effect,
      data: {differences: [...this.#places].map(([what, count]) => ({what, count}))},
    })
  }
}

/** One difference, with its place. It quotes no value, but a name may be one, so it is masked and cut. */
export const differenceWords = (difference: BodyDifference): string =>
  maskWithin(atPlace(difference), LONGEST)

function atPlace({pointer, message, problem}: BodyDifference): string {
  const place = placeOf(pointer)
  return place === '' ? message : `${place} ${problem}`
}

/** Each difference of a response once, however many items of a list have it. */
export const distinctDifferences = (differences: readonly BodyDifference[]): string[] => [
  ...new Set(differences.map(differenceWords)),
]

/** Items of a list differ in the same way: `/0/status` and `/7/status` are one place. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
