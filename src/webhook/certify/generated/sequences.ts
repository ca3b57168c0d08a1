import {setTimeout as delay} from 'node:timers/promises'
import type * as FastCheck from 'fast-check'
import {partOf, type ReceivedCall} from '../../received-call.ts'
import type {CardFacts} from '../../send/scenario-call.ts'
import type {Done} from '../../suite/masked-call.ts'
import {type Edits, edited} from '../edit-call.ts'
import type {Exam} from '../exam.ts'
import {ruleOfCall} from '../rule-of-call.ts'
import {anySequences, askedOf, homeOf, type Sequence} from './acts.ts'
import {type Play, playsOf, RUN, stepOf} from './plays.ts'
import type {Property} from './property.ts'

/** No answer comes within this, and an endpoint may notice a little later that nobody took its answer. */
const [TOO_SOON_MS, NOTICED_MS] = [1, 20]

const CREDITS = /refund|credit/

/** Payments of one card, and what becomes of them, in any order: every answer is valid, and the right sum is held. */
export const anySequence = (fc: typeof FastCheck): Property<Sequence> => ({
  name: 'payments, repeats, increments and reversals of a card in any order: the right sum is held',
  rule: 'holds',
  runs: 80,
  arbitrary: anySequences(fc),
  run: (exam, sequence) => new Player(exam, sequence).play(playsOf(sequence)),
  steps: sequence => playsOf(sequence).map(stepOf),
  isPlayable: sequence => playsOf(sequence).every(({together, isLate}) => !together && !isLate),
  available: sequence => `5000 ${homeOf(sequence)}`,
})

/** Sends the calls of a sequence, and looks after each at what the card can still pay. */
class Player {
  readonly #exam: Exam
  readonly #card: CardFacts
  readonly #currency: string
  readonly #id: string
  /** By the names of steps. */
  readonly #calls = new Map<string, ReceivedCall>()
  /** The rule that the last call can break. */
  #rule = 'holds'
  #isCredited = false

  constructor(exam: Exam, sequence: Sequence) {
    this.#exam = exam
    this.#card = exam.card(`5000 ${homeOf(sequence)}`)
    this.#id = `${String(this.#card.cardId)}-`
    this.#currency = askedOf(sequence)
  }

  async play(plays: readonly Play[]): Promise<void> {
    let together: ReceivedCall[] = []
    for (const play of plays) {
      const call = this.#callOf(play)
      if (play.name !== undefined) this.#calls.set(play.name, call)
      if (play.together || together.length > 0) {
        together.push(call)
        if (play.together) continue
        for (const done of await this.#exam.sendTogether(together)) this.#judge(done)
        together = []
      } else await this.#send(play, call)
      if (play.rule !== undefined) this.#rule = play.rule
      await this.#exam.glance(this.#card, this.#looked)
      if (this.#exam.wrongRoom) return
    }
    await this.#exam.expectRoom(this.#card, this.#looked)
  }

  get #looked() {
    return {mayHaveMore: this.#isCredited, currency: this.#currency, rule: this.#rule}
  }

  async #send({repeat, another, times = 1, drop, isLate}: Play, call: ReceivedCall): Promise<void> {
    const exam = this.#exam
    if (another !== undefined) {
      this.#rule = 'reused-ids'
      await exam.send(call)
    } else if (repeat !== undefined) {
      this.#rule = 'repeats'
      exam.expectRepeated(call, times > 1 ? await exam.sendAtOnce(call, times) : [await exam.send(call)])
    } else if (times > 1) {
      const [first, ...others] = await exam.sendAtOnce(call, times)
      if (first) exam.expectSame(first, others, 'the same answer as the first', 'repeats')
      this.#rule = 'repeats'
    } else if (drop !== undefined || isLate) {
      await exam.send(call, isLate ? {withinMs: TOO_SOON_MS} : {drop})
      this.#rule = 'dropped-connections'
      await delay(NOTICED_MS)
    } else this.#judge(await exam.send(call))
  }

  /** What is right of any answer; and the rule of a call tells what is broken if the sum is wrong. */
  #judge(done: Done): void {
    const call = done.call as ReceivedCall
    const {transactionType} = partOf(call, 'transactionData')
    this.#rule = ruleOfCall(call, done.verdict, 'holds')
    if (transactionType === 'REVERSAL') this.#exam.expectOutcome(done, 'approved')
    else this.#exam.expectDecided(done, ruleOfAnswer(done))
  }

  #callOf({send, repeat, another, increment, reverse, set = {}, ...play}: Play): ReceivedCall {
    const exam = this.#exam
    const changes = {amount: play.amount}
    const again = repeat ?? another
    if (again !== undefined) return edited(exam.again(this.#earlier(again)), this.#resolved(set))
    if (increment !== undefined) {
      const of = this.#earlier(increment)
      return edited(exam.call('hotel-increment', {...changes, of}), this.#resolved(set))
    }
    if (reverse !== undefined) {
      return edited(exam.reversal(this.#earlier(reverse), {left: play.remaining}), this.#resolved(set))
    }
    if (CREDITS.test(send ?? '')) this.#isCredited = true
    const card = play.card === 'new' ? exam.card(`5000 ${this.#card.available?.currency}`) : this.#card
    return edited(exam.call(send ?? '', {...changes, card}), this.#resolved(set))
  }

  #earlier(name: string): ReceivedCall {
    const call = this.#calls.get(name)
    if (!call) throw new Error(`There is no step ${name}.`)
    return call
  }

  /** With the transactionId of a step in place of its name. */
  #resolved(set: Edits): Edits {
    const value = (text: unknown) => {
      if (typeof text === 'string' && text.startsWith(RUN)) return `${this.#id}${text.slice(RUN.length)}`
      const [, step] = /^\$\{(.*)\.transactionId\}$/.exec(String(text)) ?? []
      return step === undefined ? text : partOf(this.#earlier(step), 'metadata').transactionId
    }
    return Object.fromEntries(Object.entries(set).map(([path, text]) => [path, value(text)]))
  }
}

/** The rule that an answer breaks which is no decision. */
function ruleOfAnswer({verdict}: Done): string {
  const [pointer = ''] = verdict.violations.map(each => each.pointer)
  if (pointer.includes('partialApprovalAmount')) return 'partial-amounts'
  if (pointer.includes('availableAmount')) return 'balance-inquiries'
  return pointer.endsWith('/code') ? 'codes' : 'status'
}
