import type {TrailPosition} from '../../../audit/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {parseObject} from '../../../errors/is-object.ts'
import {writeNamedFile} from '../../../files/named-output.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'

/**
 * The last entry that an export wrote, as a file keeps it; undefined if there is no such file yet.
 *
 * @throws Failure CONFIG_UNREADABLE; INPUT_INVALID for another file
 */
export function readPosition(file: string): TrailPosition | undefined {
  const text = readOwnFile(file)?.toString()
  if (text === undefined) return undefined
  const {seq, hash} = parseObject(text) ?? {}
  const isHash = hash === undefined || (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
  if (typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 && isHash) return {seq, hash}
  throw new Failure('INPUT_INVALID', {
    message: `${file} is not a position that audit export wrote.`,
    hint: 'Name another file. To continue after an entry that you know, pass --after with its number.',
    effect: 'none',
  })
}

/** Replaces the file at once, so that a kill leaves the old position or the new one. @throws Failure OUTPUT_UNWRITABLE */
export function writePosition(file: string, {seq, hash}: TrailPosition): Promise<void> {
  return writeNamedFile(file, [`${JSON.stringify({seq, hash})}\n`])
}
