import * as Flags from '@oclif/core/flags'
import {Failure} from '../../../errors/failure.ts'
import {textAt} from '../../../output/fields.ts'

/** The last four digits of a card number, as people read them out. */
export const lastFourFlag = Flags.custom<string>({
  helpValue: 'DIGITS',
  parse: async (text, _, {name}) => {
    const digits = text.trim()
    if (!/^\d{4}$/.test(digits))
      throw new Failure('USAGE', {
        message: `--${name} takes the last 4 digits of a card number, and only these.`,
      })
    return digits
  },
})

/** Chooses cards by their last four digits, and counts those of which the list doesn't have them. */
export class LastFour {
  readonly #digits: string
  #untold = 0

  constructor(digits: string) {
    this.#digits = digits
  }

  readonly isOf = (card: unknown): boolean => {
    const [ending] =
      /\d{4}$/.exec(textAt(card, 'maskedCardNumber') || textAt(card, 'truncatedCardNumber')) ?? []
    if (ending === undefined) this.#untold += 1
    return ending === this.#digits
  }

  /** @throws Failure LIST_INCOMPLETE if a card of the list may have these digits, too. */
  readonly refuseUntold = (): void => {
    if (this.#untold === 0) return
    throw new Failure('LIST_INCOMPLETE', {
      message: `${this.#untold === 1 ? '1 card' : `${this.#untold} cards`} of the list ${this.#untold === 1 ? 'has' : 'have'} no number, so ${this.#untold === 1 ? 'it' : 'they'} may end in ${this.#digits}, too.`,
      hint: 'Leave --last4 out to see all cards.',
      effect: 'none',
      data: {complete: false, reason: 'FAILED'},
    })
  }
}
