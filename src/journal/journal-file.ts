import {join} from 'node:path'

/** Where the journal of a profile lies. Names that differ in case get different files also where the disk ignores case. */
export function journalFile(dataFolder: string, profile: string): string {
  const name = [...Buffer.from(profile)].map(byte => {
    const sign = String.fromCharCode(byte)
    return /[a-z0-9_-]/.test(sign) ? sign : `%${byte.toString(16).padStart(2, '0')}`
  })
  return join(dataFolder, 'journal', `${name.join('')}.db`)
}
