import {dim} from '../../output/index.ts'
import {Context, type SharedContext} from '../context.ts'
import {type Definitions, definitionsOf, type Given, isUnmet} from '../needs.ts'
import {createPrompter} from '../question.ts'
import {StepBack} from '../question-ends.ts'
import type {Surroundings} from '../surroundings.ts'
import {type Answer, AnsweredLine} from './answered-line.ts'
import {Asker} from './ask-value.ts'
import {Dialogue, TAKEN_BACK} from './dialogue.ts'
import type {AskedCommand, Guide} from './guide.ts'
import {askForMore, missingField} from './more-values.ts'
import {refuseGiven} from './refuse-given.ts'

/** Below the first question. */
const TO_LEAVE = '  Press Esc twice to leave.'

interface Session {
  readonly surroundings: Surroundings
  readonly version: string
  readonly shared: SharedContext
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
 * like a typed one. Esc goes back to the question before, whose answer can then be changed; twice it leaves.
 *
 * @throws StepBack before the first question, if a person came from the menu
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if a question gets no answer.
 */
export async function completeLine(
  {surroundings, version, shared}: Session,
  command: AskedCommand,
  {argv, read}: GivenLine,
): Promise<CompletedLine> {
  const first = await read(argv)
  const isGuided = first.get('--interactive') === true
  const hadArguments = Object.keys(command.args).some(name => first.has(name))
  const profile = first.get('--profile')
  const flags = {profile: profile === undefined ? undefined : String(profile)}
  const dialogue = new Dialogue()
  const prompter = createPrompter(surroundings, {dialogue})
  const context = new Context(surroundings, flags, version, shared)
  const asker = new Asker({context, command, prompter, suggests: isGuided})
  const taken: TakenStep[] = []
  let before: readonly unknown[] = []
  let said: string | undefined
  let isChecked = false
  for (;;) {
    const {words: answered} = new AnsweredLine(
      argv,
      hadArguments,
      taken.map(({answer}) => answer),
    )
    const known = await command.guide.known?.(context, await read(answered))
    if (known !== undefined && known.from !== said) context.printer.note(known.from)
    said = known?.from
    const words = [...answered, ...(known?.words ?? [])]
    const given = await read(words)
    const step = taken.at(-1)?.isLast ? undefined : await nextStep(asker, given, isGuided)
    if (step === undefined) return {words}
    if (!isChecked) {
      await command.guide.refuses?.(context)
      await refuseGiven(asker, first)
    }
    isChecked = true
    dialogue.begin(before)
    before = []
    try {
      const answer = await step.ask()
      taken.push({answer, isLast: step.isLast === true, texts: dialogue.answers})
    } catch (error) {
      if (!(error instanceof StepBack)) throw error
      // Within a step the answer before, otherwise the last one of the step before.
      const texts = dialogue.answers.length > 0 ? dialogue.answers : taken.pop()?.texts
      const goesToMenu = texts === undefined && surroundings.fromMenu === true
      context.printer.question(dim(texts === undefined && !goesToMenu ? TO_LEAVE : TAKEN_BACK))
      if (goesToMenu) throw error
      before = texts ?? []
    }
  }
}

interface TakenStep {
  readonly answer: Answer
  readonly isLast: boolean
  /** What was answered, question by question. */
  readonly texts: readonly unknown[]
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
