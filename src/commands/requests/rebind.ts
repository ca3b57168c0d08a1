import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {genericView} from '../../output/generic.ts'
import {rebindService} from './shared/rebind-service.ts'

export default class RequestsRebind extends BaseCommand {
  static override summary =
    "Take over the requests and bulk jobs of a profile's old base URL after the service has moved."
  static override description =
    'Requests, keys and bulk jobs belong to a service, not to a profile. When a service gets a new base URL, change the base URL of the profile, then run this command. From then on, the requests to the old base URL prevent repeats at the new one, and bulk jobs can continue there. Never use it for two different services: requests of one would be sent to the other.'
  static override examples = [
    {
      description: 'In another terminal: a service on this machine',
      command: '<%= config.bin %> sandbox serve --port 8480',
    },
    '<%= config.bin %> profiles add served --kind sandbox --base-url http://127.0.0.1:8480 --auth none',
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000 -p served',
    {
      description: 'The service has moved from port 8480',
      command: '<%= config.bin %> profiles edit served --base-url http://127.0.0.1:8481',
    },
    '<%= config.bin %> requests rebind -p served --confirm 127.0.0.1:8481',
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
