import {basename, dirname} from 'node:path'
import {Failure} from '../errors/failure.ts'
import {type Adopted, adoptJournal, openOther, sizeOfJournal} from './adopt-journal.ts'
import {journalsIn} from './journal-file.ts'
import type {JournalStore} from './journal-store.ts'
import {readNote} from './local-key.ts'

/** A journal of another service in the same folder. */
export interface OtherJournal {
  /** The name of its file. */
  readonly id: string
  readonly file: string
  /** Its service, in words. */
  readonly service: string
}

/** How to look for a journal: by the id of a request or bulk job, or by a profile that was used with it. */
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

/** The journals of other services that have this. Unreadable ones are skipped. */
const otherJournalsWith = (file: string, held: Held): OtherJournal[] =>
  otherJournals(file).filter(other => holds(other.file, held))

/** The journals of other services in the same folder. */
function otherJournals(file: string): OtherJournal[] {
  if (file === ':memory:') return []
  return journalsIn(dirname(file))
    .filter(other => other !== file)
    .map(other => ({id: basename(other, '.db'), file: other, service: readNote(other)?.words ?? ''}))
}

function holds(file: string, held: Held): boolean {
  try {
    using db = openOther(file)
    return Object.entries(questions).some(([name, sql]) => {
      const value = held[name as keyof Held]
      return value !== undefined && db.get(sql, [value]) !== undefined
    })
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** The journals of other services on this machine, as one journal sees them. */
export class OtherJournals {
  readonly #store: JournalStore

  constructor(store: JournalStore) {
    this.#store = store
  }

  all(): readonly OtherJournal[] {
    return otherJournals(this.#store.db.file)
  }

  /** Those that the profile was used with; none once it was used with this one. */
  before(): readonly OtherJournal[] {
    const {db, options} = this.#store
    if (db.get('SELECT 1 FROM profile WHERE name = ?', [options.profile])) return []
    return this.adoptable()
  }

  /** Those that can be taken over: the named one, otherwise those that the profile was used with. */
  adoptable(id?: string): readonly OtherJournal[] {
    if (id !== undefined) return this.all().filter(other => other.id === id)
    const {db, options} = this.#store
    return otherJournalsWith(db.file, {profile: options.profile})
  }

  sizeOf({file}: OtherJournal): Adopted {
    return sizeOfJournal(file)
  }

  /**
   * Takes over all requests and jobs of another journal, and removes it.
   *
   * @throws Failure USAGE if something of it still runs.
   */
  adopt({file}: OtherJournal): Adopted {
    const store = this.#store
    return adoptJournal(store.db, file, {
      isGone: store.goneJudge(),
      isRunning: owner => store.isRunning(owner),
    })
  }

  /** @throws Failure OTHER_SERVICE if a request or job isn't here but belongs to another service. */
  refuseElsewhere(held: {readonly request: string} | {readonly job: string}): void {
    const {db, options} = this.#store
    const [other] = otherJournalsWith(db.file, held)
    if (other === undefined) return
    const what = 'job' in held ? `Bulk job ${held.job}` : `Request ${held.request}`
    throw otherService(what, other.service, options.service.words)
  }
}

/** What belongs to one service is not continued at another. Names both. */
export function otherService(what: string, theirs: string, ours: string): Failure {
  return new Failure('OTHER_SERVICE', {
    message: `${what} belongs to ${theirs}, and this profile leads to ${ours}.`,
    effect: 'none',
    data: {service: theirs, profileService: ours},
  })
}
