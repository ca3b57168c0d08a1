import {join} from 'node:path'
import type {Service} from '../profiles/service.ts'

/** Where the journals and their key are. */
const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal')

/** The journal of one service. */
export const journalFile = (dataFolder: string, {id}: Pick<Service, 'id'>): string =>
  join(journalFolder(dataFolder), `${id}.db`)

/** The key of this machine, shared by all journals of the folder. */
export const keyFile = (dataFolder: string): string => join(journalFolder(dataFolder), 'local.key')
