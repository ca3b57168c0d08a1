import {Failure} from '../errors/failure.ts'
import {joinPieces, readInput, unreadableInput} from '../input/read-input.ts'
import {inBytes, LIMITS} from '../limits/limits.ts'
import type {Surroundings} from './surroundings.ts'

/** The text of a file, at most `LIMITS.body.bytes`. @throws Failure INPUT_INVALID; INTERRUPTED, TERMINATED, HUNG_UP. */
export async function readTextFile(path: string, {signal}: Surroundings): Promise<string> {
  try {
    return await readText(readInput(path, signal), path)
  } catch (error) {
    throw unreadableInput(path, error)
  }
}

/** The text of a file that a flag names, and its name in errors. */
export async function readFlagFile(
  flag: string,
  path: string,
  surroundings: Surroundings,
): Promise<{readonly text: string; readonly name: string}> {
  return {text: await readTextFile(path, surroundings), name: `${flag} (${path})`}
}

/** The text of several chunks, at most `LIMITS.body.bytes`; `name` is their source. @throws Failure INPUT_INVALID */
export async function readText(pieces: AsyncIterable<Buffer>, name: string): Promise<string> {
  const bytes = await joinPieces(pieces, LIMITS.body.bytes)
  if (bytes) return decode(bytes, name)
  throw new Failure('INPUT_INVALID', {message: `${name} is larger than ${inBytes(LIMITS.body.bytes)}.`})
}

function decode(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw new Failure('INPUT_INVALID', {message: `${where} is not UTF-8 text.`})
  }
}
