import type {Readable} from 'node:stream'
import type {Check, Question} from './question-look.ts'

interface Key {
  readonly ctrl?: boolean
  readonly meta?: boolean
  readonly name?: string
}

/**
 * A text that a question shows, because it was refused or is a former answer, is treated as selected: the first
 * character replaces it, and any other key, such as an arrow, begins to edit it.
 */
export class ReplacedText {
  readonly #stdin: Readable
  #isSelected = false

  /** Create it before the question reads the input, so that it sees each key first. */
  constructor(stdin: Readable) {
    this.#stdin = stdin
    stdin.on('keypress', this.#onKey)
  }

  watched(question: Question): Question {
    if (question.type !== 'input') return question
    this.#isSelected = question.prefill === 'editable'
    const check = question.validate as Check | undefined
    if (check === undefined) return question
    const validate = async (answer: string): Promise<true | string> => {
      const problem = await check(answer)
      this.#isSelected = problem !== true
      return problem
    }
    return {...question, validate}
  }

  leave(): void {
    this.#stdin.off('keypress', this.#onKey)
  }

  readonly #onKey = (text: string | undefined, {ctrl, meta, name}: Key = {}): void => {
    if (!this.#isSelected || name === 'return' || name === 'enter') return
    this.#isSelected = false
    const isCharacter = text !== undefined && text >= ' ' && text !== '\u007f' && !ctrl && !meta
    if (isCharacter) this.#stdin.emit('keypress', '\u0015', {sequence: '\u0015', name: 'u', ctrl: true})
  }
}
