import {idArg, stateKindArg} from '../../../cli/arguments.ts'
import {bodyFlags} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {BODY} from '../../../cli/needs.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {genericView} from '../../../output/generic.ts'

export default class SandboxStateSet extends operationCommand('sandbox.state.set') {
  static override summary = 'Change an object in the state of the sandbox, for example to block a test card.'
  static override examples = [
    '<%= config.bin %> sandbox state set card 3001 -F status=CARD_BLOCKED',
    '<%= config.bin %> sandbox state set balance 2006-EUR -F booked=12.50',
  ]
  static override args = {
    kind: stateKindArg('account, balance, card, plastic, pricelist, period, batch, enrolment, customer'),
    id: idArg('the object'),
  }
  static override flags = bodyFlags

  static override guide: Guide = {needs: [{anyOf: ['--field'], or: BODY}]}

  async run() {
    const {args, flags} = await this.parse(SandboxStateSet)
    const operation = 'sandbox.state.set'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, flags)
    return this.execute({operation, path: {kind: args.kind as never, id: args.id}, body}, flags, genericView)
  }
}
