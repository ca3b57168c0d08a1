import {existsSync, readdirSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {openDatabase} from '../sqlite/index.ts'
import {readNote} from './belongs-to.ts'
import {journalMigrations} from './schema.ts'

/** A journal of another service in the same folder. */
export interface OtherJournal {
  /** The name of its file. */
  readonly id: string
  readonly file: string
  /** Its service, in words. */
  readonly service: string
}

/** What a journal may be looked for by: an id of a request or bulk job, or a profile that was used with it. */
interface Held {
  readonly request?: string
  readonly job?: string
  readonly profile?: string
}

const questions = {
  request: 'SELECT 1 FROM request WHERE id = ?',
  job: 'SELECT 1 FROM bulk_job WHERE id = ?',
  profile: 'SELECT 1 FROM profile WHERE name = ?',
} as const

/** The journals of other services that hold this. One that cannot be read is passed over. */
export const otherJournalsWith = (file: string, held: Held): OtherJournal[] =>
  otherJournals(file).filter(other => holds(other.file, held))

/** The journals of other services in the same folder. */
export function otherJournals(file: string): OtherJournal[] {
  if (file === ':memory:') return []
  return journalsIn(dirname(file))
    .filter(other => other !== file)
    .map(other => ({id: basename(other, '.db'), file: other, service: readNote(other)?.words ?? ''}))
}

function holds(file: string, held: Held): boolean {
  try {
    using db = openDatabase(file, {kind: 'journal', migrations: journalMigrations, isKnown: true})
    return Object.entries(questions).some(([name, sql]) => {
      const value = held[name as keyof Held]
      return value !== undefined && db.get(sql, [value]) !== undefined
    })
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** A journal of this folder with a request that ended, which left a line in the audit trail. */
export function journalWithRequests(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  return journalsIn(folder).find(file => {
    using db = openDatabase(file, {kind: 'journal', migrations: journalMigrations, isKnown: true})
    return db.get('SELECT 1 FROM request WHERE ended_at IS NOT NULL LIMIT 1') !== undefined
  })
}

const journalsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => join(folder, name.replace(/\.json$/, '.db')))

/** @throws Failure OTHER_SERVICE where a request or job is one of another service. */
export function refuseElsewhere(
  {file, service}: {file: string; service: {words: string}},
  held: Pick<Held, 'request' | 'job'>,
): void {
  const [other] = otherJournalsWith(file, held)
  if (other === undefined) return
  const what = held.job === undefined ? `Request ${held.request}` : `Bulk job ${held.job}`
  throw otherService(what, other.service, service.words)
}

/** What belongs to one service is not gone on with at another; both are named, in words. */
export function otherService(what: string, theirs: string, ours: string): Failure {
  return new Failure('OTHER_SERVICE', {
    message: `${what} belongs to ${theirs}, and this profile leads to ${ours}.`,
    effect: 'none',
    data: {service: theirs, profileService: ours},
  })
}
