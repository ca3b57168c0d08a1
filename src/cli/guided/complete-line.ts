import {dim} from '../../output/index.ts'
import {Context} from '../context.ts'
import {type Definitions, definitionsOf, type Given, isUnmet} from '../needs.ts'
import {createPrompter} from '../question.ts'
import {StepBack} from '../question-ends.ts'
import type {Surroundings} from '../surroundings.ts'
import {type Answer, AnsweredLine} from './answered-line.ts'
import {Asker} from './ask-value.ts'
import type {AskedCommand, Guide} from './guide.ts'
import {askForMore, missingField} from './more-values.ts'

/** Below the answer that Esc abandons, which stays on the screen. */
const TAKEN_BACK = '  Taken back.'

interface Session {
  readonly surroundings: Surroundings
  readonly version: string
}

export interface CompletedLine {
  /** Without the words of the command. */
  readonly words: readonly string[]
}

interface GivenLine {
  readonly argv: readonly string[]
  /** Parses a line that isn't complete yet. @throws what the parser throws */
  read(words: readonly string[]): Promise<Given>
}

/**
 * Asks for the values that a command line lacks, and returns the complete line. Every answer goes through the parser
 * like a typed one. Esc goes back to the question before.
 *
 * @throws StepBack before the first question, if a person came from the menu
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if a question gets no answer.
 */
export async function completeLine(
  {surroundings, version}: Session,
  command: AskedCommand,
  {argv, read}: GivenLine,
): Promise<CompletedLine> {
  const first = await read(argv)
  const isGuided = first.get('--interactive') === true
  const hadArguments = Object.keys(command.args).some(name => first.has(name))
  const profile = first.get('--profile')
  const flags = {profile: profile === undefined ? undefined : String(profile)}
  let asked = 0
  const prompter = createPrompter(surroundings, {stepping: () => asked++})
  const context = new Context(surroundings, flags, version)
  const asker = new Asker({context, command, prompter, suggests: isGuided})
  const answers: Answer[] = []
  for (let isLast = false; ; ) {
    const {words} = new AnsweredLine(argv, hadArguments, answers)
    const given = await read(words)
    const step: Step | undefined = isLast ? undefined : await nextStep(asker, given, isGuided)
    if (step === undefined) return {words}
    const askedBefore = asked
    try {
      answers.push(await step.ask())
      isLast = step.isLast === true
    } catch (error) {
      if (!(error instanceof StepBack)) throw error
      // A step of several questions begins again.
      const isWithin = asked > askedBefore + 1
      const goesToMenu = !isWithin && answers.length === 0 && surroundings.fromMenu === true
      if (isWithin || goesToMenu || answers.pop() !== undefined) context.printer.question(dim(TAKEN_BACK))
      if (goesToMenu) throw error
    }
  }
}

/** What is asked for at once. */
interface Step {
  ask(): Promise<Answer>
  readonly isLast?: boolean
}

async function nextStep(asker: Asker, given: Given, isGuided: boolean): Promise<Step | undefined> {
  const names = missing(asker.command, given)
  if (names !== undefined) return {ask: () => asker.oneOf(names.anyOf, given, names.several)}
  if (!isGuided) return undefined
  const {unlessKnown} = asker.command.guide
  if (unlessKnown && isUnmet(unlessKnown, given) && !(await unlessKnown.isKnown(asker.context, given)))
    return {ask: () => asker.oneOf(unlessKnown.anyOf, given)}
  const field = await missingField(asker, given)
  if (field !== undefined) return {ask: () => asker.value(field, given)}
  return {ask: () => askForMore(asker, given), isLast: true}
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
