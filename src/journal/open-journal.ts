import {type Database, openDatabase} from '../sqlite/index.ts'
import type {JournalKeys} from './begin-requests.ts'
import {Journal} from './journal.ts'
import type {JournalOptions} from './journal-options.ts'
import {lightly} from './lightly.ts'
import {deriveKey} from './local-key.ts'
import {journalMigrations} from './schema.ts'

/**
 * Opens the journal of one profile; many processes may hold it at once. Inputs kept for a retry are removed for good
 * when their 24 hours are over.
 *
 * @throws Failure STORE_DAMAGED or STORE_UNAVAILABLE.
 */
export function openJournal(options: JournalOptions): Journal {
  const db = openDatabase(options.file, {
    kind: 'journal',
    migrations: journalMigrations,
    synchronous: 'FULL',
    busyTimeoutMs: options.busyTimeoutMs ?? 10_000,
  })
  try {
    // What is removed is overwritten, not only forgotten.
    db.exec('PRAGMA secure_delete = ON')
    forgetInputs(db, options.now())
  } catch (error) {
    db.close()
    throw error
  }
  let keys: JournalKeys | undefined
  return new Journal(db, options, () => {
    keys ??= deriveKeys(options)
    return keys
  })
}

function deriveKeys(options: JournalOptions): JournalKeys {
  const key = options.key()
  return {fingerprint: deriveKey(key, 'journal fingerprint'), seal: deriveKey(key, 'journal kept input')}
}

function forgetInputs(db: Database, now: number): void {
  const expired = db.get('SELECT 1 FROM kept_input WHERE expires_at <= ? LIMIT 1', [now])
  if (expired) lightly(db, () => db.run('DELETE FROM kept_input WHERE expires_at <= ?', [now]))
}
