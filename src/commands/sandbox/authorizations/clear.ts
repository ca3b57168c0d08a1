import * as Flags from '@oclif/core/flags'
import {idFlag, optionalArg} from '../../../cli/arguments.ts'
import {bodyFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {Failure} from '../../../errors/failure.ts'
import {genericView} from '../../../output/views/generic.ts'

export default class SandboxAuthorizationsClear extends operationCommand(
  'sandbox.authorisations.clear',
  'sandbox.clearings.create',
) {
  static override summary =
    'Clear an authorisation, under, over or in parts; or post a clearing that has none.'
  static override examples = [
    '<%= config.bin %> sandbox authorizations clear a_1',
    '<%= config.bin %> sandbox authorizations clear a_1 --amount 8.20 --not-final',
    '<%= config.bin %> sandbox authorizations clear --card 3001 --amount 5 --currency EUR',
  ]
  static override args = {id: optionalArg('Id of the authorisation; without it, a clearing that has none')}
  static override flags = {
    amount: Flags.string({summary: 'What is posted; all that is held by default.'}),
    'not-final': Flags.boolean({summary: 'More clearings follow: the rest stays held.'}),
    card: idFlag({summary: 'Id of the card, for a clearing without an authorisation.'}),
    currency: Flags.string({summary: 'ISO 4217 code, for a clearing without an authorisation.'}),
    ...bodyFlags,
  }

  async run() {
    const {args, flags} = await this.parse(SandboxAuthorizationsClear)
    const amount = flags.amount === undefined ? undefined : Number(flags.amount)
    if (Number.isNaN(amount)) throw new Failure('USAGE', {message: '--amount is not a number.'})
    if (args.id !== undefined) {
      const operation = 'sandbox.authorisations.clear'
      if (flags.skeleton) return this.printSkeleton(operation)
      const final = flags['not-final'] ? false : undefined
      const body = (await this.body(operation, flags, {amount, final})) ?? {}
      return this.execute({operation, path: {id: args.id}, body}, flags, genericView)
    }
    const operation = 'sandbox.clearings.create'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, flags, {cardId: flags.card, amount, currency: flags.currency})
    return this.execute({operation, body}, flags, genericView)
  }
}
