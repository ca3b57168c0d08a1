import {Failure} from '../../errors/failure.ts'
import {isInterruption} from '../../errors/interruption.ts'
import type {SuggestedCommand} from '../../errors/suggested-command.ts'
import {maskText} from '../../sensitive/mask-text.ts'
import type {Context} from '../context.ts'

const MOVES_MONEY = /^(?:a2a (?:create|retry)|requests (?:approve|retry))$/

/** Prints the command line that gives the same without questions. Secrets were never part of it. */
export function sayAgain(context: Context, words: readonly string[], error: Error | undefined): void {
  // Nobody wants to see again what they have just stopped.
  if (isInterruption(error) || (error instanceof Failure && error.code === 'INPUT_ENDED')) return
  // The same line would move the money once more.
  if (MOVES_MONEY.test(words.slice(0, 2).join(' ')) && context.effects.all !== 'none') return
  context.printer.note(`To run this again: ${sameLine(context, words)}`)
}

/** The command line of these words, for the same service. */
export const sameLine = (context: Context, words: readonly string[]): SuggestedCommand =>
  context.typedLine(words.map(shownWord))

/** Only free text is searched for card numbers: references look like some. */
const shownWord = (word: string): string => (/\s/.test(word) ? maskText(word) : word)
