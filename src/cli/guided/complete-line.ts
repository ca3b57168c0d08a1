import {Context} from '../context.ts'
import {type Definitions, definitionsOf, type Given, isUnmet} from '../needs.ts'
import type {Surroundings} from '../surroundings.ts'
import {AnsweredLine} from './answered-line.ts'
import {Asker} from './ask-value.ts'
import type {AskedCommand, Guide} from './guide.ts'
import {askForMore, askForRequiredFields} from './more-values.ts'

interface Session {
  readonly surroundings: Surroundings
  readonly version: string
}

export interface CompletedLine {
  /** Without the words of the command. */
  readonly words: readonly string[]
  /** Whether a person was led through it: `--interactive`. */
  readonly isGuided: boolean
}

interface GivenLine {
  readonly argv: readonly string[]
  /** Parses a line that isn't complete yet. @throws what the parser throws */
  read(words: readonly string[]): Promise<Given>
}

/**
 * Asks for the values that a command line lacks, and returns the complete line. Every answer goes through the parser
 * like a typed one.
 *
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if a question gets no answer.
 */
export async function completeLine(
  {surroundings, version}: Session,
  command: AskedCommand,
  {argv, read}: GivenLine,
): Promise<CompletedLine> {
  let given = await read(argv)
  const isGuided = given.get('--interactive') === true
  const line = new AnsweredLine(
    argv,
    Object.keys(command.args).some(name => given.has(name)),
  )
  const profile = given.get('--profile')
  const flags = {profile: profile === undefined ? undefined : String(profile)}
  const asker = new Asker(new Context(surroundings, flags, version), command, {suggests: isGuided})
  for (let names = missing(command, given); names !== undefined; names = missing(command, given)) {
    line.add(await asker.oneOf(names.anyOf, given, names.several))
    given = await read(line.words)
  }
  if (isGuided) {
    line.add(await askForRequiredFields(asker, given))
    given = await read(line.words)
    line.add(await askForMore(asker, given))
  }
  return {words: line.words, isGuided}
}

/** What is missing next: arguments first, then flags, then what the command needs besides. */
function missing(
  {args, flags, guide}: AskedCommand,
  given: Given,
): {anyOf: readonly string[]; several?: boolean} | undefined {
  const required = [
    ...Object.keys(args).filter(name => args[name]?.required),
    ...Object.keys(flags)
      .filter(name => flags[name]?.required)
      .map(name => `--${name}`),
  ]
  const single = required.find(name => !given.has(name))
  return single === undefined ? guide.needs?.find(need => isUnmet(need, given)) : {anyOf: [single]}
}

/** What questions need to know of the class of a command, besides its definitions. */
export function askedCommand({
  id,
  examples,
  guide = {},
  claims = [],
}: {
  readonly id: string
  readonly examples?: AskedCommand['examples']
  readonly guide?: Guide
  readonly claims?: AskedCommand['claims']
}): Omit<AskedCommand, 'args' | 'flags'> {
  return {id, examples, guide, claims}
}

/** The same input of a parser, for a line that isn't complete yet. */
export function withoutRequired<Options>(options: Options): Options {
  const {strict} = options as {strict?: boolean}
  const {args, flags} = definitionsOf(options as Definitions)
  return {args: optional(args), flags: optional(flags), ...(strict === undefined ? {} : {strict})} as Options
}

const optional = (all: Readonly<Record<string, object>>): object =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, {...each, required: false}]))
