import {existsSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import {type Database, immediateUnsynced, openDatabase} from '../sqlite/index.ts'
import {newestRequest, STEADY} from './doubtful-times.ts'
import {Journal} from './journal.ts'
import type {JournalOptions} from './journal-options.ts'
import {JournalStore} from './journal-store.ts'
import {checkKey, claimJournal, deriveKey, readNote, restoreJournal, writeNote} from './local-key.ts'
import {journalMigrations} from './schema.ts'
import type {JournalKeys} from './write-requests.ts'

/**
 * Opens the journal of one service. Many processes may have it open at once. Inputs that were kept for a retry are
 * removed for good after 24 hours.
 *
 * @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE.
 */
export function openJournal(options: JournalOptions): Journal {
  const db = openOwn(options)
  try {
    // Removed content is overwritten, not only unlinked.
    db.exec('PRAGMA secure_delete = ON')
    const {clock = STEADY} = options
    if (clock.judge(() => newestRequest(db)).isBelieved) forgetInputs(db, options.now())
  } catch (error) {
    db.close()
    throw error
  }
  let keys: JournalKeys | undefined
  return new Journal(
    new JournalStore(db, options, () => {
      keys ??= deriveKeys(db, options)
      return keys
    }),
  )
}

function openOwn({file, service, key, busyTimeoutMs = 10_000, now}: JournalOptions): Database {
  const isKnown = readNote(file) !== undefined
  if (!isKnown && !existsSync(file) && file !== ':memory:') {
    // Before the first journal: beside one, a missing key is a lost one.
    key()
  }
  try {
    const db = openDatabase(file, {
      kind: 'journal',
      migrations: journalMigrations,
      isKnown,
      shrinks: true,
      synchronous: 'FULL',
      busyTimeoutMs,
    })
    try {
      claimJournal(db, service, key, isKnown)
      if (!isKnown && file !== ':memory:') writeNote(file, service, now())
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    if (!(isKnown && error instanceof Failure && error.code === 'STORE_DAMAGED')) throw error
    throw error.with({
      message: `${error.message} It is the journal of ${service.words}.`,
      hint: restoreJournal(file),
      effect: 'none',
    })
  }
}

function deriveKeys(db: Database, options: JournalOptions): JournalKeys {
  const key = options.key()
  checkKey(db, key, options.keyFile)
  return {fingerprint: deriveKey(key, 'journal fingerprint'), seal: deriveKey(key, 'journal kept input')}
}

function forgetInputs(db: Database, now: number): void {
  const expired = db.get('SELECT 1 FROM kept_input WHERE expires_at <= ? LIMIT 1', [now])
  if (expired) immediateUnsynced(db, () => db.run('DELETE FROM kept_input WHERE expires_at <= ?', [now]))
}
