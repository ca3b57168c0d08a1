import {BaseCommand} from '../cli/base-command.ts'
import {operationFlags} from '../cli/flags.ts'
import {whoamiView} from './profiles/shared/views.ts'

export default class Whoami extends BaseCommand {
  static override summary = 'Show the profile, base URL and audit user in use, and where each comes from.'
  static override description = 'Reads no secret and sends nothing.'
  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --json']

  static override flags = {'audit-user': operationFlags['audit-user']}

  async run() {
    await this.parse(Whoami)
    const result = {...(await this.context.service.whoami()), flags: this.flagsOfEnvironment()}
    await this.context.printer.data(result, whoamiView)
    return result
  }

  private flagsOfEnvironment() {
    return this.environmentFlags.map(({flag, value, variable}) => ({
      flag,
      value,
      from: `environment ${variable}`,
    }))
  }
}
