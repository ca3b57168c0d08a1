import {BaseCommand} from '../../cli/base-command.ts'
import {scenarios} from '../../contract/scenarios.ts'
import {webhookScenariosView} from './shared/rules-view.ts'

export default class WebhookScenarios extends BaseCommand {
  static override summary = 'List the scenarios for authorisation calls.'
  static override examples = [
    '<%= config.bin %> webhook scenarios',
    '<%= config.bin %> webhook scenarios -o json --query "[].name"',
  ]

  async run() {
    await this.parse(WebhookScenarios)
    const list = Object.entries(scenarios).map(([name, scenario]) => ({name, ...scenario}))
    return this.context.printer.list(list, webhookScenariosView)
  }
}
