import {mkdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import type {TrailCopy, TrailPlan} from '../../../audit/index.ts'
import {headFiles, planTakeTrail, takeTrail} from '../../../cli/audit-trail.ts'
import type {Context} from '../../../cli/context.ts'
import {halfImported} from '../../../cli/stores.ts'
import {Failure} from '../../../errors/failure.ts'
import {FormerFiles} from '../../../files/former-files.ts'
import {placeFile} from '../../../files/place-file.ts'
import {openJournal, processSurroundings} from '../../../journal/index.ts'
import {keyFile, machineKeyFile} from '../../../journal/journal-file.ts'
import {
  type Arrival,
  type ArrivalPlan,
  arrive,
  mergeAll,
  planArrival,
  serviceIn,
} from '../../../journal/transfer-journal.ts'
import {EMBEDDED_PROFILE} from '../../../profiles/index.ts'
import {isIdOf} from '../../../profiles/service.ts'
import {isSignedBy, KEY_BYTES} from '../../../sensitive/ed25519.ts'
import {Secret} from '../../../sensitive/secret.ts'
import {explainedHere} from '../../audit/shared/check-trail.ts'
import {decrypted, incomplete, type Unlock} from './encrypted-file.ts'
import {eraseAgain as eraseFrom} from './erase-person.ts'
import {entryOf} from './export-data.ts'
import {rememberMachine, trustedIn} from './known-machines.ts'
import {digestOf, exportFacts, fingerprintOf, refuseUntrusted, type Signature} from './machine-key.ts'
import {NotAnArchive, unpack} from './tar.ts'
import {
  inTransferFolder,
  isFileName,
  journalFolderOf,
  MANIFEST,
  type Manifest,
  parseManifest,
  parseSignature,
  SIGNATURE,
  TRAIL,
  TRAIL_KEY,
  unpackedAs,
} from './transfer.ts'

export interface ImportedJournal {
  readonly service: string
  readonly result: 'imported' | 'replaced' | 'merged' | 'left out'
  /** Whether requests can be sent from here now. */
  readonly sends: boolean
}

export interface Imported {
  readonly exportedAt: string
  readonly journals: readonly ImportedJournal[]
  readonly audit: 'imported' | 'continued' | 'known' | 'left out'
}

interface ImportSettings {
  readonly file: string
  readonly unlock: Unlock
  readonly takeOver: boolean
  readonly audit: boolean
  /** Fingerprint of a machine that the user trusts. */
  readonly trust: string | undefined
}

interface Planned {
  readonly service: string
  readonly arrival: Arrival
  /** `skip`: both machines have an embedded sandbox. */
  readonly plan: Exclude<ArrivalPlan, 'other key'> | 'skip'
}

/**
 * Reads and checks all of the file before anything is changed. If placing it fails, what was here is put back. What a
 * kill leaves can't be used until the command runs again, which finishes it.
 *
 * @throws Failure INPUT_INVALID, CIPHERTEXT_INVALID; USAGE if something here would be overwritten
 */
export async function importData(context: Context, settings: ImportSettings): Promise<Imported> {
  const {data} = context.folders
  return inTransferFolder(context, async folder => {
    const {manifest, signature} = await readInto(folder, settings, context.surroundings.signal)
    await refuseUntrusted(context, signature, settings)
    const planned = await planJournals(context, folder, manifest, settings).catch(error => {
      throw namingArchive(error, folder, settings.file)
    })
    const trail = settings.audit ? await trailIn(folder, manifest) : undefined
    const former = new FormerFiles(folder)
    // The mark of an import that was killed stays until one has ended.
    former.mayMake(halfImported(data), ...headFiles(data))
    let trailPlan: TrailPlan | undefined
    try {
      trailPlan = trail && (await planTakeTrail(data, trail, context.surroundings)).plan
      former.keep(trustedIn(data))
      former.mayMake(journalFolderOf(data))
      mkdirSync(journalFolderOf(data), {recursive: true, mode: 0o700})
      rememberMachine(data, {fingerprint: fingerprintOf(signature.publicKey)})
      placeFile(halfImported(data), `${manifest.exportedAt}\n`)
      await place(context, planned, trail, former)
    } catch (error) {
      former.putBack()
      throw error
    }
    rmSync(halfImported(data))
    const journals = planned.map(resultOf)
    using audit = await context.stores.audit()
    const entry = await entryOf(
      context,
      'import',
      `${planned.length} journals, exported at ${manifest.exportedAt}`,
    )
    // Without a trail, their entries are in the trail of another machine.
    audit.append({...entry, explained: trail ? undefined : await explainedHere(context)})
    return {
      exportedAt: manifest.exportedAt,
      journals,
      audit: trailPlan ? TRAIL_RESULTS[trailPlan] : 'left out',
    }
  })
}

/** Everything that is here before the trail counts, or what was here before. */
async function place(
  {folders: {data}, printer, surroundings}: Context,
  planned: readonly Planned[],
  trail: TrailCopy | undefined,
  former: FormerFiles,
): Promise<void> {
  const merged = planned.filter(({plan}) => plan === 'merge')
  for (const {arrival, plan} of planned) {
    if (plan === 'skip')
      printer.warn('The journal of the embedded sandbox was left out: this machine has its own.')
    else if (plan !== 'merge') arrive(arrival, plan, machineKeyFile(data), former)
  }
  let left: readonly number[] = []
  const last = () => {
    left = mergeAll(merged.map(({arrival}) => arrival))
  }
  if (trail) await takeTrail(data, trail, surroundings, {former, last})
  else last()
  for (const [at, open] of left.entries()) {
    if (open === 0) continue
    printer.warn(
      `${open} requests to ${merged[at]?.service} with an unknown outcome were left out: this machine has a journal in use.`,
    )
  }
}

const resultOf = ({service, arrival, plan}: Planned): ImportedJournal =>
  plan === 'skip'
    ? {service, result: 'left out', sends: true}
    : {service, result: RESULTS[plan], sends: plan === 'merge' || arrival.active}

const RESULTS = {new: 'imported', replace: 'replaced', merge: 'merged'} as const
const TRAIL_RESULTS = {new: 'imported', continue: 'continued', known: 'known'} as const

async function readInto(
  folder: string,
  {file, unlock}: ImportSettings,
  signal: AbortSignal,
): Promise<{readonly manifest: Manifest; readonly signature: Signature}> {
  let names: readonly string[]
  try {
    names = await unpack(await decrypted(file, unlock, signal), folder, isFileName)
  } catch (error) {
    throw error instanceof NotAnArchive ? notOurs(file) : error
  }
  if (!names.includes(MANIFEST)) throw notOurs(file)
  const text = readFileSync(join(folder, MANIFEST), 'utf8')
  const manifest = parseManifest(text)
  if (typeof manifest === 'string') {
    throw new Failure('INPUT_INVALID', {
      message: `${file} was written by another version of cardctl: its format is "${manifest.slice(0, 40)}".`,
      hint: 'Update cardctl on this machine.',
      effect: 'none',
    })
  }
  if (manifest === undefined) throw notOurs(file)
  const wanted = [
    ...manifest.journals.flatMap(({id}) => ['key', 'json', 'db'].map(end => `journal/${id}.${end}`)),
    ...(manifest.audit ? [TRAIL, TRAIL_KEY] : []),
  ]
  if (wanted.some(name => !names.includes(name))) throw incomplete(file)
  const signature = names.includes(SIGNATURE)
    ? parseSignature(readFileSync(join(folder, SIGNATURE), 'utf8'))
    : undefined
  if (signature === undefined || !isSignedBy(signature.publicKey, exportFacts(text), signature.signature))
    throw incomplete(file)
  for (const name of names) {
    if (name === MANIFEST || name === SIGNATURE) continue
    if (manifest.files[name] !== (await digestOf(join(folder, unpackedAs(name))))) throw incomplete(file)
  }
  return {manifest, signature}
}

/** The copies of the journals are gone when a person reads about them. */
function namingArchive(error: unknown, folder: string, file: string): unknown {
  if (!(error instanceof Failure) || !error.message.includes(folder)) return error
  if (error.code !== 'STORE_DAMAGED') return error.with({message: error.message.replaceAll(folder, file)})
  const [, why = 'its key is not the one that it was written with'] =
    /is damaged: (.*)\. It was not/.exec(error.message) ?? []
  return new Failure('INPUT_INVALID', {
    message: `A journal in ${file} is damaged: ${why}. Nothing was imported.`,
    hint: 'Export it again where it came from.',
    effect: 'none',
    cause: error,
  })
}

const notOurs = (file: string): Failure =>
  new Failure('INPUT_INVALID', {
    message: `${file} is not a file that data export wrote.`,
    effect: 'none',
  })

async function planJournals(
  context: Context,
  folder: string,
  {journals, exportedAt, moved}: Manifest,
  {takeOver}: ImportSettings,
): Promise<readonly Planned[]> {
  const {data} = context.folders
  const planned: Planned[] = []
  for (const {id, service} of journals) {
    const staged = (end: string) => join(folder, unpackedAs(`journal/${id}.${end}`))
    const arrival: Arrival = {
      file: staged('db'),
      place: join(journalFolderOf(data), `${id}.db`),
      isIts: identity => isIdOf(identity, id),
      note: readFileSync(staged('json'), 'utf8'),
      key: new Secret(keyIn(readFileSync(staged('key')))),
      active: moved || takeOver,
      at: Date.parse(exportedAt),
    }
    const plan = planArrival(arrival, keyFile(data, {id}))
    if (plan !== 'other key') {
      await eraseAgain(context, id, arrival)
      planned.push({service, arrival, plan})
      continue
    }
    if (id === EMBEDDED_PROFILE) {
      planned.push({service, arrival, plan: 'skip'})
      continue
    }
    throw new Failure('USAGE', {
      message: `This machine has a journal of ${service} with another key, so what was sent could not be compared.`,
      hint: 'Import into an empty folder: set CARDCTL_DATA_DIR.',
      effect: 'none',
    })
  }
  return planned
}

/** What was erased here since the export doesn't come back. */
async function eraseAgain(context: Context, id: string, {file, key}: Arrival): Promise<void> {
  const {now} = context.surroundings
  using journal = openJournal({
    ...processSurroundings(now),
    file,
    service: {id, ...serviceIn(file)},
    profile: id,
    key: () => key,
  })
  await eraseFrom(journal)
}

/** @throws Failure INPUT_INVALID */
function keyIn(bytes: Buffer): Buffer {
  if (bytes.length === KEY_BYTES && bytes.some(byte => byte !== 0)) return bytes
  throw new Failure('INPUT_INVALID', {
    message: 'A key in the file is damaged. Nothing was imported.',
    effect: 'none',
  })
}

async function trailIn(folder: string, {audit: head}: Manifest): Promise<TrailCopy | undefined> {
  if (head === undefined) return undefined
  const hex = readFileSync(join(folder, TRAIL_KEY), 'latin1').trim()
  return {file: join(folder, TRAIL), head, key: new Secret(keyIn(Buffer.from(hex, 'hex')))}
}
