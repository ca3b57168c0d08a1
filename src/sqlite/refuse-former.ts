import {closeSync, readdirSync, readSync} from 'node:fs'
import {join} from 'node:path'
import {openOwnFile} from '../files/open-own-file.ts'
import {formerKind} from './kinds.ts'
import {formerLayout} from './migrate.ts'

/** Where the number of its kind stands in a database file (https://www.sqlite.org/fileformat2.html, 1.3). */
const NUMBER_AT = 68

/**
 * Looks for databases of layouts that are no longer read, before a new one is made beside them.
 *
 * @throws Failure STORE_UNAVAILABLE that names the first.
 */
export function refuseFormer(folder: string): void {
  for (const name of databasesIn(folder)) {
    const file = join(folder, name)
    const former = formerKind(numberIn(file))
    if (former !== undefined) throw formerLayout(file, former)
  }
}

function databasesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.db'))
  } catch {
    // There is none yet, or it cannot be read, which making a file in it tells.
    return []
  }
}

function numberIn(file: string): number {
  const bytes = Buffer.alloc(4)
  try {
    const descriptor = openOwnFile(file)
    try {
      readSync(descriptor, bytes, 0, bytes.length, NUMBER_AT)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Whoever opens it tells why it cannot be read.
  }
  return bytes.readUInt32BE()
}
