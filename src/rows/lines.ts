import {isUtf8} from 'node:buffer'
import {Failure} from '../errors/failure.ts'

export interface TextLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** What ended the line; empty at the end of a file without a last line break. */
  readonly ending: '' | '\n' | '\r\n'
}

/** A line that can't be used. Reading continues after it. */
export interface FaultyLine {
  readonly line: number
  readonly fault: string
}

/** A longer line means that this is no file of rows but, for example, a device or an image. */
const ENDLESS_BYTES = 64 * 1024 * 1024
const LF = 0x0a
const CR = 0x0d

/**
 * Reads the lines of a byte stream one by one, in strict UTF-8 (a byte order mark is dropped). Memory holds one line
 * and one chunk. A line that is longer than `maxBytes`, isn't UTF-8 or has a NUL character is returned as a fault.
 *
 * @throws Failure INPUT_INVALID for a line that doesn't end.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  {maxBytes, source}: {readonly maxBytes: number; readonly source: string},
): AsyncGenerator<TextLine | FaultyLine> {
  let line = 1
  let parts: Buffer[] = []
  let size = 0
  const hold = (part: Buffer) => {
    size += part.length
    // Beyond the limit, only count the size: a file without line breaks must not fill the memory.
    if (size <= maxBytes) parts.push(part)
    else parts = []
    if (size <= ENDLESS_BYTES) return
    throw new Failure('INPUT_INVALID', {
      message: `${source} is no file of rows: line ${line} is longer than ${ENDLESS_BYTES / 1024 / 1024} MiB.`,
      hint: 'Name a CSV or NDJSON file.',
      effect: 'none',
    })
  }
  const take = (ended: boolean): TextLine | FaultyLine => {
    const taken = size > maxBytes ? undefined : Buffer.concat(parts)
    const result = finish(line, taken, ended, maxBytes)
    line += 1
    parts = []
    size = 0
    return result
  }
  for await (const chunk of bytes) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = buffer.indexOf(LF); end !== -1; end = buffer.indexOf(LF, start)) {
      hold(buffer.subarray(start, end))
      start = end + 1
      yield take(true)
    }
    // Copied: the stream may reuse the chunk when we request the next one.
    if (start < buffer.length) hold(Buffer.from(buffer.subarray(start)))
  }
  if (size > 0) yield take(false)
}

function finish(
  line: number,
  raw: Buffer | undefined,
  ended: boolean,
  maxBytes: number,
): TextLine | FaultyLine {
  if (raw === undefined) return {line, fault: `is longer than ${maxBytes} bytes`}
  const marked = line === 1 && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf
  const whole = marked ? raw.subarray(3) : raw
  if (!isUtf8(whole))
    return {
      line,
      fault:
        'is not UTF-8 text; save the file as UTF-8, or add --encoding windows-1252 if a spreadsheet wrote it so',
    }
  if (whole.includes(0)) return {line, fault: 'holds a NUL character; save the file as UTF-8 text'}
  const crlf = ended && whole.at(-1) === CR
  return {
    line,
    text: whole.toString('utf8', 0, crlf ? whole.length - 1 : whole.length),
    ending: crlf ? '\r\n' : ended ? '\n' : '',
  }
}
