import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'
import {oneOfEach} from '../../../output/exchanges.ts'
import {placeOf} from '../../../profiles/service.ts'
import {knownMachine} from '../../data/shared/known-machines.ts'
import {ownFingerprint} from '../../data/shared/machine-key.ts'
import {machineName} from '../../data/shared/machine-keys.ts'
import type {Source} from './merge-entries.ts'
import type {Reported} from './reported-shift.ts'
import type {
  OpenJob,
  ShiftEntry,
  ShiftFilter,
  ShiftMachine,
  SignatureWord,
  WaitingProposal,
} from './shift-types.ts'
import {gapWords} from './shift-view.ts'
import {readSignedReport, type SignedReport} from './signed-report.ts'
import type {waitingProposals} from './waiting-proposals.ts'

/** A machine of the report, and what it says within the time of the report. */
export interface MachineSource {
  readonly machine: ShiftMachine
  readonly source: Source
  /** Of a machine that somebody vouched for. */
  readonly openJobs: readonly OpenJob[]
  readonly waiting: readonly WaitingProposal[]
  readonly settled: readonly string[]
}

interface Files {
  readonly files: readonly string[]
  /** Fingerprints that count as known for this report. */
  readonly trust: readonly string[]
}

/** What this machine says about a shift, to be signed. */
export async function reportedHere(
  context: Context,
  {since, until, auditUser, ticket}: ShiftFilter,
  entries: readonly ShiftEntry[],
  openJobs: readonly OpenJob[],
  {waiting, settled}: Pick<Awaited<ReturnType<typeof waitingProposals>>, 'waiting' | 'settled'>,
): Promise<Reported> {
  const {version, surroundings, service} = context
  const identity = await service.identity()
  const now = surroundings.now()
  return {
    machine: machineName(),
    madeAt: iso(now),
    version,
    profile: (await service.chosen()).name,
    service: identity.words,
    place: placeOf(identity),
    since: since === undefined ? undefined : iso(since),
    until: iso(Math.min(until ?? now, now)),
    by: auditUser,
    ticket,
    entries,
    openJobs,
    waiting,
    settled,
  }
}

/**
 * This machine and those of the files, each with its entries that belong into the report. Every file is read and
 * checked before anything is reported.
 *
 * @throws Failure INPUT_INVALID for a file that is not as it was signed; USAGE for one of another service
 */
export async function machineSources(
  context: Context,
  filter: ShiftFilter,
  own: Reported,
  {files, trust}: Files,
): Promise<readonly MachineSource[]> {
  const {folders, surroundings} = context
  const ownKey = ownFingerprint(folders.data)
  const read: SignedReport[] = []
  for (const file of files) {
    const signed = await readSignedReport(file, surroundings.signal)
    refuseOtherService(signed, own)
    read.push(signed)
  }
  const wordOf = (key: string): SignatureWord =>
    key === ownKey
      ? 'own'
      : trust.includes(key) || knownMachine(folders.data, key) !== undefined
        ? 'verified'
        : 'key not known here'
  const all = [{file: undefined, key: ownKey, report: own}, ...read]
  const nameOf = namesOf(all, key => knownMachine(folders.data, key)?.name, wordOf)
  for (const {file, key} of read) if (wordOf(key) === 'key not known here') warnOf(context, file, key)
  return all.map(({file, key, report}) => {
    const entries = report.entries.filter(entry => belongs(entry, filter))
    const {madeAt, since, until, by, ticket} = report
    const [name, signature] = [nameOf(key, report), wordOf(key)]
    const isVouched = signature !== 'key not known here'
    const gaps = file === undefined ? [] : gapsOf(report, own)
    for (const gap of gaps) context.printer.warn(`${file} ${gapWords(gap, context.when)}`)
    return {
      machine: {
        name,
        key,
        signature,
        file,
        madeAt,
        since,
        until,
        by,
        ticket,
        ...(gaps.length === 0 ? {} : {gaps}),
        entries: oneOfEach(entries).length,
      },
      source: {machine: name, isVouched, madeAt: Date.parse(madeAt), entries},
      openJobs: isVouched ? (report.openJobs ?? []) : [],
      waiting: isVouched ? (report.waiting ?? []) : [],
      settled: isVouched ? (report.settled ?? []) : [],
    }
  })
}

function refuseOtherService({file, report}: SignedReport, own: Reported): void {
  if (report.place === own.place) return
  throw new Failure('USAGE', {
    message: `${file} is about another service, ${report.service}; this report is about ${own.service}.`,
    hint: 'Choose the profile of that service with --profile, or leave the file out.',
    effect: 'none',
  })
}

/** A file is some minutes old when it is used. */
const MOST_LATE_MS = 10 * 60_000

/** What of the report a file doesn't cover. */
function gapsOf(
  {since, until, madeAt, by, ticket}: Reported,
  own: Reported,
): NonNullable<ShiftMachine['gaps']> {
  const early = Date.parse(own.until) - Date.parse(until)
  const isFresh = Date.parse(madeAt) - Date.parse(until) < 1000 && early < MOST_LATE_MS
  return [
    ...(since !== undefined && (own.since === undefined || Date.parse(since) > Date.parse(own.since))
      ? [{before: since}]
      : []),
    ...(early > 0 && !isFresh ? [{after: until}] : []),
    ...(by !== undefined && by !== own.by ? [{otherThan: `what ${by} did`}] : []),
    ...(ticket !== undefined && ticket !== own.ticket ? [{otherThan: `ticket ${ticket}`}] : []),
  ]
}

/** The files may cover more than the report. */
function belongs(entry: ShiftEntry, {since, until, auditUser, ticket}: ShiftFilter): boolean {
  const at = Date.parse(entry.at)
  return (
    (since === undefined || at >= since) &&
    (until === undefined || at < until) &&
    (auditUser === undefined || entry.auditUser === auditUser) &&
    (ticket === undefined || entry.ticket === ticket)
  )
}

/** A name for each key: no two keys have the same one, and one that nobody vouched for never looks like a known one. */
function namesOf(
  all: readonly Pick<SignedReport, 'key' | 'report'>[],
  knownAs: (key: string) => string | undefined,
  wordOf: (key: string) => SignatureWord,
): (key: string, report: Reported) => string {
  const plain = new Map(all.map(({key, report}) => [key, knownAs(key) ?? report.machine]))
  const known = [...plain.keys()].filter(key => wordOf(key) !== 'key not known here')
  const taken = Map.groupBy(known, key => plain.get(key))
  return (key, {machine}) => {
    const name = plain.get(key) ?? machine
    const [short] = /^.{9}/.exec(key) ?? [key]
    if (wordOf(key) === 'key not known here') return `${name} (unknown key ${short})`
    return (taken.get(name)?.length ?? 0) > 1 ? `${name} (key ${short})` : name
  }
}

function warnOf({printer, commandLine}: Context, file: string, key: string): void {
  printer.warn(
    `${file} is signed by ${key}, a key that is not known here: anyone can make such a file. Its entries are listed apart and not counted. If data keys on that machine shows the same key, trust it here: ${commandLine('data', 'keys', '--trust', {value: key}, '--name', {value: 'NAME'})}`,
  )
}

const iso = (millis: number): string => new Date(millis).toISOString()
