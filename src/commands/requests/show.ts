import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {Failure} from '../../errors/failure.ts'
import {requestView} from '../../output/views/requests.ts'

export default class RequestsShow extends BaseCommand {
  static override summary = 'Show one request of the journal.'
  static override examples = ['<%= config.bin %> requests show r_01JD8…']
  static override args = {id: requiredArg('Id of the request')}

  async run() {
    const {args} = await this.parse(RequestsShow)
    const {name} = await this.context.chosen()
    using journal = await this.context.journal(name)
    const found = journal.get(args.id)
    if (found === undefined) {
      throw new Failure('NOT_FOUND', {
        message: `The journal of profile ${name} has no request ${args.id}.`,
        hint: 'See requests list; each profile has a journal of its own.',
      })
    }
    await this.context.printer.data(found, requestView)
    return found
  }
}
