import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {asCurl, printDryRun} from '../../cli/preview.ts'
import {exitOf} from '../../errors/registry.ts'
import {callFlags} from './shared/call.ts'
import {makeTrigger, triggerFailure} from './shared/trigger.ts'
import {webhookTriggerView} from './shared/trigger-view.ts'

export default class WebhookTrigger extends BaseCommand {
  static override summary = 'Send one call to an endpoint as the service does and check its answer.'
  static override description =
    `Builds a call from a scenario, sends it and checks the answer against the contract and the deadline. Exits with 0 if the endpoint approves, ${exitOf('DECLINED')} if it declines, ${exitOf('ANSWER_INVALID')} if the answer doesn't match the contract, ${exitOf('CONNECTION_FAILED')} if the endpoint can't be reached, ${exitOf('NO_ANSWER_IN_TIME')} if there is no answer in time. With --expect, exits with 0 if the answer is as expected, also a decline, and with ${exitOf('EXPECTATION_FAILED')} if not. With -o json, prints one object in each of these cases: type, url, request, outcome, violations, deadlineMs and durationMs, and scenario, status, reply, code, part, reason, unknown and expected where there is one. To see the scenarios: cardctl webhook scenarios`
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
  static override flags = callFlags

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
