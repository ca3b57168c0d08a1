import type {CardFacts} from '../send/scenario-call.ts'
import {verdictInWords} from '../suite/expectations.ts'
import type {Done} from '../suite/masked-call.ts'
import {NotChecked} from './check.ts'
import type {Exam, Known} from './exam.ts'
import {type Currencies, findRoom, firstOf, grainOf, inWords, type Room, unitOf} from './room.ts'

/** What of a card is looked at, and what it may break. */
export interface LookedRoom {
  /** A credit may have raised what it can pay. */
  readonly mayHaveMore?: boolean
  /** Of the payments, if not that of the account. */
  readonly currency?: string
  /** What is broken if it is wrong, if not the rule of the check. */
  readonly rule?: string
}

interface Asked {
  readonly held: bigint
  readonly left: bigint
  /** The least that is more than what is left. */
  readonly more: bigint
  readonly room: Room
  readonly looked: LookedRoom
  pay(minor: bigint): Promise<Done>
  words(minor: bigint): string
}

interface Surroundings {
  readonly known: Known
  seesHolds(): boolean
  readonly hasProbe: boolean
  newCard(available: string): CardFacts
  /** `isAside`: of a card that nothing else is asked of. */
  pay(amount: string, card: CardFacts, isAside?: boolean): Promise<Done>
  readonly expect: Exam['expect']
}

/** Finds out by payments what is held on a card: only what is left can still be paid. */
export class RoomQuestions {
  /** The payment that showed what is held, if that is wrong. */
  wrong: {readonly amount: string; readonly expected: 'approved' | 'declined'} | undefined
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  /**
   * The rest of a card can be paid, and no unit more. It is paid.
   *
   * @throws NotChecked if the endpoint doesn't show it and there is no probe
   */
  async expectRest(card: CardFacts, looked: LookedRoom = {}): Promise<void> {
    const asked = await this.#ask(card, looked)
    if (asked === undefined) return
    if (asked === null) {
      if (this.#around.seesHolds()) return
      throw new NotChecked(
        'it needs --probe, because calls do not show what the endpoint holds: it declines none for lack of funds',
        this.#around.hasProbe ? {because: 'run'} : {because: 'option', options: ['--probe']},
      )
    }
    if (!(await this.#expectNoMore(asked)) || asked.left <= 0n) return
    const {held, left, room, pay, words} = asked
    const all = await pay(left)
    const {outcome, code} = all.verdict
    if (outcome === 'declined' && code !== room.code) {
      throw new NotChecked(`it needs an endpoint that goes on, and this one declined with ${code}`)
    }
    const isApproved = outcome === 'approved'
    if (!isApproved) this.wrong = {amount: words(left), expected: 'approved'}
    const got = isApproved ? 'approved' : `${verdictInWords(all.verdict)}: more is held`
    const expected = `${words(left)} approved, as ${words(held)} are held`
    this.#around.expect('room', expected, got, isApproved, [all], looked.rule)
  }

  /** The same, if the endpoint shows it. */
  async expectRestIfShown(card: CardFacts, looked?: LookedRoom): Promise<void> {
    if ((await this.#find(EUROS)) !== null) await this.expectRest(card, looked)
  }

  /** Only the first half of it, which changes nothing. */
  async expectNoMore(card: CardFacts, looked: LookedRoom = {}): Promise<void> {
    const asked = await this.#ask(card, looked)
    if (asked) await this.#expectNoMore(asked)
  }

  /** @throws NotChecked if the endpoint doesn't show how much a card can pay */
  async known(currencies: Currencies = EUROS): Promise<Room> {
    const room = await this.#find(currencies)
    if (room?.counts) return room
    throw new NotChecked('the endpoint declines none for lack of funds')
  }

  async #expectNoMore({held, more, room, looked, pay, words}: Asked): Promise<boolean> {
    if (looked.mayHaveMore || !room.counts) return true
    const done = await pay(more)
    const isDeclined = done.verdict.outcome === 'declined'
    const got = isDeclined ? 'declined' : `${verdictInWords(done.verdict)}: more than is left`
    const expected = `${words(more)} declined, as ${words(held)} are held`
    this.#around.expect('room', expected, got, isDeclined, [done], looked.rule)
    if (!isDeclined) this.wrong = {amount: words(more), expected: 'declined'}
    return isDeclined
  }

  /** Undefined if it is open what is held, null if the endpoint doesn't show it. */
  async #ask(card: CardFacts, looked: LookedRoom): Promise<Asked | undefined | null> {
    const {known, pay} = this.#around
    const home = card.available?.currency ?? 'EUR'
    const currencies = {asked: looked.currency ?? home, home}
    const held = known.ledger.onCard(card.cardId, currencies)
    if (held === undefined) return undefined
    const room = await this.#find(currencies)
    if (!room || (held > 0n && !room.counts)) return null
    const words = (minor: bigint) => inWords(minor, currencies.asked)
    const grain = grainOf(currencies, held)
    const left = room.most - held
    return {
      held,
      // A conversion may take a little more.
      left: grain > 1n ? left - grain : left,
      more: left + grain > 0n ? left + grain : 1n,
      room,
      looked,
      pay: minor => pay(words(minor), card),
      words,
    }
  }

  /** How much a new card can pay; null if the endpoint doesn't show it. */
  async #find(currencies: Currencies): Promise<Room | null> {
    const {known, newCard, pay} = this.#around
    const {asked, home} = currencies
    const found = known.rooms.get(`${asked} ${home}`)
    if (found !== undefined) return found
    const room = await findRoom(
      async (amount, card = newCard(`5000 ${home}`)) => {
        const {verdict} = await pay(inWords(amount, asked), card, true)
        return {...verdict, card}
      },
      {guess: 5000n * unitOf(asked), first: firstOf(asked)},
    )
    known.rooms.set(`${asked} ${home}`, room)
    return room
  }
}

const EUROS: Currencies = {asked: 'EUR', home: 'EUR'}
