import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {requestIn} from '../../cli/requests/journal-request.ts'
import {requestView} from '../../output/views/requests.ts'

export default class RequestsShow extends BaseCommand {
  static override summary = 'Show one request of the journal.'
  static override examples = ['<%= config.bin %> requests show r_01JD8…']
  static override args = {id: requiredArg('Id of the request')}

  async run() {
    const {args} = await this.parse(RequestsShow)
    using journal = await this.context.journal()
    const found = requestIn(journal, args.id)
    await this.context.printer.data(found, requestView)
    return found
  }
}
