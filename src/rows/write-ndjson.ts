import {jsonLine} from './escape-text.ts'

/** Values as NDJSON text, one chunk a line; the reader's pace is the writer's. */
export async function* writeNdjson(
  values: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  for await (const value of values) yield `${jsonLine(value)}\n`
}
