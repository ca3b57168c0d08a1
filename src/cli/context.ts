import {Failure} from '../errors/failure.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import type {Purpose} from '../journal/index.ts'
import {readTraceContext} from '../network/trace-context.ts'
import {
  createPrinter,
  localTime,
  type OutputOptions,
  type Printer,
  type PrinterSurroundings,
  timeZoneOf,
} from '../output/index.ts'
import {escapeText, jsonLine} from '../output/styled.ts'
import {type FoundPolicy, findPolicy, policyPlace} from '../policy/index.ts'
import {environmentForChildren, type Folders, foldersOf, type Target} from '../profiles/index.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import {agreeToLoosen} from './agree-to-loosen.ts'
import {type Caller, callerOf} from './caller.ts'
import {ChosenService} from './chosen-service.ts'
import {type CommandLine, commandLine, type ForLog, sameService, typedLine} from './command-line.ts'
import {Effects, ResponseDifferences} from './effects.ts'
import {
  type bodyFlags,
  type globalFlags,
  type operationFlags,
  type purposeFlags,
  purposeProblem,
  type SomeFlagValues,
} from './flags.ts'
import {forLog} from './for-log.ts'
import {isLogged} from './log-format.ts'
import {createPrompter, type Prompter} from './question.ts'
import {recordProfiles} from './record-changes.ts'
import {Stores} from './stores.ts'
import {isInteractive, type Surroundings} from './surroundings.ts'
import {TypedNumbers} from './typed-numbers.ts'

/** The global flags as parsed; flags.ts describes them. */
export type GlobalFlags = SomeFlagValues<
  typeof globalFlags &
    Pick<typeof operationFlags, 'audit-user' | 'no-check-input' | 'strict'> &
    Pick<typeof bodyFlags, 'skeleton' | 'decimal'> &
    typeof purposeFlags
> & {readonly json?: boolean | undefined; readonly bid?: string | undefined}

/** What the contexts of one command share. */
export type SharedContext = Pick<Context, 'differences' | 'effects' | 'named'>

export const newShared = (): SharedContext => ({
  differences: new ResponseDifferences(),
  effects: new Effects(),
  named: new Set(),
})

/** What a command works with: its words, what it prints to and asks, its service, and what it keeps on this machine. */
export class Context {
  readonly surroundings: Surroundings
  readonly flags: GlobalFlags
  readonly version: string
  readonly printer: Printer
  readonly outputOptions: OutputOptions
  /** The profile in use. */
  readonly service: ChosenService
  readonly stores: Stores
  /** Why the user does it. */
  readonly purposes: Purposes
  /** What its requests came to, also under another profile or format. */
  readonly differences: ResponseDifferences
  readonly effects: Effects
  /** The profiles that a person was told of, also by the questions before the command. */
  readonly named: Set<string>
  /** The stored profile that the command would change; undefined until it asks. */
  changes: string | undefined
  #folders: Folders | undefined
  #prompter: Prompter | undefined
  #typedCheck: (() => Promise<void>) | undefined
  #numbers: TypedNumbers | undefined
  #policy: Promise<FoundPolicy | undefined> | undefined

  constructor(
    surroundings: Surroundings,
    flags: GlobalFlags,
    version: string,
    {differences, effects, named}: SharedContext = newShared(),
  ) {
    this.surroundings = surroundings
    this.flags = flags
    this.version = version
    this.differences = differences
    this.effects = effects
    this.named = named
    const log = isLogged(surroundings)
    // Whether there is a terminal is asked for an agent alone: that opens stdin.
    const isAgent = callerOf(surroundings.env, flags.as, false).kind === 'agent'
    const notesAsJson = isAgent && !this.interactive
    this.outputOptions = {...outputOptionsOf(flags), log, notesAsJson}
    const {format} = this.outputOptions
    this.printer = createPrinter(printerSurroundings(surroundings), this.outputOptions)
    this.service = new ChosenService({
      surroundings,
      flags,
      named,
      printer: this.printer,
      printsData: format === 'json' || format === 'ndjson',
      agree: loosening => agreeToLoosen(this, loosening),
      record: write => recordProfiles(this, write),
    })
    this.stores = new Stores(this)
    this.purposes = new Purposes(this)
  }

  /** The same command with another profile. */
  withProfile(profile: string): Context {
    return new Context(this.surroundings, {...this.flags, profile}, this.version, this)
  }

  /** The same command with this format, whatever the user chose. */
  withFormat(output: 'ndjson'): Context {
    return new Context(this.surroundings, {...this.flags, output, json: false}, this.version, this)
  }

  /** Who runs the command. */
  get caller(): Caller {
    const {env} = this.surroundings
    return callerOf(env, this.flags.as, this.interactive)
  }

  get interactive(): boolean {
    return isInteractive(this.surroundings, this.flags['no-input'])
  }

  /** Before the first question: what was typed is checked, as far as it can be alone. @throws Failure */
  async refuseTyped(): Promise<void> {
    const check = this.#typedCheck
    this.#typedCheck = undefined
    await check?.()
  }

  set typedCheck(check: () => Promise<void>) {
    this.#typedCheck = check
  }

  get prompter(): Prompter {
    this.#prompter ??= createPrompter(this.surroundings, {before: () => this.refuseTyped()})
    return this.#prompter
  }

  get numbers(): TypedNumbers {
    this.#numbers ??= new TypedNumbers(this)
    return this.#numbers
  }

  /** What another user lets this one send; undefined if this machine has no policy. */
  get policy(): Promise<FoundPolicy | undefined> {
    this.#policy ??= findPolicy(this.surroundings.policyPlace ?? policyPlace())
    return this.#policy
  }

  /** @throws Failure CONFIG_UNREADABLE if the machine has no place for them. */
  get folders(): Folders {
    this.#folders ??= foldersOf(this.surroundings)
    return this.#folders
  }

  /** A time as notes, questions and errors show it: "2026-11-21 14:02 UTC+2". */
  readonly when = (millis: number): string => localTime(millis, {timeZone: timeZoneOf(this.surroundings.env)})

  /** A command line for hints, with the profile or base URL of this command. */
  readonly commandLine: CommandLine = (...words) =>
    commandLine(words, this.service.known, this.surroundings.platform, this.#log)

  /** A command of a hint, for the service of this command. */
  readonly forService = (command: SuggestedCommand): SuggestedCommand =>
    command.for(sameService(this.service.known, this.surroundings.platform, this.#log))

  /** A command line of the words that a person would type. */
  readonly typedLine = (argv: readonly string[]): SuggestedCommand =>
    typedLine(argv, this.service.known, this.surroundings.platform, this.#log)

  get #log(): ForLog | undefined {
    return forLog(this.surroundings)
  }

  debug(line: string): void {
    // Headers and bodies come from others: nothing in them may control the terminal.
    if (!this.isDebugged) return
    this.printer.say(this.outputOptions.log ? jsonLine({debug: {message: line}}) : escapeText(line))
  }

  /** TRACEPARENT is set, and not as the standard has it. */
  get hasBadTrace(): boolean {
    const {TRACEPARENT: parent = ''} = this.surroundings.env
    return parent !== '' && readTraceContext(parent) === undefined
  }

  get isDebugged(): boolean {
    return Boolean(this.flags.debug || this.surroundings.env.CARDCTL_DEBUG)
  }
}

/** Copied one by one: a copy of the whole would open stdin. */
function printerSurroundings(surroundings: Surroundings): PrinterSurroundings {
  const {env, stdout, stderr, signal, platform, now, showAbandonably, atExit, atSuspend} = surroundings
  const childEnvironment = () => environmentForChildren(surroundings)
  return {env, stdout, stderr, signal, platform, now, showAbandonably, atExit, atSuspend, childEnvironment}
}

const outputOptionsOf = (flags: GlobalFlags): OutputOptions => ({
  format: flags.json ? 'json' : (flags.output ?? 'table'),
  query: flags.query,
  columns: flags.columns?.split(',').map(name => name.trim()),
  header: !flags['no-header'],
  csvSafe: flags['csv-safe'] ?? false,
  quiet: flags.quiet ?? false,
  noColour: flags['no-color'] ?? false,
})

/** Why the user does it: `--note` and `--ticket`. */
class Purposes {
  readonly #context: Context
  #ticket: Promise<string> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * That of the flags, otherwise of an earlier request that is continued. Asks for a ticket, once, if the profile requires
   * one.
   *
   * @throws Failure USAGE if nobody can be asked.
   */
  async given({requireTicket}: Pick<Target, 'requireTicket'>, earlier: Purpose = {}): Promise<Purpose> {
    const {note = earlier.note, ticket = earlier.ticket} = this.#context.flags
    if (ticket !== undefined || !requireTicket) return {note, ticket}
    this.#ticket ??= askTicket(this.#context)
    return {note, ticket: await this.#ticket}
  }
}

/** The ticket that the profile requires for what is recorded. */
async function askTicket(context: Context): Promise<string> {
  const {name} = await context.service.chosen()
  if (!context.interactive) {
    throw new Failure('USAGE', {
      message: `Profile ${name} requires a ticket for every write and disclosure.`,
      hint: 'Add --ticket ID.',
      effect: 'none',
    })
  }
  return context.prompter.text(`Ticket (profile ${name} requires one)`, answer => {
    if (answer === '') return 'Enter the id of a ticket.'
    if (holdsCardNumber(answer)) return 'That looks like a card number. Enter the id of a ticket.'
    const problem = purposeProblem('ticket', answer)
    return problem === undefined || `The ticket ${problem}.`
  })
}
