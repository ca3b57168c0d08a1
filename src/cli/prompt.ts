import {Failure} from '../errors/failure.ts'
import type {Surroundings} from './surroundings.ts'

/** Whether a person can be asked: stdin and stderr are terminals, and nothing forbids it. */
export function isInteractive({stdin, stderr, env}: Surroundings, noInput = false): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !noInput && !env.CARDCTL_NO_INPUT && !env.CI
}

/** Ctrl-C at a question. */
export function stoppedAtQuestion(): Failure {
  return new Failure('INTERRUPTED', {
    message: 'Stopped at the question.',
    hint: 'Nothing was sent.',
    effect: 'none',
  })
}

/** Questions to a person. They go to stderr, since stdout is data. */
export interface Prompter {
  text(message: string, check?: (answer: string) => true | string | Promise<true | string>): Promise<string>
  choose<T extends string>(message: string, choices: readonly {value: T; name: string}[]): Promise<T>
  yes(message: string): Promise<boolean>
}

export function createPrompter(surroundings: Surroundings): Prompter {
  // inquirer is loaded on the first question: no run without one pays for it.
  const ask = async (question: Record<string, unknown>): Promise<unknown> => {
    const {createPromptModule} = await import('inquirer')
    const prompt = createPromptModule({input: surroundings.stdin, output: surroundings.stderr})
    try {
      const answers: Record<string, unknown> = await prompt([{...question, name: 'answer'} as never])
      return answers.answer
    } catch (error) {
      if (error instanceof Error && error.name === 'ExitPromptError') {
        throw stoppedAtQuestion()
      }
      throw error
    }
  }
  return {
    text: async (message, check) => {
      const validate = check && ((answer: string) => check(answer.trim()))
      return String(await ask({type: 'input', message, ...(validate ? {validate} : {})})).trim()
    },
    choose: async (message, choices) => {
      // Once it is chosen, its first words are enough.
      const named = choices.map(choice => ({...choice, short: choice.name.split(':', 1)[0]}))
      const answer = await ask({type: 'select', message, choices: named})
      const chosen = choices.find(choice => choice.value === answer)
      if (!chosen) throw new Failure('USAGE', {message: `${message}: none of the choices was taken.`})
      return chosen.value
    },
    yes: async message => (await ask({type: 'confirm', message, default: false})) === true,
  }
}
