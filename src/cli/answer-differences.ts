import type {Violation} from '../contract/validate.ts'
import {Failure} from '../errors/failure.ts'
import {maskWithin} from '../sensitive/mask-text.ts'

/** Places named in one line; --debug names them all. */
export const MOST_NAMED = 5
const LONGEST = 200

/** Where the answers of one command differ from the contract. They are shown as they came, so this is only told. */
export class AnswerDifferences {
  /** Place and message → in how many answers or items it occurs. */
  readonly #places = new Map<string, number>()
  #answers = 0
  #differing = 0

  /** One answer of the service, with what differs in it. */
  add(differences: readonly Violation[]): void {
    this.#answers++
    if (differences.length > 0) this.#differing++
    for (const difference of differences) {
      const what = differenceWords(difference)
      this.#places.set(what, (this.#places.get(what) ?? 0) + 1)
    }
  }

  get any(): boolean {
    return this.#differing > 0
  }

  /** All of it as one sentence. */
  get words(): string {
    const places = [...this.#places].map(([what, count]) => (count > 1 ? `${what} (${count} times)` : what))
    const named = places.slice(0, MOST_NAMED).join('; ')
    const more = places.length - MOST_NAMED
    const who =
      this.#answers > 1 ? `${this.#differing} of ${this.#answers} answers differ` : 'The answer differs'
    return `${who} from the contract: ${named}${more > 0 ? `; and ${more} more` : ''}.`
  }

  /** What `--strict` makes of it. */
  toFailure(): Failure {
    return new Failure('ANSWER_DIFFERS', {
      message: this.words,
      effect: 'done',
      data: {differences: [...this.#places].map(([what, count]) => ({what, count}))},
    })
  }
}

/** One difference, with its place. Values never stand in it; a name may be one, so it is masked and cut. */
export const differenceWords = (difference: Violation): string => maskWithin(atPlace(difference), LONGEST)

function atPlace({pointer, message}: Violation): string {
  const place = placeOf(pointer)
  if (place === '') return message
  // The message begins with the same place in dotted form.
  const dotted = pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replace(/^(\d+)(?=\/|$)/, '[$1]')
    .replaceAll('/', '.')
  return message.startsWith(`${dotted} `) ? `${place}${message.slice(dotted.length)}` : `${place}: ${message}`
}

/** Each difference of an answer once, however many items of a list have it. */
export const distinctDifferences = (differences: readonly Violation[]): string[] => [
  ...new Set(differences.map(differenceWords)),
]

/** Items of a list differ in the same way: `/0/status` and `/7/status` are one place. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
