import {Failure} from '../errors/failure.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import type {Context} from './context.ts'
import {purposeProblem} from './flags.ts'

/**
 * The ticket that the profile requires for what is recorded.
 *
 * @throws Failure USAGE if nobody can be asked.
 */
export async function askTicket(context: Context): Promise<string> {
  const {name} = await context.chosen()
  if (!context.interactive) {
    throw new Failure('USAGE', {
      message: `Profile ${name} requires a ticket for every write and disclosure.`,
      hint: 'Add --ticket ID.',
      effect: 'none',
    })
  }
  return context.prompter.text(`Ticket (profile ${name} requires one)`, answer => {
    if (answer === '') return 'Enter the id of a ticket.'
    if (holdsCardNumber(answer)) return 'That looks like a card number. Enter the id of a ticket.'
    const problem = purposeProblem('ticket', answer)
    return problem === undefined || `The ticket ${problem}.`
  })
}
