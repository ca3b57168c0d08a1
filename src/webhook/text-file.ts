import {Failure} from '../errors/failure.ts'
import {readWhole, unreadableInput} from '../input/read-input.ts'
import {inBytes} from '../limits/limits.ts'
import {maskText} from '../sensitive/mask-text.ts'
import type {Issue} from './parse-text.ts'

/** The text of a file that a user wrote. @throws Failure INPUT_INVALID if it cannot be read or is too large */
export async function readTextFile(file: string, signal: AbortSignal, bytes: number): Promise<string> {
  const content = await readWhole(file, signal, bytes).catch((error: unknown) => {
    throw unreadableInput(file, error)
  })
  if (content === undefined) {
    throw new Failure('INPUT_INVALID', {message: `${file} is larger than ${inBytes(bytes)}.`})
  }
  return content.toString('utf8')
}

/** Everything that is wrong in a file, by line and column. */
export function unusableFile(file: string, problems: readonly Issue[], hint: string): Failure {
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
