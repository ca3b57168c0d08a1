import {randomBytes, randomUUID} from 'node:crypto'
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {
  AUDIT_RETENTION_DAYS,
  type Audit,
  type Explained,
  type KeptKey,
  keyFileOf,
  openAudit,
  placeKeyFile,
  readKeyFile,
  type TrailCopy,
} from '../audit/index.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {FormerFiles} from '../files/former-files.ts'
import {openKeyring, storeChecked} from '../profiles/index.ts'
import {KEY_BYTES, publicKeyOf} from '../sensitive/ed25519.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Surroundings} from './surroundings.ts'

/** What a command does with the trail. Reading needs no key, and only appending creates one. */
export type AuditUse = 'list' | 'check' | 'append'

/** How long entries are kept, unless a person says otherwise. */
export const AUDIT_RETENTION_MS = AUDIT_RETENTION_DAYS * 86_400_000

/** The trail of a data folder. */
export const trailFile = (data: string): string => join(data, 'audit.ndjson')

/**
 * Opens the trail with its key, from the system's keyring or, where no keyring works, from a file (0600). The first
 * append creates the key.
 *
 * @throws Failure CONFIG_UNREADABLE if the keyring that has the key can't be reached; CONFIG_DAMAGED, STORE_DAMAGED,
 * STORE_UNAVAILABLE.
 */
export async function openTrail(
  data: string,
  use: AuditUse,
  surroundings: Surroundings,
  caller?: string,
): Promise<Audit> {
  const file = trailFile(data)
  const keyFile = keyFileOf(file)
  const audit = openAudit({file, now: surroundings.now, caller})
  try {
    if (use === 'list') return audit
    const kept = readKeyFile(keyFile)
    if (kept) audit.useKey(await keyOf(kept, surroundings))
    else if (use === 'append') audit.useKey(await makeKey(audit, keyFile, surroundings))
    return audit
  } catch (error) {
    audit.close()
    throw error
  }
}

async function keyOf(kept: KeptKey, surroundings: Surroundings): Promise<Secret<Buffer>> {
  if (kept.place === 'file') return kept.key
  const found = await openKeyring(surroundings)
    .then(keyring => keyring.get(kept.account))
    .catch(() => undefined)
  const bytes = Buffer.from(found?.open() ?? '', 'hex')
  if (bytes.length === KEY_BYTES) return new Secret(bytes)
  throw new Failure('CONFIG_UNREADABLE', {
    message: `The key of the audit trail is in the keyring, as ${kept.account}, and the keyring does not give it.`,
    hint: advice`Unlock the keyring and run the command again. For jobs without a desktop: ${cardctl('audit', 'key', '--to', 'file')}`,
    effect: 'none',
  })
}

/** The key of the trail in hex, to export it. @throws Failure CONFIG_UNREADABLE, NOT_FOUND */
export async function trailKey(data: string, surroundings: Surroundings): Promise<string> {
  const kept = readKeyFile(keyFileOf(trailFile(data)))
  if (kept === undefined)
    throw new Failure('NOT_FOUND', {message: 'The audit trail has no key yet.', effect: 'none'})
  return (await keyOf(kept, surroundings)).open().toString('hex')
}

/**
 * Puts an exported trail into the place of the one of this machine, if it has all of its entries, with its key.
 *
 * @param former gets what is replaced; `last` is done before the trail counts.
 * @throws Failure USAGE if it doesn't, CONFIG_DAMAGED
 */
export async function takeTrail(
  data: string,
  copy: TrailCopy,
  surroundings: Surroundings,
  {former, last}: {readonly former: FormerFiles; last(): void},
): Promise<void> {
  const {before, isSame} = await planTakeTrail(data, copy, surroundings)
  const kept = isSame ? undefined : await keep(copy.key, surroundings)
  try {
    if (kept !== undefined) {
      former.keep(keyFileOf(trailFile(data)))
      placeKeyFile(keyFileOf(trailFile(data)), kept, {replace: true})
    }
    using audit = await openTrail(data, 'list', surroundings)
    audit.arrive(copy, former, last)
  } catch (error) {
    if (kept !== undefined) await forget(kept, surroundings)
    throw error
  }
  if (kept !== undefined && before !== undefined) await forget(before, surroundings)
}

/** What stands beside a trail as soon as it is looked at. */
export const headFiles = (data: string): readonly string[] =>
  ['', '-wal', '-shm'].map(end => `${trailFile(data)}.head${end}`)

/** What `takeTrail` would do, and whether the key here is that of the copy. Changes nothing. @throws as `takeTrail` */
export async function planTakeTrail(data: string, copy: TrailCopy, surroundings: Surroundings) {
  using audit = await openTrail(data, 'list', surroundings)
  const plan = audit.planArrival(copy)
  const file = keyFileOf(trailFile(data))
  const before = readKeyFile(file)
  const isSame = before !== undefined && (await keyOf(before, surroundings)).open().equals(copy.key.open())
  if (!isSame && plan !== 'new' && before !== undefined) {
    throw new Failure('CONFIG_DAMAGED', {
      message: `The key ${file} is not the one that the audit trail was sealed with.`,
      hint: 'Restore it from a backup.',
      effect: 'none',
    })
  }
  return {plan, before, isSame}
}

/** Makes a key, stores it unless another process was first, and begins the trail. */
async function makeKey(audit: Audit, keyFile: string, surroundings: Surroundings): Promise<Secret<Buffer>> {
  const key = new Secret(Buffer.from(randomBytes(KEY_BYTES)))
  const kept = await keep(key, surroundings)
  let isOurs = false
  audit.begin(() => {
    isOurs = placeKeyFile(keyFile, kept)
    return isOurs ? key : undefined
  })
  if (isOurs) return key
  await forget(kept, surroundings)
  const theirs = readKeyFile(keyFile)
  if (theirs) return keyOf(theirs, surroundings)
  throw new Failure('CONFIG_UNREADABLE', {message: `${keyFile} went away while it was made.`, effect: 'none'})
}

/** Who begins a trail in the place of another, and where that one goes. */
interface NewTrail {
  readonly exportTo: string
  readonly osUser: string
  readonly auditUser: string
  readonly caller: string | undefined
  readonly explained: Explained
  /** The trail is intact, so its key signs the next one. */
  readonly isSound: boolean
}

/**
 * Moves the trail into a file, and begins another one with a key of its own, which the former key signs if the former trail is intact.
 *
 * @throws Failure INPUT_INVALID if the file can't be made.
 */
export async function beginTrail(
  data: string,
  {exportTo, explained, isSound, ...who}: NewTrail,
  surroundings: Surroundings,
): Promise<Audit> {
  const keyFile = keyFileOf(trailFile(data))
  let kept: KeptKey | undefined
  let former: Secret<Buffer> | undefined
  try {
    kept = readKeyFile(keyFile)
    former = kept && (await keyOf(kept, surroundings))
  } catch (error) {
    // A key that is lost or damaged is a reason to begin another trail.
    if (!(error instanceof Failure)) throw error
  }
  let last: number | undefined
  {
    using before = await openTrail(data, 'list', surroundings)
    last = [...before.newest({limit: 1})][0]?.seq
    before.moveTo(exportTo, () => rmSync(keyFile, {force: true}))
  }
  const audit = await openTrail(data, 'append', surroundings)
  const formerKeys = new Set([
    ...(explained.formerKeys ?? []),
    ...(former ? [publicKeyOf(former.open())] : []),
  ])
  const note =
    last === undefined
      ? 'No earlier trail was there.'
      : `An earlier trail, up to entry ${last}, was moved away.`
  audit.sayBegun({
    ...who,
    note,
    explained: {...explained, formerKeys: [...formerKeys]},
    former: isSound ? former : undefined,
  })
  if (kept) await forget(kept, surroundings)
  return audit
}

/** Where the key of the trail is, in words; undefined if there is none yet. */
export async function whereKeyIs(data: string): Promise<string | undefined> {
  const file = keyFileOf(trailFile(data))
  const kept = readKeyFile(file)
  if (kept === undefined) return undefined
  return kept.place === 'keyring' ? 'keyring' : `file ${file}`
}

/** Moves the key. Does nothing if it is already there. @throws Failure CONFIG_UNREADABLE, NOT_FOUND */
export async function moveKey(data: string, to: KeptKey['place'], surroundings: Surroundings): Promise<void> {
  const file = keyFileOf(trailFile(data))
  const kept = readKeyFile(file)
  if (kept === undefined)
    throw new Failure('NOT_FOUND', {message: 'The audit trail has no key yet.', effect: 'none'})
  if (kept.place === to) return
  const key = await keyOf(kept, surroundings)
  const next: KeptKey = to === 'file' ? {place: 'file', key} : await keep(key, surroundings)
  if (next.place !== to) {
    throw new Failure('CONFIG_UNREADABLE', {
      message: 'No keyring can be used here, so the key stays in its file.',
      effect: 'none',
    })
  }
  placeKeyFile(file, next, {replace: true})
  await forget(kept, surroundings)
}

/** Stores a key in the keyring if there is one that returns what it was given; otherwise the key goes to the file. */
async function keep(key: Secret<Buffer>, surroundings: Surroundings): Promise<KeptKey> {
  const account = `audit/${randomUUID()}`
  const problem = await openKeyring(surroundings).then(
    keyring => storeChecked(keyring, account, new Secret(key.open().toString('hex'))),
    () => 'there is none',
  )
  return problem === undefined ? {place: 'keyring', account} : {place: 'file', key}
}

/** Deletes the key of the trail from the keyring, if it is there. The file that names it stays. */
export async function forgetTrailKey(data: string, surroundings: Surroundings): Promise<void> {
  const kept = readKeyFile(keyFileOf(trailFile(data)))
  if (kept !== undefined) await forget(kept, surroundings)
}

async function forget(kept: KeptKey, surroundings: Surroundings): Promise<void> {
  if (kept.place !== 'keyring') return
  // A key that no file refers to seals nothing, so it may stay.
  await openKeyring(surroundings)
    .then(keyring => keyring.delete(kept.account))
    .catch(() => undefined)
}
