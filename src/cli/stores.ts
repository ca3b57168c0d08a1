import {existsSync} from 'node:fs'
import {uptime} from 'node:os'
import {dirname, join} from 'node:path'
import type {Audit} from '../audit/index.ts'
import {TrustedClock} from '../clock/trusted-clock.ts'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {movedFolder} from '../files/moved-folder.ts'
import {refuseOtherFolder} from '../files/open-own-file.ts'
import {
  type Journal,
  localKeyFile,
  openJournal,
  processSurroundings,
  type RequestRecord,
} from '../journal/index.ts'
import {hasLogs, journalFile, keyFile} from '../journal/journal-file.ts'
import type {FoundPolicy} from '../policy/index.ts'
import {isNamed, looseModes, type Target, writableFolders} from '../profiles/index.ts'
import type {Secret} from '../sensitive/secret.ts'
import {auditEntryOf} from './audit-entries.ts'
import {type AuditUse, openTrail, trailFile} from './audit-trail.ts'
import {callerText} from './caller.ts'
import type {Context} from './context.ts'
import {doubtWords} from './doubtful-clock.ts'
import {keepMs} from './retention.ts'

/** How long the lock of a journal is waited for after somebody was told of it, ms. */
const HELD_MS = 5_100

/** What a command keeps on this machine: the journal of its service, the audit trail, and the time it can believe. */
export class Stores {
  readonly #context: Context
  #noticesGiven = false
  #isMovedTold = false
  #clock: TrustedClock | undefined
  #keepsOpen = false
  #kept: Promise<Journal> | undefined
  readonly #reportedFolders = new Set<string>()
  /** The data folder is there, or was when this command opened a file in it. */
  #hasFolder = false

  constructor(context: Context) {
    this.#context = context
  }

  /** Whether anything was ever sent to the service. `journal` creates what isn't there, and a preview leaves no trace. */
  async hasJournal(): Promise<boolean> {
    const {folders, service} = this.#context
    return existsSync(journalFile(folders.data, await service.identity()))
  }

  /** The journal of the service, opened for one request. Reports what an earlier process left unfinished. */
  async journal(): Promise<Journal> {
    const journal = await this.quietJournal()
    const {name} = await this.#context.service.chosen()
    await this.announceService()
    await reportUnfinished(journal, this.#context)
    if (isNamed(name) && !this.#isMovedTold) reportMoved(journal, name, this.#context)
    this.#isMovedTold = true
    this.#noticesGiven = true
    return journal
  }

  /** Opens the journal once for all its users until `close`. For a command that sends, and then ends. */
  keepOpen(): void {
    this.#keepsOpen = true
  }

  async close(): Promise<void> {
    const kept = this.#kept
    this.#keepsOpen = false
    this.#kept = undefined
    // Who opened it has said why it could not be opened.
    const journal = await kept?.catch(() => undefined)
    journal?.close()
  }

  /** `journal` without any notice, to look something up before a question. */
  async quietJournal(): Promise<Journal> {
    if (!this.#keepsOpen) return this.#open()
    this.#kept ??= this.#open()
    try {
      return (await this.#kept).forAnother()
    } catch (error) {
      this.#kept = undefined
      throw error
    }
  }

  async #open(): Promise<Journal> {
    const {surroundings, folders, service} = this.#context
    // Report a problem with it before anything is sent.
    keepMs(surroundings)
    this.#refuseFolder()
    const {name, profile} = await service.chosen()
    const identity = await service.identity()
    const file = journalFile(folders.data, identity)
    const key = keyFile(folders.data, identity)
    let read: Secret<Buffer> | undefined
    return this.reportingLooseModes([file, key], () =>
      openJournal({
        ...processSurroundings(surroundings.now),
        file,
        service: identity,
        profile: name,
        clock: profile.kind === 'sandbox' ? this.clock.ofSandbox() : this.clock,
        key: () => {
          read ??= localKeyFile(key)
          return read
        },
        keyFile: key,
        held: () =>
          this.#context.printer.waiting({
            for: 'lock',
            why: `another process holds the lock of the journal ${file}, and nothing is sent without a record`,
            until: surroundings.now() + HELD_MS,
            brief: 'lock of the journal',
          }),
      }),
    )
  }

  /** Says on stderr which profile the command acts on. */
  announceService(): Promise<void> {
    return this.#context.service.announce(() => this.hasJournal())
  }

  /**
   * The notices of `journal`, once, for commands that don't use it otherwise. A killed process leaves its log beside the
   * file.
   */
  async reportUnfinished(): Promise<void> {
    // A walk through pages holds the journal open, so the log is there for each of them.
    if (this.#noticesGiven) return
    this.#noticesGiven = true
    // Most runs find no log at all, and need not know whose it would be.
    if (!this.#hasLogs()) return
    const {folders, service} = this.#context
    if (existsSync(`${journalFile(folders.data, await service.identity())}-wal`))
      (await this.journal()).close()
  }

  /** A machine without a home folder has no journal yet. What writes one says so. */
  #hasLogs(): boolean {
    try {
      return hasLogs(this.#context.folders.data)
    } catch (error) {
      if (error instanceof Failure && error.code === 'CONFIG_UNREADABLE') return false
      throw error
    }
  }

  /** The audit trail, for all profiles. */
  async audit(use: AuditUse = 'append'): Promise<Audit> {
    const {folders, surroundings, caller} = this.#context
    this.#refuseFolder()
    const audit = await this.reportingLooseModes([trailFile(folders.data)], () =>
      openTrail(folders.data, use, surroundings, callerText(caller)),
    )
    try {
      if (use === 'append') await this.#followPolicy(audit)
      return audit
    } catch (error) {
      audit.close()
      throw error
    }
  }

  /** A folder made in the place of one that was moved away would be in the way of its return. @throws Failure STORE_UNAVAILABLE */
  #refuseFolder(): void {
    const {data} = this.#context.folders
    refuseHalfImported(data)
    const isThere = existsSync(data)
    this.#hasFolder ||= isThere
    if (!isThere && this.#hasFolder) throw movedFolder(`The data folder ${data}`)
  }

  /** Another user can change the policy at any time, so the next command that writes the trail says so. */
  async #followPolicy(audit: Audit): Promise<void> {
    const {policy, surroundings} = this.#context
    const found = await policy
    const state = found && ('policy' in found ? found.policy.digest : found.problem)
    audit.follow('policy', state, before => ({
      kind: 'change',
      // Who is served or runs a command notices it, and has not done it.
      osUser: 'unknown',
      auditUser: 'unknown',
      profile: '',
      operation:
        before === undefined ? 'policy.add' : state === undefined ? 'policy.remove' : 'policy.change',
      note: `${policyNote(found, before)} Noticed at a command or request of ${surroundings.osUser}.`,
      outcome: 'done',
    }))
  }

  /**
   * Opens files. That removes the permissions of other users, but others may have read the files before, so say which
   * they were.
   */
  async reportingLooseModes<Opened>(
    files: readonly string[],
    open: () => Opened | Promise<Opened>,
  ): Promise<Opened> {
    const {printer, folders, surroundings} = this.#context
    const {platform} = surroundings
    const loose = looseModes(files, platform)
    const opened = await open()
    this.#hasFolder = true
    for (const folder of new Set(files.map(dirname))) {
      for (const {message} of writableFolders(folder, folders.data, platform)) {
        // Journal and trail are in the same folders.
        if (!this.#reportedFolders.has(message)) printer.warn(message, {code: 'LOOSE_MODE'})
        this.#reportedFolders.add(message)
      }
    }
    for (const {path, mode} of loose) {
      printer.warn(`${path} could be used by others until now (mode ${mode}).`, {code: 'LOOSE_MODE'})
    }
    return opened
  }

  /** Whether the clock of this machine can be believed. */
  get clock(): TrustedClock {
    const {folders, surroundings, flags} = this.#context
    this.#clock ??= new TrustedClock({
      file: join(folders.data, 'clock.json'),
      now: surroundings.now,
      runningMs: () => Math.round(uptime() * 1000),
      vouched: flags['clock-is-right'] === true,
    })
    return this.#clock
  }

  /** Takes the time that a response has. The clock of a sandbox can be moved, so it proves nothing. */
  heardTime({kind}: Pick<Target, 'kind'>, headers: Readonly<Record<string, string>>): void {
    // Its file would make a folder that was moved away again.
    if (kind === 'sandbox' || (this.#hasFolder && !existsSync(this.#context.folders.data))) return
    try {
      this.clock.heard(headers)
    } catch (error) {
      // A machine without a data folder has nothing that could expire.
      if (!(error instanceof Failure)) throw error
    }
  }

  /** Says once that the clock could not be believed, where that mattered. Call it at the end of the command. */
  reportClock(): void {
    const doubt = this.#clock?.doubt
    if (doubt === undefined) return
    const {printer, when} = this.#context
    printer.warn(doubtWords(doubt, when), {code: 'CLOCK_DOUBTFUL'})
  }
}

/** The file that is in the data folder while `data import` puts records into their places. */
export const halfImported = (data: string): string => join(data, 'importing')

/** What is half imported, or another user's, is not used. @throws Failure STORE_UNAVAILABLE, CONFIG_UNREADABLE */
export function refuseHalfImported(data: string): void {
  refuseOtherFolder(data)
  if (!existsSync(halfImported(data))) return
  throw new Failure('STORE_UNAVAILABLE', {
    message: `A data import into ${data} did not end, so its journals and audit trail are not used.`,
    hint: advice`Run the same import again, and it continues: ${cardctl('data', 'import', {value: 'FILE'})}`,
    effect: 'none',
  })
}

/**
 * Reports the unfinished requests of processes that are gone, each once, and writes them into the audit trail, which
 * their processes no longer could. Their effect stays unknown.
 */
async function reportUnfinished(journal: Journal, context: Context): Promise<void> {
  const {printer} = context
  const rows = new Map<string, number>()
  // What this command could not record, it has said.
  const unfinished = journal.unfinished([
    ...context.effects.unrecorded.map(({id}) => id),
    ...(context.surroundings.lateRecords?.ids ?? []),
  ])
  if (unfinished.length === 0) return
  await recordUnfinished(unfinished, context)
  for (const request of unfinished) {
    const {job} = request
    if (job !== undefined && isBulk(job)) rows.set(job, (rows.get(job) ?? 0) + 1)
    else printer.warn(oneOf(request, context), {code: 'UNFINISHED', requestId: request.id})
  }
  for (const [job, count] of rows) {
    printer.warn(
      `${count} ${count === 1 ? 'row' : 'rows'} of bulk job ${job} have no recorded end: their process was cut off, or could not record it. Continue with: ${context.commandLine('bulk', 'resume', {value: job})}`,
      {code: 'UNFINISHED', job, rows: count},
    )
  }
}

/** A trail that can't be written must not keep anybody from reading. */
async function recordUnfinished(unfinished: readonly RequestRecord[], context: Context): Promise<void> {
  try {
    using audit = await context.stores.audit()
    audit.append(unfinished.map(request => auditEntryOf(context, request, {outcome: 'unknown'})))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.printer.warn(`Unfinished requests could not be written to the audit trail. ${error.message}`)
  }
}

function oneOf({id, operation, begunAt}: RequestRecord, {when, commandLine}: Context): string {
  return `Request ${id} (${operation}, begun ${when(begunAt)}) has no recorded end: its process was cut off, or could not record it. Check what happened: ${commandLine('requests', 'resolve', {value: id})}`
}

/** Other jobs are sets of transfers, whose requests are checked one by one. */
const isBulk = (job: string): boolean => /^s?j_[0-9A-Z]{26}$/.test(job)

/** Reports, until something is sent, that a profile leads to another service than before, with a journal of its own. */
function reportMoved(journal: Journal, profile: string, {printer, commandLine}: Context): void {
  const before = journal.others.before()
  if (before.length === 0) return
  const services = before.map(({service}) => service).join('; ')
  printer.warn(
    `Profile ${profile} now leads to ${journal.service.words}. Its earlier requests and bulk jobs belong to ${services}, and do not prevent repeats here. If that service has moved here, run: ${commandLine('requests', 'rebind')}. If the base URL is wrong, correct the profile.`,
    {code: 'SERVICE_MOVED'},
  )
}

function policyNote(found: FoundPolicy | undefined, before: string | undefined): string {
  const was = before === undefined ? '' : ` Before: ${before.replace(/\.$/, '')}.`
  if (found === undefined) return `This machine no longer has a policy.${was}`
  if ('problem' in found) return `${found.path} cannot be used: ${found.problem}${was}`
  return `${found.policy.path} has the SHA-256 ${found.policy.digest}.${was}`
}
