import type * as FastCheck from 'fast-check'
import type {StepSpec} from '../../suite/suite-file.ts'
import type {Exam} from '../exam.ts'

/** What holds for every generated value, and how a value that breaks it is written as steps of a suite. */
export interface Property<Value> {
  readonly name: string
  /** The rule that it checks if nothing more exact is known. */
  readonly rule: string
  readonly runs: number
  readonly arbitrary: FastCheck.Arbitrary<Value>
  run(exam: Exam, value: Value): Promise<void>
  steps(value: Value): readonly StepSpec[]
  /** Whether a suite can show it; by default it can. */
  isPlayable?(value: Value): boolean
  /** What the account of those steps has, if not the usual: `5000 SEK`. */
  available?(value: Value): string
}
