import {LIMITS} from '../limits/limits.ts'
import {parseObjectLine} from './json-object.ts'
import {readLines} from './lines.ts'
import {RowProblems} from './problems.ts'
import type {ReadOptions, Row} from './row.ts'

/**
 * The objects of an NDJSON stream (one JSON object a line, UTF-8). Blank lines are skipped.
 * @throws Failure INPUT_INVALID for bad rows as `ReadOptions.problems` says.
 */
export async function* readNdjson(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Row> {
  const own = new RowProblems({source: options.source})
  const problems = options.problems ?? own
  let row = 0
  const {source, limits = LIMITS.row} = options
  for await (const line of readLines(bytes, {maxBytes: limits.bytes, source})) {
    if ('text' in line && line.text.trim() === '') continue
    row += 1
    if ('fault' in line) {
      problems.add({row, line: line.line, message: line.fault})
      continue
    }
    const parsed = parseObjectLine(line.text, limits)
    if ('fault' in parsed) problems.add({row, line: line.line, ...parsed.at, message: parsed.fault})
    else yield {row, line: line.line, values: parsed.values}
  }
  own.throwIfAny()
}
