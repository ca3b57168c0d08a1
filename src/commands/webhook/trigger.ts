import * as Flags from '@oclif/core/flags'
import {idFlag, requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {decimalFlag, operationFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {asCurl, printDryRun} from '../../cli/preview.ts'
import {endpointFlags} from './shared/endpoint.ts'
import {expectFlag} from './shared/expect-answer.ts'
import {makeTrigger, triggerFailure} from './shared/trigger.ts'
import {webhookTriggerView} from './shared/trigger-view.ts'

export default class WebhookTrigger extends BaseCommand {
  static override summary = 'Send one call to an endpoint as the service does and check its answer.'
  static override description =
    "Builds a call from a scenario, sends it and checks the answer against the contract and the deadline. Exits with 0 if the endpoint approves, 6 if it declines, 8 if the answer doesn't match the contract, 9 if the endpoint can't be reached, 12 if there is no answer in time. With --expect, exits with 0 if the answer is as expected, also a decline, and with 11 if not. To see the scenarios: cardctl webhook scenarios"
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484',
    },
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484',
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484 --scenario fuel --amount 80',
    {
      description: 'With a card of the profile and a field set to another value',
      command:
        '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484 --card 3001 --set transactionData.transactionType=UNKNOWN_TO_US',
    },
    {
      description: 'A call that must be approved, in time',
      command:
        '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484 --expect approved --expect within=1s',
    },
    '<%= config.bin %> webhook trigger warm-up --to http://127.0.0.1:8484',
  ]
  static override args = {
    type: requiredArg('Type of the call: auth or warm-up'),
  }
  static override flags = {
    ...endpointFlags,
    scenario: Flags.string({
      helpValue: 'NAME',
      exclusive: ['data'],
      summary: 'Scenario of the call (default contactless).',
    }),
    amount: Flags.string({
      exclusive: ['data'],
      summary: "Amount of the transaction (default the scenario's).",
    }),
    currency: Flags.string({
      exclusive: ['data'],
      summary: "ISO 4217 code of the amount (default the scenario's).",
    }),
    transaction: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'Id of an earlier transaction, to increment or reverse it.',
    }),
    card: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'Use the data of this card of the profile. Without it, the card is made up.',
    }),
    account: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'Account of the profile. Without --card, uses its first usable card.',
    }),
    data: Flags.string({
      helpValue: 'JSON|@file|-',
      summary: 'Body as JSON, from a file or stdin, instead of a scenario.',
    }),
    set: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'path=value',
      summary: 'Set a field of the call; repeatable.',
    }),
    ...decimalFlag,
    'show-answer': Flags.boolean({
      summary: 'Show the body of the answer, which is otherwise shown only if it is wrong.',
    }),
    expect: expectFlag,
    'dry-run': operationFlags['dry-run'],
    curl: operationFlags.curl,
    'audit-user': operationFlags['audit-user'],
  }

  static override guide: Guide = {choices: {type: ['auth', 'warm-up']}}

  async run() {
    const {args, flags} = await this.parse(WebhookTrigger)
    const trigger = await makeTrigger(this.context, args.type, flags)
    const {printer} = this.context
    if (flags['dry-run']) return printDryRun(this.context, [await trigger.preview()])
    if (flags.curl) return printer.text(asCurl(await trigger.preview()).line)
    const result = await trigger.send()
    await printer.data(result, webhookTriggerView(flags['show-answer']))
    const failure = triggerFailure(result)
    if (failure) throw failure
    return result
  }
}
