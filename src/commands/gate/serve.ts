import {BaseCommand} from '../../cli/base-command.ts'
import {runServer} from '../../cli/serving/run-server.ts'
import {startGate} from './shared/server.ts'
import {gateServeView} from './shared/views.ts'

export default class GateServe extends BaseCommand {
  static override summary = 'Send for other users of this machine what the policy allows them.'
  static override description =
    'Run it as a user of its own, which has the profiles with their credentials. The policy names the callers. Each has a socket that only they can reach, and a profile that leads to it and has no secret. Their requests pass the same checks as a command, and the sums of a day are added up. SIGINT and SIGTERM stop it after the requests in progress. See docs/gate.md.'
  static override examples = ['<%= config.bin %> gate serve', '<%= config.bin %> gate serve -o ndjson']

  async run() {
    await this.parse(GateServe)
    return runServer(this.context, () => startGate(this.context), gateServeView)
  }
}
