import {readSync} from 'node:fs'

/** A piece of the file between line feeds. */
export interface FileLine {
  readonly bytes: Buffer
  /** Where it begins in the file. */
  readonly offset: number
  /** False for what follows the last line feed. */
  readonly ended: boolean
}

const CHUNK = 65_536
const LINE_FEED = 0x0a

/** The lines from one place in an open file up to another, without holding more than one line in memory. */
export function* fileLines(
  descriptor: number,
  from: number,
  to: number,
): Generator<FileLine, void, undefined> {
  let rest: Buffer[] = []
  let offset = from
  const chunk = Buffer.alloc(CHUNK)
  for (let place = from; place < to; ) {
    const length = readSync(descriptor, chunk, 0, Math.min(CHUNK, to - place), place)
    if (length === 0) break
    place += length
    let begin = 0
    for (
      let end = chunk.indexOf(LINE_FEED);
      end !== -1 && end < length;
      end = chunk.indexOf(LINE_FEED, begin)
    ) {
      const bytes = Buffer.concat([...rest, chunk.subarray(begin, end)])
      yield {bytes, offset, ended: true}
      offset += bytes.length + 1
      rest = []
      begin = end + 1
    }
    if (begin < length) rest.push(Buffer.from(chunk.subarray(begin, length)))
  }
  if (rest.length > 0) yield {bytes: Buffer.concat(rest), offset, ended: false}
}
