import {pagingFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {authorisationListView} from '../shared/authorisation-views.ts'

export default class SandboxAuthorizationsList extends operationCommand('sandbox.authorisations.list') {
  static override summary = 'List the authorisations of the sandbox with their decisions, newest first.'
  static override examples = ['<%= config.bin %> sandbox authorizations list']
  static override flags = pagingFlags

  async run() {
    const {flags} = await this.parse(SandboxAuthorizationsList)
    return this.executeList({operation: 'sandbox.authorisations.list'}, flags, authorisationListView)
  }
}
