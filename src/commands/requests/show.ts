import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {requestView} from '../../output/views/requests.ts'
import {requestIn, shownRequest} from './shared/shown-request.ts'

export default class RequestsShow extends BaseCommand {
  static override summary = 'Show a request of the journal: the fields that were sent, and the outcome.'
  static override examples = ['<%= config.bin %> requests show r_01JD8…']
  static override args = {id: requiredArg('Id of the request')}

  async run() {
    const {args} = await this.parse(RequestsShow)
    using journal = await this.context.journal()
    const found = shownRequest(requestIn(journal, args.id), journal.sent(args.id))
    await this.context.printer.data(found, requestView)
    return found
  }
}
