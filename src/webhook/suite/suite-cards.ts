import {newCard} from '../send/new-card.ts'
import {type CardFacts, someCard} from '../send/scenario-call.ts'
import {Balance} from './balance.ts'
import {moneyOf} from './make-call.ts'
import {FOLLOW_UPS, type Step, type StepSpec, type Suite} from './suite-file.ts'

const STARTING_BALANCE = '5000 EUR'

/** The cards that the calls of a suite are about, and what the account of each has. */
export class SuiteCards {
  readonly #newId: () => string
  readonly #available: string
  readonly #isEach: boolean
  /** The card of steps that name no other. */
  readonly #card: CardFacts
  /** By the names of their steps. */
  readonly #cards = new Map<string, CardFacts>()
  readonly #balances = new Map<CardFacts, Balance>()

  constructor({card, available = STARTING_BALANCE}: Suite, newId: () => string) {
    this.#newId = newId
    this.#available = available
    this.#isEach = card === 'each'
    this.#card = card === 'new' ? newCard(newId) : someCard
  }

  /** The card of a step that has run. */
  of(step: string): CardFacts {
    return this.#cards.get(step) ?? this.#card
  }

  keep(step: string, card: CardFacts): void {
    this.#cards.set(step, card)
  }

  /** The card for a step. A step that follows another is about the card of that one. */
  choose({verb}: Step, spec: StepSpec): CardFacts {
    const follows = FOLLOW_UPS.find(each => each === verb)
    if (follows) return this.of(spec[follows] ?? '')
    return spec.card === 'new' || this.#isEach ? newCard(this.#newId) : this.#card
  }

  balanceOf(card: CardFacts): Balance {
    const balance = this.#balances.get(card) ?? new Balance(moneyOf(this.#available))
    this.#balances.set(card, balance)
    return balance
  }
}
