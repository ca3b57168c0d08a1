import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/views/generic.ts'
import {rebindService} from './shared/rebind-service.ts'

export default class RequestsRebind extends BaseCommand {
  static override summary =
    "Take over the requests and bulk jobs of a profile's old base URL after the service has moved."
  static override description =
    'Requests, keys and bulk jobs belong to a service, not to a profile. When a service gets a new base URL, change the base URL of the profile, then run this command. From then on, the requests to the old base URL prevent repeats at the new one, and bulk jobs can continue there. Never use it for two different services: requests of one would be sent to the other.'
  static override examples = [
    '<%= config.bin %> requests rebind -p prod --confirm api.example',
    {
      description: 'If the profile was used with several services',
      command:
        '<%= config.bin %> requests rebind -p prod --from old.example-0f6c1a2b3c4d --confirm api.example',
    },
  ]
  static override flags = {
    from: Flags.string({
      helpValue: 'ID',
      summary: 'The service that has moved, by the name of its file in the journal folder.',
    }),
    confirm: Flags.string({
      helpValue: 'HOST',
      summary: 'Host of the new base URL, as confirmation. --yes does not cover it.',
    }),
  }

  async run() {
    const {flags} = await this.parse(RequestsRebind)
    const rebound = await rebindService(this.context, flags)
    await this.context.printer.data(rebound, genericView)
    return rebound
  }
}
