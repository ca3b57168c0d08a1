import * as Flags from '@oclif/core/flags'
import {optionalArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {exitOf} from '../../../errors/registry.ts'
import {changedDecisions, checkByRecording, checkByScenario, RULES_SCHEMA} from '../shared/rules-check.ts'
import {ruleRecordingView, ruleScenariosView} from '../shared/rules-view.ts'

export default class WebhookRulesCheck extends BaseCommand {
  static override summary = 'Check a rule file and show what it decides.'
  static override description =
    `Reports all problems by line and column and exits with ${exitOf('INPUT_INVALID')}. Without problems, shows the decision for a call of each scenario, made now and as the first of its card; with --against, for recorded calls. With --expect same, exits with ${exitOf('DECISION_CHANGED')} if a rule decides one of them differently; calls that no rule decides, or that a rule decides by chance, are not compared. For a rule with a probability, shows the probability and the decision without the rule. The format of rule files: cardctl help webhook-rules.`
  static override examples = [
    '<%= config.bin %> webhook rules check rules.yaml',
    {
      description: 'Decisions for the calls recorded here',
      command: '<%= config.bin %> webhook rules check rules.yaml --against recording',
    },
    '<%= config.bin %> webhook rules check rules.yaml --against calls.ndjson -o json',
    {
      description: 'Fail a pipeline if a rule decides a call differently than recorded',
      command: '<%= config.bin %> webhook rules check rules.yaml --against calls.ndjson --expect same',
    },
  ]
  static override args = {
    file: optionalArg('Rule file, YAML or JSON'),
  }
  static override flags = {
    against: Flags.string({
      helpValue: 'recording|FILE',
      summary:
        'Recorded calls: the recording of this machine, another recording, or a file from webhook events export.',
    }),
    expect: Flags.option({
      options: ['same'] as const,
      dependsOn: ['against'],
      summary: `Exit with ${exitOf('DECISION_CHANGED')} if a rule decides a recorded call differently.`,
    })(),
    schema: Flags.boolean({
      summary: 'Print the path of the JSON schema of rule files, for editors.',
      exclusive: ['against'],
    }),
  }

  static override guide: Guide = {needs: [{anyOf: ['file'], or: ['--schema']}]}

  async run() {
    const {args, flags} = await this.parse(WebhookRulesCheck)
    const {printer} = this.context
    if (flags.schema) return printer.text(RULES_SCHEMA)
    const file = args.file ?? ''
    if (flags.against === undefined) {
      return printer.list(await checkByScenario(this.context, file), ruleScenariosView)
    }
    const checked = await checkByRecording(this.context, file, flags.against)
    const printed = await printer.list(checked, ruleRecordingView)
    const failure = flags.expect === undefined ? undefined : changedDecisions(checked)
    if (failure) throw failure
    return printed
  }
}
