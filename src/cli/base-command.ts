import {Command} from '@oclif/core/command'
import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import {Failure} from '../errors/failure.ts'
import {errorRegistry} from '../errors/registry.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import type {Secret} from '../sensitive/secret.ts'
import {Context, type GlobalFlags} from './context.ts'
import {failureFrom, type MissingArgument, missingArguments} from './failure-from.ts'
import {globalFlags} from './flags.ts'
import type {Program, RunEnd} from './program.ts'
import {readSecretLine} from './read-secret.ts'
import {surroundingsOf} from './surroundings.ts'

// oclif's own FlagOutput and ArgOutput, which it doesn't export.
type Flags = OutputFlags<FlagInput>
type Arguments = OutputArgs<ArgInput>

/**
 * The base of every command: global flags, a context that loads rooms on first use, questions for missing arguments.
 *
 * A command prints its result through `this.context.printer`, which masks, and returns it only for commands that extend
 * it: `main()` ignores what `run()` returns. (oclif's `enableJsonFlag` would print it past the masks.) A command throws
 * Failures and never sets an exit code.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags

  /** Whether Ctrl-C is the usual end of this run, and no error. */
  protected endsAtInterrupt = false

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

  #context: Context | undefined

  /** Complete only after `parse`. */
  protected get context(): Context {
    this.#context ??= new Context(surroundingsOf(this.config), {}, this.config.version)
    return this.#context
  }

  /** The context before anything is parsed, for a command whose flags depend on the profile. */
  protected contextWith(profile: string | undefined): Context {
    return new Context(surroundingsOf(this.config), {profile}, this.config.version)
  }

  protected override async parse<F extends Flags, B extends Flags, A extends Arguments>(
    options?: Input<F, B, A>,
    argv: string[] = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await this.parseAsking(options, argv)
    this.#context = new Context(surroundingsOf(this.config), parsed.flags as GlobalFlags, this.config.version)
    // Report a mistake in --query or --columns before anything is sent.
    await this.#context.printer.prepare()
    return parsed
  }

  /** Asks for missing arguments on a terminal. Elsewhere they are a usage error. */
  private async parseAsking<F extends Flags, B extends Flags, A extends Arguments>(
    options: Input<F, B, A> | undefined,
    argv: string[],
  ): Promise<ParserOutput<F, B, A>> {
    try {
      return await super.parse(options, argv)
    } catch (error) {
      const missing = missingArguments(error)
      const context = new Context(
        surroundingsOf(this.config),
        {'no-input': argv.includes('--no-input')},
        this.config.version,
      )
      if (missing.length === 0 || !context.interactive) throw error
      const answers: string[] = []
      for (const argument of missing) {
        answers.push(
          await context.prompter.text(argument.description ?? argument.name, answer =>
            checkAnswer(answer, argument),
          ),
        )
      }
      return await super.parse(options, [...argv, ...answers])
    }
  }

  /** Asks for a value that a flag can also give, so that no argument requires it. */
  protected async ask(what: string): Promise<string> {
    if (!this.context.interactive) throw new Failure('USAGE', {message: `${what} is missing.`})
    return this.context.prompter.text(what, isAnswer)
  }

  /** Reads a secret line from a hidden prompt or stdin. */
  protected readSecretLine(what: string): Promise<Secret<Buffer>> {
    if (this.context.surroundings.stdin.isTTY && !this.context.interactive) {
      throw new Failure('USAGE', {
        message: `${what} cannot be asked for here.`,
        hint: 'Write it on one line to stdin.',
      })
    }
    return readSecretLine(this.context.surroundings, what)
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    await this.#context?.reportDifferences(error !== undefined)
    await super.finally(error)
  }

  /** main() prints every error and returns the exit code; only this method knows the command. */
  protected override async catch(error: Error): Promise<never> {
    const name = (this.id ?? '').replaceAll(':', ' ')
    const {args, flags, baseFlags} = this.ctor
    const failure = failureFrom(error, {name, args, flags: {...baseFlags, ...flags}})
    if (failure.hint !== errorRegistry.USAGE.hint) throw failure
    throw failure.with({hint: `See ${this.config.bin} ${name} --help.`})
  }
}

/** An answer is visible on the screen, and an id becomes part of a URL. */
const isAnswer = (text: string): true | string => {
  if (holdsCardNumber(text)) return 'That looks like a card number: cards get --pan-stdin takes one unseen.'
  return text.trim() !== '' || 'Enter a value.'
}

/** Checks an answer like its argument, while the user can still correct it. */
async function checkAnswer(answer: string, argument: MissingArgument): Promise<true | string> {
  const unfit = isAnswer(answer)
  if (unfit !== true) return unfit
  try {
    await argument.parse?.(answer, undefined, argument)
    return true
  } catch (error) {
    return failureFrom(error).message
  }
}

/** The name of the only given flag. Exactly one is required. */
export function exactlyOne<Name extends string>(
  flags: Partial<Record<Name, unknown>>,
  names: readonly Name[],
): Name {
  const given = names.filter(name => flags[name] !== undefined && flags[name] !== false)
  const [only] = given
  if (only !== undefined && given.length === 1) return only
  const list = names.map(name => `--${name}`).join(', ')
  throw new Failure('USAGE', {
    message: given.length === 0 ? `One of ${list} is needed.` : `Only one of ${list} may be given.`,
  })
}
