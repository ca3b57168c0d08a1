import {existsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {Audit} from '../audit/index.ts'
import {serviceTime, TrustedClock} from '../clock/trusted-clock.ts'
import {Failure} from '../errors/failure.ts'
import {type Journal, localKeyFile, openJournal, processSurroundings} from '../journal/index.ts'
import {hasLogs, journalFile, keyFile} from '../journal/journal-file.ts'
import {isNamed, looseModes, type Target, writableFolders} from '../profiles/index.ts'
import type {Secret} from '../sensitive/secret.ts'
import {type AuditUse, openTrail, trailFile} from './audit-trail.ts'
import {callerText} from './caller.ts'
import type {Context} from './context.ts'
import {doubtWords} from './doubtful-clock.ts'
import {refuseHalfImported} from './half-imported.ts'
import {reportMoved, reportUnfinished} from './journal-notices.ts'
import {keepMs} from './retention.ts'

/** What a command keeps on this machine: the journal of its service, the audit trail, and the time it can believe. */
export class Stores {
  readonly #context: Context
  #noticesGiven = false
  #isMovedTold = false
  #clock: TrustedClock | undefined
  readonly #reportedFolders = new Set<string>()

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

  /** The same without any notice, to look something up before a question. */
  async quietJournal(): Promise<Journal> {
    const {surroundings, folders, service} = this.#context
    // Report a problem with it before anything is sent.
    keepMs(surroundings)
    refuseHalfImported(folders.data)
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
    refuseHalfImported(folders.data)
    return this.reportingLooseModes([trailFile(folders.data)], () =>
      openTrail(folders.data, use, surroundings, callerText(caller)),
    )
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
      vouched: flags['clock-is-right'] === true,
    })
    return this.#clock
  }

  /** Takes the time that a response has. The clock of a sandbox can be moved, so it proves nothing. */
  heardTime({kind}: Pick<Target, 'kind'>, headers: Readonly<Record<string, string>>): void {
    if (kind === 'sandbox') return
    const time = serviceTime(headers)
    if (time === undefined) return
    try {
      this.clock.heard(time)
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
