import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import {Failure} from '../errors/failure.ts'
import {inBytes} from '../limits/limits.ts'
import {unreadableInput} from './read-input.ts'

interface DocumentFileOptions {
  /** In messages; the path by default. */
  readonly name?: string
  /** `-` is standard input in its place. */
  readonly orStdin?: boolean
}

/**
 * The text of a file that is read as a document, at most `most` bytes. Pipes and devices are refused: they may have no
 * writer, and are gone when the document is read again.
 *
 * @throws Failure INPUT_INVALID
 */
export async function readDocumentFile(
  path: string,
  most: number,
  {name = path, orStdin = false}: DocumentFileOptions = {},
): Promise<string> {
  const refusal = (why: string, hint?: string): Failure =>
    new Failure('INPUT_INVALID', {message: `${name} is ${why}.`, hint, effect: 'none'})
  try {
    // Opening a pipe would wait for its writer.
    await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const info = await handle.stat()
    if (info.isDirectory()) throw refusal('a folder')
    if (!info.isFile()) {
      const hint = `Save it to a file first${orStdin ? ', or pass - to read standard input' : ''}.`
      throw refusal('not a regular file', hint)
    }
    if (info.size > most) throw refusal(`larger than ${inBytes(most)}`)
    return new TextDecoder('utf-8', {fatal: true}).decode(await handle.readFile())
  } catch (error) {
    throw error instanceof TypeError ? refusal('not UTF-8 text') : unreadableInput(name, error)
  }
}
