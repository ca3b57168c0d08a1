import {createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes} from 'node:crypto'
import {chmodSync, readdirSync, statSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {type Advice, advice} from '../errors/advice.ts'
import {diskFull, isDiskFull} from '../errors/disk-full.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {readOwnFile} from '../files/open-own-file.ts'
import {placeFile} from '../files/place-file.ts'
import type {Service} from '../profiles/service.ts'
import {Secret} from '../sensitive/secret.ts'
import {type Database, immediate, storeDamaged, storeUnavailable, systemReason} from '../sqlite/index.ts'

/**
 * The note beside a journal, for people: which service it belongs to, and that it was created. A journal that is
 * missing or empty beside its note is damaged, not new.
 */
export const noteOf = (file: string): string => file.replace(/\.db$/, '.json')

interface Row {
  readonly service: string
  readonly key_check: string
}

/**
 * Records in a new journal which service it belongs to, or compares.
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

/** @throws Failure STORE_DAMAGED if the journal was written with another key. */
export function checkKey(db: Database, key: Secret<Buffer>, keyFile: string | undefined): void {
  if (read(db)?.key_check === keyCheck(key)) return
  throw new Failure('STORE_DAMAGED', {
    message: `The local key is not the one that the journal ${db.file} was written with: new requests could not be compared with earlier ones. cardctl changed neither.`,
    hint: keyFile === undefined ? undefined : restoreKey(keyFile),
    effect: 'none',
  })
}

/** The same for two journals if they have the same key. */
export const keyCheckOf = (db: Database): string | undefined => read(db)?.key_check

const read = (db: Database): Row | undefined => db.get<Row>('SELECT * FROM belongs_to')

/** Reveals nothing about the key, like a key check value. */
const keyCheck = (key: Secret<Buffer>): string =>
  createHmac('sha256', deriveKey(key, 'journal key check')).update('check').digest('hex').slice(0, 12)

const NAMELESS = 'an unknown service'

/** The content of the note beside a journal; undefined if there is none. */
export function readNote(file: string): Pick<Service, 'words'> | undefined {
  let text: string
  try {
    const bytes = readOwnFile(noteOf(file))
    if (bytes === undefined) return undefined
    text = bytes.toString('utf8')
  } catch {
    // Something else has its name. It is known nevertheless that a journal was created.
    return {words: NAMELESS}
  }
  try {
    const {service} = JSON.parse(text) as {service?: unknown}
    return {words: String(service)}
  } catch {
    return {words: NAMELESS}
  }
}

/** Last, when the journal is complete: a note promises a journal. */
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

/** What to do if the file of a journal is lost. */
export const restoreJournal = (file: string): string =>
  `Restore it from a backup. Without one, check at the service what was sent, then remove ${noteOf(file)}. The new journal does not know earlier requests, so it can't stop you from sending them twice.`

const KEY_BYTES = 32

/**
 * The local key in a file, made on first use. If there is a journal beside it, there was a key before, and with a new
 * one cardctl would not recognise what was sent.
 *
 * @throws Failure CONFIG_DAMAGED if the file has no key, STORE_DAMAGED if it is gone, CONFIG_UNREADABLE if it can't be
 * read or made.
 */
export function localKeyFile(
  file: string,
  random: (size: number) => Uint8Array = randomBytes,
): Secret<Buffer> {
  try {
    return readKey(file) ?? (hasJournal(dirname(file)) ? rereadKey(file) : makeKey(file, random))
  } catch (error) {
    if (error instanceof Failure) throw error
    if (isDiskFull(error)) throw diskFull(file, {cause: error, effect: 'none'})
    throw new Failure('CONFIG_UNREADABLE', {
      message: `The local key ${file} cannot be read or made: ${systemReason(error) ?? 'the reason is not known'}.`,
      effect: 'none',
      cause: error,
    })
  }
}

function readKey(file: string): Secret<Buffer> | undefined {
  const key = readOwnFile(file)
  if (key === undefined) return undefined
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const isKey = key.length === KEY_BYTES && key.some(byte => byte !== 0)
  if (isKey) return new Secret(key)
  throw new Failure('CONFIG_DAMAGED', {
    message: `The local key ${file} is damaged: it does not contain ${KEY_BYTES} random bytes. cardctl did not change it.`,
    hint: restoreKey(file),
    effect: 'none',
  })
}

/** What to do if the key of a journal is missing. */
const restoreKey = (file: string): Advice =>
  advice`Restore ${file} from a backup. Without one, check ${cardctl('requests', 'list')} and the service, then move the folder ${dirname(file)} away. The new journals do not know earlier requests, so they can't stop you from sending them twice.`

function hasJournal(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      name => name.endsWith('.db') && (statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0) > 0,
    )
  } catch {
    return false
  }
}

/** Another process may have made key and journal since the first look. It makes the key first. */
function rereadKey(file: string): Secret<Buffer> {
  const key = readKey(file)
  if (key !== undefined) return key
  throw new Failure('STORE_DAMAGED', {
    message: `The local key ${file} is missing, and the journals next to it can't be used without it. cardctl did not change them.`,
    hint: restoreKey(file),
    effect: 'none',
  })
}

function makeKey(file: string, random: (size: number) => Uint8Array): Secret<Buffer> {
  placeFile(file, random(KEY_BYTES))
  const key = readKey(file)
  if (key === undefined) throw new Error('the key went away while it was made')
  return key
}

/** A key for one purpose, so that no two uses share one (HKDF, RFC 5869). */
export function deriveKey(key: Secret<Buffer>, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key.open(), new Uint8Array(0), purpose, KEY_BYTES)))
}
