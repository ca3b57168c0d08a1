import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {Service} from '../profiles/service.ts'

/** Where the journals and their key are. */
const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal')

/** The journal of one service. */
export const journalFile = (dataFolder: string, {id}: Pick<Service, 'id'>): string =>
  join(journalFolder(dataFolder), `${id}.db`)

/** Whether a journal has a log beside it: one that is in use, or one that a killed process left. */
export function hasLogs(dataFolder: string): boolean {
  try {
    return readdirSync(journalFolder(dataFolder)).some(name => name.endsWith('-wal'))
  } catch {
    // Who opens the journal reports what is wrong with the folder.
    return false
  }
}

/** The journals of a folder that have a note of their service beside them. */
export const journalsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(name => name.endsWith('.json'))
        .map(name => join(folder, name.replace(/\.json$/, '.db')))
    : []

/** The key of this machine, shared by the journals of the folder that did not come from another machine. */
export const machineKeyFile = (dataFolder: string): string => join(journalFolder(dataFolder), 'local.key')

/** The key of a journal: its own if it came from another machine. */
export function keyFile(dataFolder: string, {id}: Pick<Service, 'id'>): string {
  const own = join(journalFolder(dataFolder), `${id}.key`)
  return existsSync(own) ? own : machineKeyFile(dataFolder)
}
