import {existsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {AUDIT_RETENTION_DAYS, type Audit} from '../audit/index.ts'
import {serviceTime, TrustedClock} from '../clock/trusted-clock.ts'
import {Failure} from '../errors/failure.ts'
import {
  type Journal,
  type JournalClock,
  localKeyFile,
  openJournal,
  type Purpose,
  processSurroundings,
} from '../journal/index.ts'
import {hasLogs, journalFile, keyFile} from '../journal/journal-file.ts'
import type {Decimal} from '../money/decimal-sign.ts'
import {escapeText} from '../output/escape-text.ts'
import {createPrinter, localTime, type OutputOptions, type Printer, timeZoneOf} from '../output/index.ts'
import {
  type Chosen,
  chosenStrictness,
  environmentForChildren,
  type Folders,
  foldersOf,
  isNamed,
  looseModes,
  openProfiles,
  type Profiles,
  type ProfileWebhook,
  type Service,
  serviceOf,
  type Target,
  type WhoAmI,
  whoami,
  writableFolders,
} from '../profiles/index.ts'
import {askTicket} from './ask-ticket.ts'
import {type AuditUse, openTrail, trailFile} from './audit-trail.ts'
import {type CommandLine, commandLine, typedLine} from './command-line.ts'
import {doubtWords} from './doubtful-clock.ts'
import {Effects} from './effects.ts'
import type {bodyFlags, globalFlags, operationFlags, purposeFlags, SomeFlagValues} from './flags.ts'
import {refuseHalfImported} from './half-imported.ts'
import {reportMoved, reportUnfinished} from './journal-notices.ts'
import {type Place, placeWords} from './place.ts'
import {createPrompter, type Prompter} from './question.ts'
import {ResponseDifferences} from './response-differences.ts'
import {keepMs} from './retention.ts'
import {isInteractive, type Surroundings} from './surroundings.ts'
import {TypedNumbers} from './typed-numbers.ts'

/** The global flags as parsed; flags.ts describes them. */
export type GlobalFlags = SomeFlagValues<
  typeof globalFlags &
    Pick<typeof operationFlags, 'audit-user' | 'no-check-input' | 'strict'> &
    Pick<typeof bodyFlags, 'skeleton' | 'decimal'> &
    typeof purposeFlags
> & {readonly json?: boolean | undefined; readonly bid?: string | undefined}

/** A sandbox can't prove the time, and loses nothing. */
const journalClock = (clock: TrustedClock, kind: Target['kind']): JournalClock => ({
  isBelieved: newest => clock.isBelieved(newest),
  get isProven() {
    return kind === 'sandbox' || clock.isProven
  },
  vouched: clock.vouched,
  needed: () => clock.needed(),
})

/** What a command works with. Each part is made on first use, so a command pays only for what it uses. */
export class Context {
  readonly surroundings: Surroundings
  readonly flags: GlobalFlags
  readonly version: string
  /** What its requests came to, also under another profile or format. */
  readonly differences: ResponseDifferences
  readonly effects: Effects
  #printer: Printer | undefined
  #prompter: Prompter | undefined
  #numbers: TypedNumbers | undefined
  #profiles: Profiles | undefined
  #chosen: Promise<Chosen> | undefined
  #known: Chosen | undefined
  #target: Promise<Target> | undefined
  #announced: Promise<void> | undefined
  #journalNoticesGiven = false
  #isMovedTold = false
  #clock: TrustedClock | undefined
  #askedTicket: Promise<string> | undefined
  readonly #reportedFolders = new Set<string>()

  constructor(
    surroundings: Surroundings,
    flags: GlobalFlags,
    version: string,
    {differences, effects}: Pick<Context, 'differences' | 'effects'> = {
      differences: new ResponseDifferences(),
      effects: new Effects(),
    },
  ) {
    this.surroundings = surroundings
    this.flags = flags
    this.version = version
    this.differences = differences
    this.effects = effects
  }

  /** The same command with another profile. */
  withProfile(profile: string): Context {
    return new Context(this.surroundings, {...this.flags, profile}, this.version, this)
  }

  /** The same command with this format, whatever the user chose. */
  withFormat(output: 'ndjson'): Context {
    return new Context(this.surroundings, {...this.flags, output, json: false}, this.version, this)
  }

  get interactive(): boolean {
    return isInteractive(this.surroundings, this.flags['no-input'])
  }

  get prompter(): Prompter {
    this.#prompter ??= createPrompter(this.surroundings)
    return this.#prompter
  }

  get numbers(): TypedNumbers {
    this.#numbers ??= new TypedNumbers(this)
    return this.#numbers
  }

  get folders(): Folders {
    return foldersOf(this.surroundings)
  }

  get printer(): Printer {
    const {surroundings} = this
    this.#printer ??= createPrinter(
      {...surroundings, childEnvironment: () => environmentForChildren(surroundings)},
      this.outputOptions,
    )
    return this.#printer
  }

  get outputOptions(): OutputOptions {
    const {flags} = this
    return {
      format: flags.json ? 'json' : (flags.output ?? 'table'),
      query: flags.query,
      columns: flags.columns?.split(',').map(name => name.trim()),
      header: !flags['no-header'],
      csvSafe: flags['csv-safe'] ?? false,
      quiet: flags.quiet ?? false,
      noColour: flags['no-color'] ?? false,
    }
  }

  /** A time as notes, questions and errors show it: "2026-11-21 14:02 UTC+2". */
  readonly when = (millis: number): string => localTime(millis, {timeZone: timeZoneOf(this.surroundings.env)})

  /** A command line for hints, with the profile or base URL of this command. */
  readonly commandLine: CommandLine = (...words) =>
    commandLine(words, this.#known, this.surroundings.platform)

  /** A command line of the words that a person would type. */
  readonly typedLine = (argv: readonly string[]): string =>
    typedLine(argv, this.#known, this.surroundings.platform)

  debug(line: string): void {
    // Headers and bodies come from others: nothing in them may control the terminal.
    if (this.isDebugged) this.printer.say(escapeText(line))
  }

  get isDebugged(): boolean {
    return Boolean(this.flags.debug || this.surroundings.env.CARDCTL_DEBUG)
  }

  get profiles(): Profiles {
    this.#profiles ??= openProfiles({
      ...this.surroundings,
      notify: ({code, message}) => this.printer.warn(message, {code}),
    })
    return this.#profiles
  }

  /**
   * Which profile is used, with which values. Reads only profiles.json. Shows the name of a live profile above all
   * tables.
   */
  chosen(): Promise<Chosen> {
    const {profile, 'audit-user': auditUser, bid} = this.flags
    this.#chosen ??= this.profiles.choose({profile, auditUser, bid}).then(chosen => {
      this.#known = chosen
      if (chosen.profile.kind === 'live') this.printer.markLive(chosen.name)
      return chosen
    })
    return this.#chosen
  }

  /** The profile in use, its values, and where each comes from. Reads no secret. */
  async whoami(): Promise<WhoAmI> {
    return whoami(await this.chosen())
  }

  /** The service that requests go to. */
  target(): Promise<Target> {
    this.#target ??= this.chosen().then(chosen => this.profiles.target(chosen))
    return this.#target
  }

  /** How the user of the chosen profile writes decimals, if it says so. Needs no audit user. */
  async usualDecimal(): Promise<Decimal | undefined> {
    return (await this.profiles.stored({profile: this.flags.profile})).decimal
  }

  /**
   * How authorisation calls are authenticated, as the chosen profile says; undefined if it doesn't. Needs no audit user.
   *
   * @throws Failure SECRET_MISSING, PROFILE_INVALID, PROFILE_NOT_FOUND
   */
  profileWebhook(): Promise<ProfileWebhook | undefined> {
    return this.profiles.webhook({profile: this.flags.profile})
  }

  /**
   * Says once on stderr which profile the command acts on, or that it is the embedded sandbox because none was chosen.
   * Call it once that is certain: a usage error acts on no profile. If a script reads JSON, an error stays the only
   * object on stderr.
   */
  announcePlace(): Promise<void> {
    this.#announced ??= this.#announce()
    return this.#announced
  }

  /** For a question, which names the profile itself. */
  placeWasNamed(): void {
    this.#announced ??= Promise.resolve()
  }

  async #announce(): Promise<void> {
    const {format} = this.outputOptions
    if ((format === 'json' || format === 'ndjson') && this.surroundings.stderr.isTTY !== true) return
    const place = await this.place()
    const {explicit} = await this.chosen()
    const isNew = !explicit && this.surroundings.stderr.isTTY === true && (await this.#isUnused())
    this.printer.note(isNew ? 'sandbox (embedded) · a real service: cardctl profiles add' : placeWords(place))
  }

  /** Whether there is no profile yet, and no recorded request to the embedded sandbox. */
  async #isUnused(): Promise<boolean> {
    if (await this.hasJournal()) return false
    return (await this.profiles.list()).every(({builtIn}) => builtIn)
  }

  /**
   * Says where responses differed from the contract. Call it after the result is printed.
   *
   * @throws Failure ANSWER_DIFFERS if `--strict`, CARDCTL_STRICT or the profile says so, unless the command failed
   * anyway.
   */
  async reportDifferences(failed: boolean): Promise<void> {
    if (!this.differences.any) return
    if (!failed && (await this.isStrict())) throw this.differences.toFailure()
    this.printer.warn(this.differences.words, {code: 'ANSWER_DIFFERS'})
  }

  /** Whether a response that differs from the contract is a failure. */
  async isStrict(): Promise<boolean> {
    return this.strictGiven() ?? (await this.target()).strict
  }

  /** What `--strict` or CARDCTL_STRICT says; undefined if neither is given. */
  strictGiven(): boolean | undefined {
    return chosenStrictness(this.flags.strict, this.surroundings.env)
  }

  /** The service of the profile. */
  async service(): Promise<Service> {
    return serviceOf(await this.chosen())
  }

  /** Whether anything was ever sent to the service. `journal` creates what isn't there, and a preview leaves no trace. */
  async hasJournal(): Promise<boolean> {
    return existsSync(journalFile(this.folders.data, await this.service()))
  }

  /** The journal of the service, opened for one request. Reports what an earlier process left unfinished. */
  async journal(): Promise<Journal> {
    const journal = await this.quietJournal()
    const {name} = await this.chosen()
    await this.announcePlace()
    await reportUnfinished(journal, this)
    if (isNamed(name) && !this.#isMovedTold) reportMoved(journal, name, this)
    this.#isMovedTold = true
    this.#journalNoticesGiven = true
    return journal
  }

  /** The same without any notice, to look something up before a question. */
  async quietJournal(): Promise<Journal> {
    // Report a problem with it before anything is sent.
    keepMs(this.surroundings)
    refuseHalfImported(this.folders.data)
    const {name, profile} = await this.chosen()
    const service = await this.service()
    const clock = await this.clock()
    const file = journalFile(this.folders.data, service)
    const key = keyFile(this.folders.data, service)
    return this.reportingLooseModes([file, key], () =>
      openJournal({
        ...processSurroundings(this.surroundings.now),
        file,
        service,
        profile: name,
        clock: journalClock(clock, profile.kind),
        key: () => localKeyFile(key),
        keyFile: key,
      }),
    )
  }

  /**
   * The notices of `journal`, once, for commands that don't use it otherwise. A killed process leaves its log beside the
   * file.
   */
  async reportUnfinished(): Promise<void> {
    // A walk through pages holds the journal open, so the log is there for each of them.
    if (this.#journalNoticesGiven) return
    this.#journalNoticesGiven = true
    // Most runs find no log at all, and need not know whose it would be.
    if (!this.#hasLogs()) return
    if (existsSync(`${journalFile(this.folders.data, await this.service())}-wal`))
      (await this.journal()).close()
  }

  /** A machine without a home folder has no journal yet. What writes one says so. */
  #hasLogs(): boolean {
    try {
      return hasLogs(this.folders.data)
    } catch (error) {
      if (error instanceof Failure && error.code === 'CONFIG_UNREADABLE') return false
      throw error
    }
  }

  /** The audit trail, for all profiles. */
  async audit(use: AuditUse = 'append'): Promise<Audit> {
    const {data} = this.folders
    refuseHalfImported(data)
    return this.reportingLooseModes([trailFile(data)], () => openTrail(data, use, this.surroundings))
  }

  /**
   * Opens files. That removes the permissions of other users, but others may have read the files before, so say which
   * they were.
   */
  async reportingLooseModes<Opened>(
    files: readonly string[],
    open: () => Opened | Promise<Opened>,
  ): Promise<Opened> {
    const {platform} = this.surroundings
    const loose = looseModes(files, platform)
    const opened = await open()
    for (const folder of new Set(files.map(dirname))) {
      for (const {message} of writableFolders(folder, this.folders.data, platform)) {
        // Journal and trail are in the same folders.
        if (!this.#reportedFolders.has(message)) this.printer.warn(message, {code: 'LOOSE_MODE'})
        this.#reportedFolders.add(message)
      }
    }
    for (const {path, mode} of loose) {
      this.printer.warn(`${path} could be used by others until now (mode ${mode}).`, {code: 'LOOSE_MODE'})
    }
    return opened
  }

  /** Whether the clock of this machine can be believed. */
  async clock(): Promise<TrustedClock> {
    this.#clock ??= new TrustedClock({
      file: join(this.folders.data, 'clock.json'),
      now: this.surroundings.now,
      vouched: this.flags['clock-is-right'] === true,
    })
    return this.#clock
  }

  /** Takes the time that a response has. The clock of a sandbox can be moved, so it proves nothing. */
  async heardTime({kind}: Pick<Target, 'kind'>, headers: Readonly<Record<string, string>>): Promise<void> {
    if (kind === 'sandbox') return
    const time = serviceTime(headers)
    if (time === undefined) return
    try {
      const clock = await this.clock()
      clock.heard(time)
    } catch (error) {
      // A machine without a data folder has nothing that could expire.
      if (!(error instanceof Failure)) throw error
    }
  }

  /** Says once that the clock could not be believed, where that mattered. Call it at the end of the command. */
  async reportClock(): Promise<void> {
    const doubt = this.#clock?.doubt
    if (doubt === undefined) return
    this.printer.warn(doubtWords(doubt, this.when), {code: 'CLOCK_DOUBTFUL'})
  }

  /** How long audit entries are kept by default. */
  async auditRetentionMs(): Promise<number> {
    return AUDIT_RETENTION_DAYS * 86_400_000
  }

  /**
   * Why the user does it: `--note` and `--ticket`, otherwise those of an earlier request that is continued. Asks for a
   * ticket, once, if the profile requires one.
   *
   * @throws Failure USAGE if nobody can be asked.
   */
  async purpose({requireTicket}: Pick<Target, 'requireTicket'>, earlier: Purpose = {}): Promise<Purpose> {
    const {note = earlier.note, ticket = earlier.ticket} = this.flags
    if (ticket !== undefined || !requireTicket) return {note, ticket}
    this.#askedTicket ??= askTicket(this)
    return {note, ticket: await this.#askedTicket}
  }

  /** Records that a secret is about to be shown, but not the secret. */
  async recordReveal(operation: string, resources: readonly string[]): Promise<void> {
    const target = await this.target()
    const purpose = await this.purpose(target)
    using audit = await this.audit()
    const {name: profile, auditUser, responsible} = target
    const {osUser} = this.surroundings
    audit.append({
      kind: 'reveal',
      osUser,
      auditUser,
      responsible,
      profile,
      operation,
      resources,
      outcome: 'done',
      ...purpose,
    })
  }

  /** The profile as questions name it. Reads only profiles.json. */
  async place(): Promise<Place> {
    const {name, embedded, profile} = await this.chosen()
    return {name, embedded, kind: profile.kind, baseUrl: profile.baseUrl}
  }
}
