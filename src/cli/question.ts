import {Failure} from '../errors/failure.ts'
import {isAccessible} from '../output/terminal.ts'
import {askQuestion} from './ask-question.ts'
import type {Dialogue} from './guided/dialogue.ts'
import {
  type SearchChoice,
  type SearchSettings,
  type SeveralChoice,
  type SeveralSettings,
  search,
  several,
} from './list-questions.ts'
import {askPlainly, isPlain} from './plain-question.ts'
import {endedAtQuestion, whileAsking} from './question-ends.ts'
import type {Check, Question} from './question-look.ts'
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

interface PrompterSettings {
  /** Runs before each question. @throws what ends the command instead */
  readonly before?: () => Promise<void>
  /** With it Esc throws a StepBack. Without it there is no question before, so Esc leaves. */
  readonly dialogue?: Dialogue | undefined
}

/**
 * @throws Failure INPUT_ENDED, INTERRUPTED, TERMINATED, HUNG_UP if a question gets no answer
 * @throws StepBack
 */
export function createPrompter(
  surroundings: Surroundings,
  {dialogue, before}: PrompterSettings = {},
): Prompter {
  const askNow = async (question: Question): Promise<unknown> => {
    await before?.()
    if (isAccessible(surroundings.env)) {
      if (isPlain(question)) return askPlainly(surroundings, question, {whileAsking, ended: endedAtQuestion})
    }
    return askQuestion(surroundings, question, {goesBack: dialogue !== undefined})
  }
  const ask = (question: Question): Promise<unknown> =>
    dialogue === undefined ? askNow(question) : dialogue.answer(question, askNow)
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
    search: async (...parameters) => search(surroundings, ask, ...parameters),
    several: async (...parameters) => several(surroundings, ask, ...parameters),
    yes: async message => (await ask({type: 'confirm', message, default: false})) === true,
  }
}
