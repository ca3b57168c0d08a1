import * as Flags from '@oclif/core/flags'
import {idFlag, requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {asCurl} from '../../cli/curl.ts'
import {operationFlags} from '../../cli/flags.ts'
import {printDryRun} from '../../cli/preview.ts'
import {webhookTriggerView} from '../../output/views/webhook-trigger.ts'
import {endpointFlags} from './shared/endpoint.ts'
import {failureOf, makeTrigger} from './shared/trigger.ts'

export default class WebhookTrigger extends BaseCommand {
  static override summary = 'Send one call to an endpoint as the service does, and judge its answer.'
  static override description =
    'Builds a whole call of a scenario, sends it and holds the answer against the contract and the deadline. Ends with 0 for approved, 6 for declined, 8 for an answer that breaks the contract, 9 where nobody is reached, 12 for none within the deadline. The scenarios: webhook scenarios.'
  static override examples = [
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484',
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:3000 --scenario fuel --amount 80',
    {
      description: 'A card of the profile, and what a colleague saw in the field',
      command:
        '<%= config.bin %> webhook trigger auth --to https://hooks.example.com --card 3001 --set transactionData.transactionType=UNKNOWN_TO_US --auth basic:env:HOOK',
    },
    '<%= config.bin %> webhook trigger warm-up --to http://127.0.0.1:8484',
  ]
  static override args = {
    type: requiredArg('auth or warm-up'),
  }
  static override flags = {
    ...endpointFlags,
    scenario: Flags.string({
      helpValue: 'NAME',
      exclusive: ['data'],
      summary: 'What the purchase is like; contactless by default.',
    }),
    amount: Flags.string({
      exclusive: ['data'],
      summary: "Amount of the transaction; else the scenario's own.",
    }),
    currency: Flags.string({
      exclusive: ['data'],
      summary: "ISO 4217 code of the amount; else the scenario's own.",
    }),
    transaction: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'Transaction of an earlier call, to raise or reverse it.',
    }),
    card: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'Use the data of this card of the profile. Without it, the card is made up.',
    }),
    account: idFlag({
      helpValue: 'ID',
      exclusive: ['data'],
      summary: 'An account of the profile; without --card its first card that can be used.',
    }),
    data: Flags.string({
      helpValue: 'JSON|@file|-',
      summary: 'The body as JSON, from a file or stdin, instead of a scenario.',
    }),
    set: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'path=value',
      summary: 'Set a member of the body, typed by the contract; repeatable.',
    }),
    'dry-run': operationFlags['dry-run'],
    curl: operationFlags.curl,
    'audit-user': operationFlags['audit-user'],
  }

  async run() {
    const {args, flags} = await this.parse(WebhookTrigger)
    const trigger = await makeTrigger(this.context, args.type, flags)
    const {printer} = this.context
    if (flags['dry-run']) return printDryRun(this.context, [await trigger.preview()])
    if (flags.curl) return printer.text(asCurl(await trigger.preview()).line)
    const result = await trigger.send()
    await printer.data(result, webhookTriggerView)
    const failure = failureOf(result)
    if (failure) throw failure
    return result
  }
}
