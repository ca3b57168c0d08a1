import {idFlag} from '../../../cli/arguments.ts'
import {pagingFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {authorisationListView} from '../shared/authorisation-views.ts'

export default class SandboxAuthorizationsList extends operationCommand('sandbox.authorisations.list') {
  static override summary = 'List the authorisations of the sandbox with their decisions, newest first.'
  static override examples = [
    '<%= config.bin %> sandbox authorizations list',
    '<%= config.bin %> sandbox authorizations list --card 3001',
  ]
  static override flags = {
    ...pagingFlags,
    card: idFlag({of: 'a card', summary: 'Only those of this card.'}),
  }

  async run() {
    const {flags} = await this.parse(SandboxAuthorizationsList)
    const query = flags.card === undefined ? {} : {cardId: flags.card}
    return this.executeList({operation: 'sandbox.authorisations.list', query}, flags, authorisationListView)
  }
}
