import {Command} from '@oclif/core/command'
import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import {advice, type Hint} from '../errors/advice.ts'
import {whenOf} from '../errors/blame.ts'
import {Failure} from '../errors/failure.ts'
import {isInterruption} from '../errors/interruption.ts'
import {errorRegistry} from '../errors/registry.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import {mayGiveSettings} from '../profiles/index.ts'
import type {Secret} from '../sensitive/secret.ts'
import {afterEffect} from './after-effect.ts'
import {typedLine} from './command-line.ts'
import {Context, type GlobalFlags, newShared} from './context.ts'
import {type FlagFromEnvironment, flagsFromEnvironment, misspelt} from './environment.ts'
import {failureFrom, isAboutWords, lacksOnlyValues} from './failure-from.ts'
import {globalFlags} from './flags.ts'
import {freeSpace} from './free-space.ts'
import {Asker} from './guided/ask-value.ts'
import {isAnswer} from './guided/check-answer.ts'
import {askedCommand, type CompletedLine, completeLine, withoutRequired} from './guided/complete-line.ts'
import type {Guide, KnownValues} from './guided/guide.ts'
import {refuseGiven} from './guided/refuse-given.ts'
import {sameLine, sayAgain} from './guided/say-again.ts'
import {meantFlag} from './meant-flag.ts'
import {
  type Definitions,
  definitionsOf,
  givenBy,
  noTerminal,
  type ParsedLine,
  refuseSeveral,
  unmetNeed,
} from './needs.ts'
import type {Program, RunEnd} from './program.ts'
import {afterRefusal, StepBack} from './question-ends.ts'
import {readSecretLine} from './read-secret.ts'
import {recordRefusal} from './record-changes.ts'
import {forCaller, isRefusal} from './refusals.ts'
import {rowsHint} from './rows-hint.ts'
import {isInteractive, surroundingsOf} from './surroundings.ts'
import {type FieldCommand, typedFields} from './typed-field.ts'

// oclif's own FlagOutput and ArgOutput, which it doesn't export.
type Flags = OutputFlags<FlagInput>
type Arguments = OutputArgs<ArgInput>

type TellsIfUnsent = boolean | 'writes'

/**
 * The base of every command: global flags, a context that loads rooms on first use, questions for missing arguments.
 *
 * A command prints its result through `this.context.printer`, which escapes control characters, and returns it only for commands that extend
 * it: `main()` ignores what `run()` returns. (oclif's `enableJsonFlag` would print it past the masks.) A command throws
 * Failures and never sets an exit code.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags

  /** Whether Ctrl-C is the usual end of this run, and no error. */
  protected endsAtInterrupt = false

  /**
   * Whether an error of this command says so if nothing was sent: who reads a log at night wants to know. A command that
   * sends writes, and reads only to look up what it needs to know, counts the writes.
   */
  static tellsIfUnsent: TellsIfUnsent = false

  /** What the parser doesn't know about the values of the command. */
  static guide: Guide = {}
  /** A secret that it reads from a hidden prompt or from stdin, in words, for the tool as data. */
  static secretInput?: string

  /** The same for this run. A command whose values depend on what was imported has its own. */
  protected get guide(): Guide {
    return (this.ctor as {guide?: Guide}).guide ?? {}
  }

  /** What to do about a line that the parser refuses, if the command knows better than to see its help. */
  protected async usageHint(): Promise<Hint | undefined> {
    return undefined
  }

  /** Like oclif's `run`, which would create its own configuration. */
  static async runIn(
    this: new (
      argv: string[],
      program: Program,
    ) => BaseCommand,
    argv: string[],
    program: Program,
  ): Promise<RunEnd> {
    const command = new this(argv, program)
    await command._run()
    return {endsAtInterrupt: command.endsAtInterrupt}
  }

  /** oclif's `init` only warns about deprecated commands and aliases, and searches all commands for them. */
  protected override async init(): Promise<void> {}

  /** What the environment gives and the command line doesn't. */
  protected environmentFlags: readonly FlagFromEnvironment[] = []

  #context: Context | undefined
  readonly #shared = newShared()
  /** The command line with the answers of a person, if any were asked for. */
  #completed: CompletedLine | undefined

  /** Complete only after `parse`. */
  protected get context(): Context {
    this.#context ??= new Context(surroundingsOf(this.config), {}, this.config.version, this.#shared)
    return this.#context
  }

  /** The context before anything is parsed, for a command whose flags depend on the profile. */
  protected contextWith(profile: string | undefined): Context {
    return new Context(surroundingsOf(this.config), {profile}, this.config.version, this.#shared)
  }

  protected override async parse<F extends Flags, B extends Flags, A extends Arguments>(
    options?: Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await this.parseAsking(options, argv)
    const surroundings = surroundingsOf(this.config)
    const maySet = mayGiveSettings(surroundings.env)
    this.environmentFlags = maySet ? flagsFromEnvironment(surroundings.env, parsed.flags) : []
    for (const {flag, value} of this.environmentFlags) Object.assign(parsed.flags, {[flag]: value})
    this.#context = new Context(surroundings, parsed.flags as GlobalFlags, this.config.version, this.#shared)
    const context = this.#context
    context.typedCheck = () => {
      const {prompter} = context
      const command = {
        ...askedCommand(this.ctor),
        ...definitionsOf(this.ctor as Definitions),
        guide: this.guide,
      }
      return refuseGiven(
        new Asker({context, command, prompter, suggests: false}),
        givenBy(parsed as ParsedLine),
      )
    }
    for (const {name, meant} of maySet ? misspelt(surroundings.env) : [])
      this.#context.printer.warn(`There is no variable ${name}. Did you mean ${meant}?`, {
        code: 'VARIABLE_UNKNOWN',
        variable: name,
      })
    if (this.#context.hasBadTrace)
      this.#context.printer.warn('TRACEPARENT is no W3C trace context and is left out.', {
        code: 'TRACEPARENT_INVALID',
      })
    // Report a mistake in --query or --columns before anything is sent.
    await this.#context.printer.prepare()
    return parsed
  }

  /** Asks for missing values on a terminal, and with --interactive for more. Elsewhere a missing one is a usage error. */
  private async parseAsking<F extends Flags, B extends Flags, A extends Arguments>(
    options: Input<F, B, A> = this.ctor as unknown as Input<F, B, A>,
    argv: string[],
  ): Promise<ParserOutput<F, B, A>> {
    let failure: unknown
    try {
      const parsed = await super.parse(options, argv)
      const {needs} = this.guide
      if (needs !== undefined) refuseSeveral(needs, parsed as ParsedLine)
      failure = needs && unmetNeed(needs, parsed as ParsedLine, options)
      const known = failure === undefined ? undefined : await this.#knownValues(parsed as ParsedLine)
      if (known !== undefined) {
        const whole = await super.parse(options, [...argv, ...known.words])
        failure = needs && unmetNeed(needs, whole as ParsedLine, options)
        if (failure === undefined && !(whole.flags as GlobalFlags).interactive) {
          new Context(
            surroundingsOf(this.config),
            whole.flags as GlobalFlags,
            this.config.version,
          ).printer.note(known.from)
          return whole
        }
      }
      if (failure === undefined && !(parsed.flags as GlobalFlags).interactive) return parsed
    } catch (error) {
      if (!lacksOnlyValues(error)) throw error
      failure = error
    }
    const surroundings = surroundingsOf(this.config)
    if (!isInteractive(surroundings, argv.includes('--no-input'))) throw failure ?? noTerminal()
    const command = {...askedCommand(this.ctor), ...definitionsOf(options), guide: this.guide}
    const read = async (words: readonly string[]) =>
      givenBy((await super.parse(withoutRequired(options), [...words])) as ParsedLine)
    const session = {surroundings, version: this.config.version, shared: this.#shared}
    this.#completed = await completeLine(session, command, {argv, read})
    return super.parse(options, [...this.#completed.words])
  }

  async #knownValues(parsed: ParsedLine): Promise<KnownValues | undefined> {
    if (this.guide.known === undefined) return undefined
    const {profile} = parsed.flags as GlobalFlags
    return this.guide.known(this.contextWith(profile), givenBy(parsed))
  }

  /** Whether a person answered questions about the values of the command, and so has not seen its line as a whole. */
  protected get wasAsked(): boolean {
    return this.#completed !== undefined || this.#wasAskedLater || this.context.numbers.wasAsked
  }
  #wasAskedLater = false

  /** Adds an answer that was asked for later to the line that gives the same without questions. */
  protected answered(...words: readonly string[]): void {
    this.#wasAskedLater = true
    const [flag = ''] = words
    // An id that was found for a line that named none is no answer.
    if (!this.#completed && !flag.startsWith('--')) return
    const before = this.#completed?.words ?? this.#answeredLater ?? this.argv
    const definition = this.ctor.flags?.[flag.replace(/^--/, '')]
    const isRepeatable = definition?.type === 'option' && definition.multiple === true
    const at = isRepeatable ? -1 : before.indexOf(flag)
    // An answer in place of an earlier one.
    const kept = at === -1 ? before : before.toSpliced(at, words.length)
    if (this.#completed) this.#completed = {...this.#completed, words: [...kept, ...words]}
    else this.#answeredLater = [...kept, ...words]
  }
  /** The line as typed, with what was asked for since. */
  #answeredLater: readonly string[] | undefined

  /** The words before those that are parsed. */
  protected get commandWords(): readonly string[] {
    return this.ctor.id.split(':')
  }

  /** Asks for a value that a flag can also give, so that no argument requires it. */
  protected async ask(what: string): Promise<string> {
    if (!this.context.interactive) throw new Failure('USAGE', {message: `${what} is missing.`})
    return this.context.prompter.text(what, isAnswer)
  }

  /** Reads a secret line from a hidden prompt or stdin, which has nothing else. */
  protected async readSecretLine(what: string): Promise<Secret<Buffer>> {
    if (this.context.surroundings.stdin.isTTY && !this.context.interactive) {
      throw new Failure('USAGE', {
        message: `${what} cannot be asked for here.`,
        hint: 'Write it on one line to stdin.',
      })
    }
    const {surroundings, effects} = this.context
    if (surroundings.stdin.isTTY) await this.context.refuseTyped()
    const goesBack = surroundings.fromMenu === true && effects.all === 'none'
    return readSecretLine(surroundings, what, {isOnly: true, goesBack})
  }

  /** The same for a secret that is kept: an empty one is asked for again, or refused where nobody is asked. */
  protected async readNewSecret(what: string): Promise<Secret<Buffer>> {
    for (;;) {
      const line = await this.readSecretLine(what)
      if (line.open().toString('utf8').trim() !== '') return line
      const problem = `The ${what.toLowerCase()} is empty.`
      if (this.tellAtPrompt === undefined)
        throw new Failure('INPUT_INVALID', {
          message: problem,
          hint: 'Write it on one line to stdin. Nothing was changed.',
          effect: 'none',
        })
      this.tellAtPrompt(problem)
    }
  }

  /** Says what is wrong with a secret line before a person is asked again; undefined where nobody is. */
  protected get tellAtPrompt(): ((problem: string) => void) | undefined {
    return this.context.interactive ? problem => this.context.printer.warn(problem) : undefined
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    this.#context?.stores.reportClock()
    await this.#context?.stores.close()
    await this.#reportDifferences(error !== undefined)
    // Of a line that was refused, nobody gives the same answers again.
    const isRefused = error !== undefined && this.#context?.effects.all === 'none'
    const answered = this.#completed?.words ?? (isRefused ? this.#answeredLater : undefined)
    if (answered && !(error instanceof StepBack)) {
      const words = this.context.numbers.inWords(answered)
      sayAgain(this.context, [...this.commandWords, ...words], error)
    }
    await super.finally(error)
  }

  /** Whether the audit trail says what was refused. */
  protected get recordsRefusals(): boolean {
    return true
  }

  /** main() prints every error and returns the exit code; only this method knows the command. */
  protected override async catch(error: Error): Promise<never> {
    if (error instanceof StepBack) throw error
    const name = (this.id ?? '').replaceAll(':', ' ')
    const {args, flags, baseFlags} = this.ctor
    const all = {...baseFlags, ...flags}
    const fields = isAboutWords(error) ? await typedFields(this.ctor as FieldCommand, 'field' in all) : []
    const failure = failureFrom(error, {name, args, flags: all, meantFlag, fields})
    const after = afterRefusal(await this.afterEffect(failure), this.#context?.effects.refused)
    const context = this.#context
    if (context !== undefined && this.recordsRefusals && isRefusal(context, failure))
      await recordRefusal(context, name, failure)
    const known = after.with({
      commandEffect: context?.effects.all ?? 'none',
      sentNothing: this.#sentNothing(after) || undefined,
    })
    const hint =
      after.hint === errorRegistry.USAGE.hint
        ? (rowsHint(name, this.argv, (this.ctor as FieldCommand).claims ?? []) ??
          (await this.usageHint()) ??
          advice`See ${typedLine([...name.split(' '), '--help'], undefined)}.`)
        : (this.#onceThereIsSpace(after) ?? after.advice)
    const told = this.#onceUsable(known.with({hint}))
    const advised = context === undefined ? told : forCaller(context, told)
    throw context === undefined ? advised : advised.withCommands(context.forService)
  }

  #sentNothing({code, details: {requestId}}: Failure): boolean {
    const {tellsIfUnsent} = this.ctor as typeof BaseCommand
    const {hasSent = false, hasWritten = false} = this.#context?.effects ?? {}
    const isUnsent = tellsIfUnsent === 'writes' ? !hasWritten : !hasSent
    // A lookup is about the request of an earlier command.
    const isOfRequest = requestId !== undefined && tellsIfUnsent !== 'writes'
    return (tellsIfUnsent !== false || code === 'DISK_FULL') && isUnsent && !isOfRequest
  }

  /** A full disk keeps a command from sending, so the same line does it later. */
  #onceThereIsSpace({code, details: {hint}}: Failure): Hint | undefined {
    const context = this.#context
    if (code !== 'DISK_FULL' || hint !== undefined || context?.effects.all !== 'none') return undefined
    return advice`${freeSpace(context)} Then run the command again: ${this.lineAgain()}`
  }

  /** Where nothing had an effect because something is away or refused for now, the same line does it later. */
  #onceUsable(failure: Failure): Failure {
    const {blame, data, sentNothing, commandEffect} = failure.details
    const isUndone = sentNothing === true || commandEffect === 'none'
    const isAway = this.saysNext(failure) || blame === 'database'
    if (!isAway || data?.next !== undefined || !isUndone) return failure
    return failure.with({data: {...data, next: this.lineAgain(), nextWhen: whenOf(failure.code, blame)}})
  }

  /** Whether the same line is named as the next command after a failure without an effect. */
  protected saysNext(failure: Failure): boolean {
    const {tellsIfUnsent} = this.ctor as typeof BaseCommand
    const {code, details} = failure
    const isStopped = isInterruption(failure) && this.#context?.interactive === false
    // What a full disk needs is said with its command.
    return (
      tellsIfUnsent !== false &&
      code !== 'DISK_FULL' &&
      (whenOf(code, details.blame) !== undefined || isStopped)
    )
  }

  /** The line of this command, with more flags. */
  protected lineAgain(...more: readonly string[]): SuggestedCommand {
    const words = this.#completed?.words ?? this.#answeredLater ?? this.argv
    return sameLine(this.context, [...this.commandWords, ...words, ...more])
  }

  /**
   * Says where responses differed from the contract.
   *
   * @throws Failure ANSWER_DIFFERS if `--strict`, CARDCTL_STRICT or the profile says so, unless the command failed
   * anyway.
   */
  async #reportDifferences(failed: boolean): Promise<void> {
    if (!this.#context?.differences.any) return
    const {differences, effects, printer, service} = this.#context
    if (!failed && (await service.isStrict())) throw differences.toFailure(effects.all ?? 'none')
    printer.warn(differences.words, {code: 'ANSWER_DIFFERS'})
  }

  private async afterEffect(failure: Failure): Promise<Failure> {
    const request = this.#context?.effects.carriedOut
    if (request === undefined) return failure
    return afterEffect(failure, request, this.context.commandLine)
  }
}
