import * as Flags from '@oclif/core/flags'
import {optionalArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {Failure} from '../../../errors/failure.ts'
import {ruleRecordingView, ruleScenariosView} from '../../../output/views/webhook-rules.ts'
import {checkByRecording, checkByScenario, RULES_SCHEMA} from '../shared/rules-check.ts'

export default class WebhookRulesCheck extends BaseCommand {
  static override summary = 'Check a rule file, and tell what it would decide.'
  static override description =
    'Says all that is wrong, by line and column, and ends with 2; else what would be decided about a call of each scenario, as the first of its card and now, or with --against about recorded calls. Of a rule that takes calls by chance it says how likely that is, and what happens else. How rules are written: docs/webhooks.md.'
  static override examples = [
    '<%= config.bin %> webhook rules check rules.yaml',
    {
      description: 'What would have been decided about the calls that came here',
      command: '<%= config.bin %> webhook rules check rules.yaml --against recording',
    },
    '<%= config.bin %> webhook rules check rules.yaml --against calls.ndjson -o json',
  ]
  static override args = {
    file: optionalArg('The rule file, YAML or JSON.'),
  }
  static override flags = {
    against: Flags.string({
      helpValue: 'recording|FILE',
      summary: 'Recorded calls: of this machine, of a recording, or as webhook events export wrote them.',
    }),
    schema: Flags.boolean({
      summary: 'Print the path of the JSON schema of rule files, for editors.',
      exclusive: ['against'],
    }),
  }

  async run() {
    const {args, flags} = await this.parse(WebhookRulesCheck)
    const {printer} = this.context
    if (flags.schema) return printer.text(RULES_SCHEMA)
    const {file} = args
    if (file === undefined) throw new Failure('USAGE', {message: 'The rule file is missing.'})
    if (flags.against === undefined) {
      return printer.list(await checkByScenario(this.context, file), ruleScenariosView)
    }
    return printer.list(await checkByRecording(this.context, file, flags.against), ruleRecordingView)
  }
}
