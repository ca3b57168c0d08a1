import type {Exam} from './exam.ts'

/** A check that lasts as long as a run: `begin` sends its calls first, and what that returns looks again at the end. */
export interface LongCheck {
  readonly name: string
  readonly rule: string
  readonly part: string
  /** How many other calls have to come between. */
  readonly leastBetween?: number
  /** How much time has to pass, in ms. A whole certificate waits for it. */
  readonly leastMs?: number
  begin(exam: Exam): Promise<(between: number) => Promise<void>>
}

export const longRepeat: LongCheck = {
  name: 'a payment and its reversal again, after all other calls: decided once',
  rule: 'kept-ids',
  part: 'kept ids',
  // An endpoint that keeps only its newest ids keeps a thousand of them, or ten thousand.
  leastBetween: 10_000,
  begin: async exam => {
    const card = exam.card()
    const call = exam.call('hotel', {card, amount: '100 EUR'})
    const paid = await exam.approved(call)
    const reversal = exam.reversal(call, {amount: '30.25 EUR'})
    const reversed = await exam.send(reversal)
    return async between => {
      exam.noteOthers(between)
      const expected = `the same answer as ${between} calls before`
      exam.expectSame(paid, [await exam.send(exam.again(call))], expected)
      exam.expectSame(reversed, [await exam.send(exam.again(reversal))], expected)
      await exam.expectRoom(card)
    }
  },
}

const longHold: LongCheck = {
  name: 'holds that are valid for one day, and for seven, are held at the end of the run',
  rule: 'expiry',
  part: 'expiry',
  // A day has 86,400 s: as milliseconds they are over by then.
  leastMs: 87_000,
  begin: async exam => {
    const card = exam.card()
    for (const authValidityInDays of [1, 7]) {
      await exam.approved(exam.call('chip', {card, amount: '20 EUR', data: {authValidityInDays}}))
    }
    return async () => exam.expectRoom(card)
  },
}

export const longChecks: readonly LongCheck[] = [longRepeat, longHold]
