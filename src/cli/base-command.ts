import {Command} from '@oclif/core/command'
import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import {Failure} from '../errors/failure.ts'
import {errorRegistry} from '../errors/registry.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import type {Secret} from '../sensitive/secret.ts'
import {Context, type GlobalFlags} from './context.ts'
import {failureFrom} from './failure-from.ts'
import {globalFlags} from './flags.ts'
import {readSecretLine} from './read-secret.ts'
import {surroundingsOf} from './surroundings.ts'

// oclif's own FlagOutput and ArgOutput, which it doesn't export.
type Flags = OutputFlags<FlagInput>
type Arguments = OutputArgs<ArgInput>

/**
 * What every command is: global flags, a context that opens rooms on first use, questions for missing arguments.
 * Commands return their result and print it through `this.context`; they throw Failures and never set exit codes.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags

  #context: Context | undefined

  /** There after `parse`. */
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
    // A slip in --query or --columns must be told before anything is sent.
    await this.#context.printer.prepare()
    return parsed
  }

  /** On a terminal a missing argument is asked for; elsewhere it stays the usage error that it is. */
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
            judged(answer, argument),
          ),
        )
      }
      return await super.parse(options, [...argv, ...answers])
    }
  }

  /** A value that may also be given by a flag, so that it is no required argument. */
  protected async ask(what: string): Promise<string> {
    if (!this.context.interactive) throw new Failure('USAGE', {message: `${what} is missing.`})
    return this.context.prompter.text(what, isAnswer)
  }

  /** One line that must not be seen, from a hidden prompt or stdin. */
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
    await this.#context?.tellDifferences(error !== undefined)
    await super.finally(error)
  }

  /** main() prints every error and sets the exit code; here alone it is known which command it comes from. */
  protected override async catch(error: Error): Promise<never> {
    const name = (this.id ?? '').replaceAll(':', ' ')
    const {args, flags, baseFlags} = this.ctor
    const failure = failureFrom(error, {name, args, flags: {...baseFlags, ...flags}})
    if (failure.hint !== errorRegistry.USAGE.hint) throw failure
    throw failure.with({hint: `See ${this.config.bin} ${name} --help.`})
  }
}

/** What is typed without a hidden prompt stands on the screen, and an id stands in addresses. */
const isAnswer = (text: string): true | string => {
  if (holdsCardNumber(text)) return 'That looks like a card number: cards get --pan-stdin takes one unseen.'
  return text.trim() !== '' || 'Say which.'
}

interface MissingArgument {
  readonly name: string
  readonly description?: string
  parse?(text: string, context: unknown, options: {name: string}): Promise<unknown>
}

/** An answer is held to what its argument would be held to, while it can still be mended. */
async function judged(answer: string, argument: MissingArgument): Promise<true | string> {
  const unfit = isAnswer(answer)
  if (unfit !== true) return unfit
  try {
    await argument.parse?.(answer, undefined, argument)
    return true
  } catch (error) {
    return failureFrom(error).message
  }
}

function missingArguments(error: unknown): readonly MissingArgument[] {
  const isRequiredArgs = error instanceof Error && error.constructor.name === 'RequiredArgsError'
  return isRequiredArgs && 'args' in error && Array.isArray(error.args)
    ? (error.args as MissingArgument[])
    : []
}

/** Exactly one of the flags must be there. Gives its name. */
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
