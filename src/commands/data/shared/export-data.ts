import {hash} from 'node:crypto'
import {statSync} from 'node:fs'
import {join} from 'node:path'
import type {AuditEntry} from '../../../audit/index.ts'
import {trailKey} from '../../../cli/audit-trail.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {proveNewFile, writeNamedFile} from '../../../files/named-output.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {processSurroundings} from '../../../journal/index.ts'
import {keyFile} from '../../../journal/journal-file.ts'
import {isAliveBeside} from '../../../journal/journal-store.ts'
import {noteOf} from '../../../journal/local-key.ts'
import {goneJudge} from '../../../journal/process-mark.ts'
import {copyJournal, journalsHere, moveAway} from '../../../journal/transfer-journal.ts'
import {responsibleFor} from '../../../profiles/choose.ts'
import {encrypter, type Lock} from './encrypted-file.ts'
import {digestOf, fingerprintOf, signExport} from './machine-key.ts'
import {type Packed, packed} from './tar.ts'
import {
  FORMAT,
  inTransferFolder,
  journalFolderOf,
  MANIFEST,
  type Manifest,
  SIGNATURE,
  TRAIL,
  TRAIL_KEY,
} from './transfer.ts'

export interface Exported {
  readonly file: string
  readonly bytes: number
  readonly journals: readonly string[]
  /** Number of the last entry of the audit trail in the file. */
  readonly auditEntries: number | undefined
  readonly moved: boolean
  /** Fingerprint of the key of this machine. */
  readonly signedBy: string
}

interface ExportSettings {
  readonly file: string
  readonly lock: () => Promise<Lock>
  readonly move: boolean
  readonly audit: boolean
}

/**
 * Writes the journals and the audit trail into one encrypted file.
 *
 * @throws Failure NOT_FOUND if there is nothing; USAGE if something still runs; CONFIG_DAMAGED if the trail is broken.
 */
export async function exportData(
  context: Context,
  {file, lock, move, audit: withAudit}: ExportSettings,
): Promise<Exported> {
  const {data} = context.folders
  const {now} = context.surroundings
  const journals = journalsHere(journalFolderOf(data))
  if (journals.length === 0) {
    throw new Failure('NOT_FOUND', {
      message: `There is nothing to export in ${data}.`,
      hint: 'The first write to a service makes a journal.',
      effect: 'none',
    })
  }
  await proveNewFile(file)
  const encrypt = await encrypter(await lock())
  const at = now()
  using audit = await context.stores.audit()
  audit.ready()
  // Nothing is sent from here any more before the copy is made: it has everything that was sent.
  if (move) for (const journal of journals) moveAway(journal.file, at, runningJudge(data, now))
  audit.append(await entryOf(context, 'export', `${journals.length} journals${move ? ', moved' : ''}`))
  return inTransferFolder(context, async folder => {
    const files: Packed[] = []
    const add = (name: string, path: string) =>
      files.push({name, content: {file: path, size: statSync(path).size}})
    const trail = withAudit ? audit.copyTo(join(folder, TRAIL)) : undefined
    for (const {id, file: journal} of journals) {
      const copy = join(folder, `${id}.db`)
      copyJournal(journal, copy)
      add(`journal/${id}.key`, keyOf(data, id))
      add(`journal/${id}.json`, noteOf(journal))
      add(`journal/${id}.db`, copy)
    }
    if (trail !== undefined) {
      files.push({name: TRAIL_KEY, content: await trailKey(data, context.surroundings)})
      add(TRAIL, join(folder, TRAIL))
    }
    const digests: Record<string, string> = {}
    for (const {name, content} of files)
      digests[name] = typeof content === 'string' ? hash('sha256', content) : await digestOf(content.file)
    const manifest: Manifest = {
      format: FORMAT,
      version: context.version,
      exportedAt: new Date(at).toISOString(),
      moved: move,
      files: digests,
      journals: journals.map(({id, service}) => ({id, service})),
      audit: trail,
    }
    const text = `${JSON.stringify(manifest)}\n`
    const signature = signExport(data, text)
    files.unshift(
      {name: MANIFEST, content: text},
      {name: SIGNATURE, content: `${JSON.stringify(signature)}\n`},
    )
    await writeNamedFile(file, await encrypt(packed(files, at)))
    return {
      file,
      bytes: statSync(file).size,
      journals: journals.map(({service}) => service),
      auditEntries: trail?.seq,
      moved: move,
      signedBy: fingerprintOf(signature.publicKey),
    }
  })
}

/** A journal that can't be read with its key is of no use elsewhere. */
function keyOf(data: string, id: string): string {
  const file = keyFile(data, {id})
  if (readOwnFile(file) !== undefined) return file
  throw new Failure('STORE_DAMAGED', {
    message: `The key ${file} is missing, and the journals can't be used without it.`,
    hint: 'Restore it from a backup.',
    effect: 'none',
  })
}

export function runningJudge(data: string, now: () => number) {
  const isAlive = isAliveBeside(journalFolderOf(data), processSurroundings(now))
  const isGone = goneJudge({isAlive, now})
  return {
    isGone,
    isRunning: ({pid, mark, since}: {readonly pid: number; readonly mark: string; readonly since: number}) =>
      !isGone({pid, process_mark: mark, begun_at: since}),
  }
}

/** What happened to the records of this machine. */
export async function entryOf(
  context: Context,
  kind: 'export' | 'import' | 'erase',
  note: string,
): Promise<AuditEntry> {
  const {name: profile, auditUser, profile: settings} = await context.service.chosen()
  const responsible = responsibleFor(auditUser, settings)
  const {osUser} = context.surroundings
  return {kind, osUser, auditUser, responsible, profile, operation: `data.${kind}`, note, outcome: 'done'}
}
