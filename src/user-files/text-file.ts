import type {Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Issue} from './parse-text.ts'

/** Everything that is wrong in a file, by line and column. */
export function unusableFile(file: string, problems: readonly Issue[], hint: Hint): Failure {
  const lines = problems.map(issue => placedIn(file, issue))
  const [first = '', ...others] = lines
  return new Failure('INPUT_INVALID', {
    message: others.length === 0 ? sentence(first) : `${lines.length} problems in ${file}.`,
    hint,
    data: {file, violations: problems, lines},
  })
}

/** A question of `did you mean` ends with its own mark. */
const sentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** `rules.yaml:3:7: …` */
export const placedIn = (file: string, {line, column, message}: Issue): string =>
  `${file}:${line}:${column}: ${maskText(message)}`
