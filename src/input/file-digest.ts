import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import {unreadableInput} from './read-input.ts'

/**
 * SHA-256 of a file, in hex; undefined for standard input and pipes, which can be read only once.
 *
 * @throws Failure that the file can't be read
 */
export async function digestOfFile(file: string): Promise<string | undefined> {
  if (file === '-') return undefined
  const hash = createHash('sha256')
  try {
    if (!(await stat(file)).isFile()) return undefined
    for await (const piece of createReadStream(file)) hash.update(piece)
  } catch (error) {
    throw unreadableInput(file, error)
  }
  return hash.digest('hex')
}
