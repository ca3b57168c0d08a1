import {isUtf8} from 'node:buffer'
import {Failure} from '../../errors/failure.ts'
import type {Encoding} from '../dialect.ts'

/** A text, and the encoding that its bytes have. */
export interface DecodedText {
  readonly text: string
  readonly encoding: Encoding
}

/**
 * The text of a file in the encoding that its bytes prove: a byte order mark, the zero bytes of UTF-16, valid UTF-8.
 * Anything else is windows-1252, the only other encoding in which spreadsheets save text, unless letters show that it
 * isn't.
 *
 * @param named the encoding that the user named; nothing is proved then.
 * @throws Failure INPUT_INVALID if the bytes aren't text in any of them, or were saved with a code page of DOS or an old
 * Macintosh.
 */
export function decodeText(bytes: Uint8Array, source: string, named?: Encoding): DecodedText {
  const encoding = named ?? provenEncoding(bytes)
  let text: string
  try {
    text = new TextDecoder(encoding, {fatal: true}).decode(bytes)
  } catch {
    throw new Failure('INPUT_INVALID', {
      message: `${source} is not text in ${encoding}.`,
      hint: 'Save it as UTF-8, or name its encoding with --encoding.',
      effect: 'none',
    })
  }
  if (named === undefined && encoding === 'windows-1252') {
    refuseMixed(bytes, source)
    refuseOtherCodePage(text, source)
  }
  return {text, encoding}
}

function provenEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (isUtf8(bytes)) return halfIsZero(bytes) ?? 'utf-8'
  return halfIsZero(bytes) ?? 'windows-1252'
}

/** The letters of most of Europe have a zero byte in UTF-16: after each in one order of bytes, before it in the other. */
function halfIsZero(bytes: Uint8Array): Encoding | undefined {
  const start = bytes.subarray(0, 400)
  const zeros = [0, 0]
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = start.length / 2
  if (most === 0 || bytes.length % 2 === 1) return undefined
  if (odd > most * 0.7 && even < most * 0.1) return 'utf-16le'
  return even > most * 0.7 && odd < most * 0.1 ? 'utf-16be' : undefined
}

/**
 * Between letters nobody writes these signs, nor capitals with marks inside a word. There they are letters of another
 * code page: `W„hrung` is `Währung` as DOS saves it. The last range has no signs in windows-1252 at all.
 */
const OTHER_CODE_PAGE = /\p{L}[„”“‚‡†ƒ‰™›¢¥§©«®¯±¶¸»]\p{Ll}|\p{Ll}[ŠŸŽŒ]\p{Ll}|[\u0080-\u009f]/u

function refuseOtherCodePage(text: string, source: string): void {
  const found = OTHER_CODE_PAGE.exec(text)
  if (found === null) return
  const line = text.slice(0, found.index).split('\n').length
  throw new Failure('INPUT_INVALID', {
    message: `${source} is neither UTF-8 nor windows-1252: line ${line} has signs in the middle of a word.`,
    hint: 'It may have been saved for DOS or an old Macintosh. Save it as UTF-8, or add --encoding windows-1252 if the words are right in it.',
    effect: 'none',
  })
}

const NEWLINE = 0x0a

/** Lines in UTF-8 among others, as files have that were put together from two: one of the encodings is wrong for each. */
function refuseMixed(bytes: Uint8Array, source: string): void {
  let [start, line] = [0, 0]
  let other: number | undefined
  let utf8: number | undefined
  while (start < bytes.length && (other === undefined || utf8 === undefined)) {
    const found = bytes.indexOf(NEWLINE, start)
    const end = found === -1 ? bytes.length : found
    const part = bytes.subarray(start, end)
    line += 1
    start = end + 1
    if (!isUtf8(part)) other ??= line
    else if (part.some(byte => byte > 0x7f)) utf8 ??= line
  }
  if (other === undefined || utf8 === undefined) return
  throw new Failure('INPUT_INVALID', {
    message: `${source} has two encodings: line ${utf8} is UTF-8, and line ${other} is not.`,
    hint: 'Save the whole file as UTF-8, or add --encoding windows-1252 if the words are right in it.',
    effect: 'none',
  })
}
