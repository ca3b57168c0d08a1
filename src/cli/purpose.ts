import {Failure} from '../errors/failure.ts'
import type {Purpose} from '../journal/index.ts'
import type {Target} from '../profiles/index.ts'
import {holdsCardNumber} from '../sensitive/card-number.ts'
import type {Context} from './context.ts'
import {purposeProblem} from './flags.ts'

/** Why the user does it: `--note` and `--ticket`. */
export class Purposes {
  readonly #context: Context
  #ticket: Promise<string> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * That of the flags, otherwise of an earlier request that is continued. Asks for a ticket, once, if the profile requires
   * one.
   *
   * @throws Failure USAGE if nobody can be asked.
   */
  async given({requireTicket}: Pick<Target, 'requireTicket'>, earlier: Purpose = {}): Promise<Purpose> {
    const {note = earlier.note, ticket = earlier.ticket} = this.#context.flags
    if (ticket !== undefined || !requireTicket) return {note, ticket}
    this.#ticket ??= askTicket(this.#context)
    return {note, ticket: await this.#ticket}
  }
}

/** The ticket that the profile requires for what is recorded. */
async function askTicket(context: Context): Promise<string> {
  const {name} = await context.service.chosen()
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
