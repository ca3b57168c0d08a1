import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'

export function digestOf(
  path: string,
  algorithm: 'sha256' | 'sha512' | 'md5' = 'sha256',
  encoding: 'hex' | 'base64' = 'hex',
): string {
  return createHash(algorithm).update(readFileSync(path)).digest(encoding)
}
