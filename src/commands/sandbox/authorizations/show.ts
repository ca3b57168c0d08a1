import {idArg} from '../../../cli/arguments.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {authorisationDetailView} from '../shared/authorisation-views.ts'

export default class SandboxAuthorizationsShow extends operationCommand('sandbox.authorisations.get') {
  static override summary = 'Show an authorisation with its reversals and clearings.'
  static override examples = ['<%= config.bin %> sandbox authorizations show a_0']
  static override args = {id: idArg('the authorisation')}

  async run() {
    const {args, flags} = await this.parse(SandboxAuthorizationsShow)
    const call = {operation: 'sandbox.authorisations.get', path: {id: args.id}} as const
    return this.execute(call, flags, authorisationDetailView)
  }
}
