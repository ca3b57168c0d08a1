import {createHmac} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import {Failure} from '../errors/failure.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import type {Service} from '../profiles/service.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type Database, immediate, storeDamaged, storeUnavailable, systemReason} from '../sqlite/index.ts'
import {deriveKey, restoreKey} from './local-key.ts'

/**
 * The note beside a journal: which service it belongs to, for people, and that it was made. What is missing or empty
 * beside its note is damaged, not new.
 */
export const noteOf = (file: string): string => file.replace(/\.db$/, '.json')

interface Row {
  readonly service: string
  readonly key_check: string
}

/**
 * Writes into a new journal whose it is, or compares.
 *
 * @param isKnown the journal was there before.
 * @throws Failure STORE_DAMAGED, STORE_UNAVAILABLE
 */
export function claimJournal(
  db: Database,
  {identity, words}: Service,
  key: () => Secret<Buffer>,
  isKnown: boolean,
): void {
  const claimed = read(db) ?? (isKnown ? undefined : claim(db, identity, key))
  if (claimed === undefined) throw storeDamaged(db.file, 'it does not say which service it belongs to')
  if (claimed.service === identity) return
  throw storeUnavailable(
    db.file,
    `it belongs to another service (${claimed.service}), not to ${words}`,
    undefined,
    'Put the files of the journal back where they were.',
  )
}

function claim(db: Database, identity: string, key: () => Secret<Buffer>): Row | undefined {
  const check = keyCheck(key())
  return immediate(db, () => {
    db.run('INSERT OR IGNORE INTO belongs_to VALUES (1, ?, ?)', [identity, check])
    return read(db)
  })
}

/** @throws Failure STORE_DAMAGED for another key than the one that the journal was written with. */
export function checkKey(db: Database, key: Secret<Buffer>, keyFile: string | undefined): void {
  if (read(db)?.key_check === keyCheck(key)) return
  throw new Failure('STORE_DAMAGED', {
    message: `The local key is not the one that the journal ${db.file} was written with: what is sent now could not be compared with what was sent before. Both were left as they are.`,
    hint: keyFile === undefined ? undefined : restoreKey(keyFile),
    effect: 'none',
  })
}

const read = (db: Database): Row | undefined => db.get<Row>('SELECT * FROM belongs_to')

/** Says nothing of the key, as a key check value says nothing of a card key. */
const keyCheck = (key: Secret<Buffer>): string =>
  createHmac('sha256', deriveKey(key, 'journal key check')).update('check').digest('hex').slice(0, 12)

const NAMELESS = 'a service whose name is lost'

/** What the note beside a journal says; undefined where there is none. */
export function readNote(file: string): Pick<Service, 'words'> | undefined {
  let text: string
  try {
    const bytes = readOwnFile(noteOf(file))
    if (bytes === undefined) return undefined
    text = bytes.toString('utf8')
  } catch {
    // Something has its name: that a journal was made is known all the same.
    return {words: NAMELESS}
  }
  try {
    const {service} = JSON.parse(text) as {service?: unknown}
    return {words: String(service)}
  } catch {
    return {words: NAMELESS}
  }
}

/** Last, when the journal is whole: who finds the note may rely on it. */
export function writeNote(file: string, {words}: Service, now: number): void {
  const content = {service: words, since: new Date(now).toISOString()}
  try {
    writeFileSync(noteOf(file), `${JSON.stringify(content)}\n`, {flag: 'wx', mode: 0o600})
  } catch (error) {
    const reason = systemReason(error)
    if (reason === undefined) throw error
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storeUnavailable(file, reason, error)
  }
}

/** How to go on where the file of a journal is lost. */
export const restoreJournal = (file: string): string =>
  `Restore it from a backup. Without one, look at the service what was sent, then remove ${noteOf(file)}: a new journal begins, and nothing keeps what was sent before from being sent twice.`
