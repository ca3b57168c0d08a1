import * as Args from '@oclif/core/args'
import {detectShell, type Places, placesOf} from '../../../cli/completion/install.ts'
import {SHELLS, type Shell} from '../../../cli/completion/scripts.ts'
import type {Context} from '../../../cli/context.ts'
import {Failure} from '../../../errors/failure.ts'

/** The shell as an argument; that of the user by default. */
export const shellArg = Args.custom<Shell>({
  options: [...SHELLS],
  description: 'Shell: bash, zsh, fish or powershell',
  ignoreStdin: true,
  parse: async text => text as Shell,
})

/** The files of the given shell, or of the user's. */
export function chosenPlaces(given: Shell | undefined, {surroundings}: Context): Places {
  const shell = given ?? detectShell(surroundings)
  if (shell) return placesOf(shell, surroundings)
  throw new Failure('USAGE', {
    message: 'Your shell is unknown: SHELL names none that cardctl has a script for.',
    hint: `Pass one of ${SHELLS.join(', ')}.`,
    effect: 'none',
  })
}

/** Asks before a file of the user is changed. @throws Failure USAGE, CONFIRMATION_DECLINED */
export async function askFirst(question: string, context: Context, isAgreed: boolean): Promise<void> {
  if (isAgreed) return
  if (!context.interactive)
    throw new Failure('USAGE', {
      message: 'This changes files of yours, and there is no terminal to ask.',
      hint: 'Run it again with --yes.',
      effect: 'none',
    })
  if (!(await context.prompter.yes(question)))
    throw new Failure('CONFIRMATION_DECLINED', {message: 'Not confirmed.', effect: 'none'})
}
