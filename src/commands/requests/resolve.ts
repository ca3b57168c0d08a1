import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/request.ts'
import {requestIn} from '../../cli/requests/journal-request.ts'
import {resolveRequest} from '../../cli/requests/resolve-request.ts'
import {Failure} from '../../errors/failure.ts'
import {resolvedView} from '../../output/views/requests.ts'

export default class RequestsResolve extends BaseCommand {
  static override summary =
    'Find out whether a request had its effect; exit 10 if that cannot be told. Where the service honours its key, it is sent again.'
  static override examples = ['<%= config.bin %> requests resolve r_01JD8… -p staging']
  static override args = {id: requiredArg('Id of the request')}

  async run() {
    const {args} = await this.parse(RequestsResolve)
    const target = await this.context.target()
    using journal = await this.context.journal(target.name)
    const record = requestIn(journal, target.name, args.id)
    const client = await openClient(this.context, target)
    try {
      const resolved = await resolveRequest(this.context, client, record)
      await this.context.printer.data(resolved, resolvedView)
      if (resolved.verdict === 'cannot tell') {
        throw new Failure('EFFECT_UNKNOWN', {
          message: `It cannot be told whether request ${record.id} had its effect.`,
          hint: resolved.check,
          requestId: record.id,
          effect: 'unknown',
        })
      }
      return resolved
    } finally {
      await client.close()
    }
  }
}
