import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {isLostTerminal} from '../errors/system-reason.ts'
import {isClosedTerminal} from '../input/read-input.ts'
import {Sink} from '../output/sink.ts'
import {isAccessible} from '../output/terminal.ts'
import type {SearchChoice, SearchSettings, SeveralChoice, SeveralSettings} from './list-questions.ts'
import {StepBack} from './step-back.ts'
import type {Surroundings} from './surroundings.ts'

/** Questions to a person. They go to stderr, since stdout is data. */
export interface Prompter {
  text(message: string, check?: Check): Promise<string>
  choose<T extends string>(message: string, choices: readonly {value: T; name: string}[]): Promise<T>
  /** One of many choices. What is typed filters them: `find` gets it, undefined at first. */
  search(
    message: string,
    find: (typed: string | undefined) => readonly SearchChoice[],
    settings?: SearchSettings,
  ): Promise<string>
  /** Any number of choices, at least one if `required`. */
  several<T extends string>(
    message: string,
    choices: readonly SeveralChoice<T>[],
    settings?: SeveralSettings<T>,
  ): Promise<T[]>
  yes(message: string): Promise<boolean>
}

export type Check = (answer: string) => true | string | Promise<true | string>

export type Question = Readonly<Record<string, unknown>>

const SHOW_CURSOR = '\u001b[?25h'

interface PrompterSettings {
  /** With it Esc throws a StepBack. Called before each question. */
  readonly stepping?: (() => void) | undefined
}

/**
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if a question gets no answer
 * @throws StepBack
 */
export function createPrompter(surroundings: Surroundings, {stepping}: PrompterSettings = {}): Prompter {
  const ask = (question: Question): Promise<unknown> => {
    stepping?.()
    return askOne(surroundings, question, stepping !== undefined)
  }
  return {
    text: async (message, check) => {
      const validate = check && ((answer: string) => check(answer.trim()))
      return String(await ask({type: 'input', message, ...(validate ? {validate} : {})})).trim()
    },
    choose: async (message, choices) => {
      // After the choice, its first words are enough.
      const named = choices.map(choice => ({...choice, short: choice.name.split(':', 1)[0]}))
      const answer = await ask({type: 'select', message, choices: named})
      const chosen = choices.find(choice => choice.value === answer)
      if (!chosen) throw new Failure('USAGE', {message: `${message}: none of the choices was taken.`})
      return chosen.value
    },
    search: async (...parameters) => (await lists()).search(surroundings, ask, ...parameters),
    several: async (...parameters) => (await lists()).several(surroundings, ask, ...parameters),
    yes: async message => (await ask({type: 'confirm', message, default: false})) === true,
  }
}

/** Loaded on first use: few questions are lists. */
const lists = () => import('./list-questions.ts')

async function askOne(surroundings: Surroundings, question: Question, goesBack: boolean): Promise<unknown> {
  const {stdin, stderr, atExit, env} = surroundings
  if (isAccessible(env)) {
    // Loaded on first use: most people see the usual questions.
    const {askPlainly, isPlain} = await import('./plain-question.ts')
    if (isPlain(question)) return askPlainly(surroundings, question, {whileAsking, ended: endedAtQuestion})
  }
  // Loaded on first use: a run without questions doesn't need inquirer.
  const [{createPromptModule}, {doneText, listTheme, questionText}] = await Promise.all([
    import('inquirer'),
    import('./question-look.ts'),
  ])
  const screen = new Sink(stderr)
  const giveUp = new AbortController()
  let isOpen = true
  let broken: Failure | StepBack | undefined
  let answered: {readonly value: unknown} | undefined
  const end = (failure: Failure | StepBack): void => {
    if (!isOpen) return
    broken ??= failure
    giveUp.abort()
  }
  const onKey = (_: unknown, key?: {readonly name?: string}): void => {
    if (goesBack && key?.name === 'escape') end(new StepBack())
  }
  const onPause = (): void => void setImmediate(() => isOpen && endOrGoOn(surroundings, end))
  const stopWatching = whileAsking(surroundings, end)
  const forget = atExit(() => screen.say(SHOW_CURSOR))
  stdin.on('pause', onPause).on('keypress', onKey)
  try {
    if (broken) throw broken
    // Inquirer would leave a whole list behind, and break what was answered in the middle of a word.
    const settings = {input: stdin, output: stderr, signal: giveUp.signal, clearPromptOnDone: true}
    const asked = {
      ...question,
      name: 'answer',
      message: questionText(String(question.message), surroundings),
      theme: listTheme(surroundings, {typing: question.typing as string | undefined, goesBack}),
    }
    const answers: Record<string, unknown> = await createPromptModule(settings)([asked as never])
    answered = {value: answers.answer}
    return answered.value
  } catch (error) {
    if (broken) throw broken
    throw error instanceof Error && error.name === 'ExitPromptError' ? stoppedAtQuestion('SIGINT') : error
  } finally {
    isOpen = false
    stdin.off('pause', onPause).off('keypress', onKey)
    stopWatching()
    forget()
    if (!(broken instanceof StepBack)) screen.say(doneText(question, answered, surroundings))
  }
}

/**
 * Nothing reads the input although the question is open. Either inquirer closed its reader at Ctrl-D and would wait for
 * ever, or the run was suspended (Ctrl-Z) and continues.
 */
function endOrGoOn({stdin}: Surroundings, end: (failure: Failure) => void): void {
  if (stdin.isRaw) stdin.resume()
  else end(endedAtQuestion())
}

/** A question interrupted by a signal (also Ctrl-C) or by the end of its terminal. */
export const stoppedAtQuestion = (reason: unknown): Failure =>
  interrupted(reason, {message: 'Stopped at the question.', hint: 'Nothing was sent.', effect: 'none'})

/** Ctrl-D at a question, or an input that had already ended. */
export const endedAtQuestion = (): Failure =>
  new Failure('INPUT_ENDED', {
    message: 'The input ended at the question.',
    hint: 'Nothing was sent. Run the command again and answer, or give the answer with a flag.',
    effect: 'none',
  })

/**
 * Calls `end` when a question can no longer be answered: after a signal, the end of the input or the loss of the
 * terminal. Call the result to stop watching.
 */
export function whileAsking({stdin, signal}: Surroundings, end: (failure: Failure) => void): () => void {
  const onSignal = (): void => end(stoppedAtQuestion(signal.reason))
  const onEnd = (): void => end(isClosedTerminal(stdin) ? stoppedAtQuestion('SIGHUP') : endedAtQuestion())
  const onError = (error: Error): void =>
    end(isLostTerminal(stdin, error) ? stoppedAtQuestion('SIGHUP') : endedAtQuestion())
  signal.addEventListener('abort', onSignal)
  stdin.on('end', onEnd).on('error', onError)
  if (signal.aborted) onSignal()
  else if (stdin.readableEnded || stdin.destroyed) onEnd()
  return () => {
    signal.removeEventListener('abort', onSignal)
    stdin.off('end', onEnd).off('error', onError)
  }
}
