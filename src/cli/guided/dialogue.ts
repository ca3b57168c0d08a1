import type {Question} from '../question-look.ts'

/** Below the answer that Esc abandons, which stays on the screen. */
export const TAKEN_BACK = '  Taken back.'

/**
 * The answers to the questions of one step, in order. When Esc takes the last one back, the step runs again: the answers
 * before it are given without a question, and the last question is asked with its former answer, to be changed.
 */
export class Dialogue {
  #given: unknown[] = []
  #former: {readonly answer: unknown} | undefined
  #answers: unknown[] = []

  /** What was answered since the step began. */
  get answers(): readonly unknown[] {
    return this.#answers
  }

  /** @param before the answers of an earlier try, of which the last one was taken back */
  begin(before: readonly unknown[] = []): void {
    this.#given = before.slice(0, -1)
    this.#former = before.length > 0 ? {answer: before.at(-1)} : undefined
    this.#answers = []
  }

  async answer(question: Question, ask: (question: Question) => Promise<unknown>): Promise<unknown> {
    const answer = this.#given.length > 0 ? this.#given.shift() : await this.#ask(question, ask)
    this.#answers.push(answer)
    return answer
  }

  #ask(question: Question, ask: (question: Question) => Promise<unknown>): Promise<unknown> {
    const former = this.#former
    this.#former = undefined
    return ask(former === undefined ? question : {...question, ...withAnswer(question, former.answer)})
  }
}

interface Choice {
  readonly value?: unknown
}

/** The settings of inquirer that have the question begin with this answer. */
function withAnswer({type, choices, source}: Question, answer: unknown): Question {
  switch (type) {
    case 'input':
      return {default: answer, prefill: 'editable'}
    case 'checkbox':
      return {
        choices: (choices as readonly Choice[]).map(choice => ({
          ...choice,
          checked: (answer as readonly unknown[]).includes(choice.value),
        })),
      }
    case 'search': {
      const listed = (source as (typed: undefined) => readonly Choice[])(undefined)
      return listed.some(({value}) => value === answer) ? {default: answer} : {initialValue: answer}
    }
    default:
      return {default: answer}
  }
}
