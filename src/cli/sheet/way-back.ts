import type {Decimal} from '../../money/decimal-sign.ts'
import {dim} from '../../output/index.ts'
import {askDecimal, type DecimalReading} from '../ask-decimal.ts'
import type {Context} from '../context.ts'
import {Dialogue, TAKEN_BACK} from '../guided/dialogue.ts'
import {createPrompter, type Prompter} from '../question.ts'
import {StepBack, stoppedAtQuestion} from '../question-ends.ts'

/** Who is asked about a spreadsheet, and is told which flag gives each answer. */
export interface AskedReader {
  readonly prompter: Prompter
  readonly answered: (flag: string, value: string) => void
  /** Asks how decimals are written, where the file doesn't show it. */
  readonly chooseDecimal: (readings: readonly DecimalReading[]) => Promise<Decimal>
}

/** Reads something with questions to a person. */
export type Asking = <T>(name: string, read: (reader: AskedReader) => Promise<T>) => Promise<T>

/**
 * Esc at a question about a spreadsheet goes back to the one before: the sheet is read again with the answers before
 * that. At the first one it leaves.
 *
 * @param tell told of the answers that count, as flags
 */
export function askingAgain(context: Context, tell: AskedReader['answered']): Asking {
  const {surroundings, printer} = context
  return async (name, read) => {
    const dialogue = new Dialogue()
    const prompter = createPrompter(surroundings, {dialogue})
    let before: readonly unknown[] = []
    for (;;) {
      const told: [flag: string, value: string][] = []
      const answered = (flag: string, value: string): void => void told.push([flag, value])
      const chooseDecimal = async (readings: readonly DecimalReading[]): Promise<Decimal> => {
        const decimal = await askDecimal({printer, prompter}, name, readings)
        answered('--decimal', decimal)
        return decimal
      }
      dialogue.begin(before)
      try {
        const found = await read({prompter, answered, chooseDecimal})
        for (const [flag, value] of told) tell(flag, value)
        return found
      } catch (error) {
        if (!(error instanceof StepBack)) {
          for (const [flag, value] of told) tell(flag, value)
          throw error
        }
        if (dialogue.answers.length === 0)
          throw surroundings.fromMenu === true ? error : stoppedAtQuestion('SIGINT')
        printer.question(dim(TAKEN_BACK))
        before = dialogue.answers
      }
    }
  }
}
