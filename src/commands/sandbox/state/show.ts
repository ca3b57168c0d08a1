import {idArg, stateKindArg} from '../../../cli/arguments.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {genericView} from '../../../output/generic.ts'

export default class SandboxStateShow extends operationCommand('sandbox.state.get') {
  static override summary =
    'Show one object in the state of the sandbox, with fields that no operation returns.'
  static override examples = [
    '<%= config.bin %> sandbox state show account 2006',
    '<%= config.bin %> sandbox state show balance 2006-EUR',
  ]
  static override args = {
    kind: stateKindArg('account, balance, card, plastic, pricelist, period, batch, enrolment, customer'),
    id: idArg('the object'),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxStateShow)
    const path = {kind: args.kind as never, id: args.id}
    return this.execute({operation: 'sandbox.state.get', path}, flags, genericView)
  }
}
