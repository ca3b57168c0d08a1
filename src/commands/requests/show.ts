import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {RequestWords} from '../../cli/request-words.ts'
import {requestView} from '../../output/requests.ts'
import {requestIn, shownRequest} from './shared/shown-request.ts'

export default class RequestsShow extends BaseCommand {
  static override summary = 'Show a request of the journal: the fields that were sent, and the outcome.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    '<%= config.bin %> requests show last',
  ]
  static override args = {id: requiredArg('Id of the request, or last for the newest')}

  async run() {
    const {args} = await this.parse(RequestsShow)
    using journal = await this.context.stores.journal()
    const record = requestIn(journal, args.id)
    const found = shownRequest(await RequestWords.open(journal), record)
    await this.context.printer.data(found, requestView)
    return found
  }
}
