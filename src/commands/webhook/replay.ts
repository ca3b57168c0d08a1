import {severalArgs} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {chooseCalls, replayCalls, replayFlags} from './shared/replay.ts'
import {printReplay, replayFailure} from './shared/replay-report.ts'

export default class WebhookReplay extends BaseCommand {
  static override summary = 'Send recorded calls again, oldest first, and compare the decisions.'
  static override description =
    `Compares the outcome, code and partial amount of each answer with the recorded decision and counts the changes. Each call gets a new metadata.id, because an endpoint repeats its earlier answer for an id that it knows; --same-id keeps the recorded id. A call without a recorded decision (late, rejected, or broken on purpose) passes with any valid answer in time. With --expect answered, so does every call.

Exit codes: 0 if every decision is the same; ${exitOf('DECISION_CHANGED')} if a decision changed, or if some of several calls got no valid answer; ${exitOf('CONNECTION_FAILED')} if the endpoint can't be reached. For a single call: ${exitOf('ANSWER_INVALID')} if the answer breaks the contract, ${exitOf('NO_ANSWER_IN_TIME')} if there is no answer in time.`
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484',
    },
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484',
    '<%= config.bin %> webhook replay last',
    '<%= config.bin %> webhook replay --since 1h --to http://127.0.0.1:8484',
    {
      description: '11: a decision changed',
      command: '<%= config.bin %> webhook replay --from calls.ndjson --to http://127.0.0.1:8484 -o ndjson',
    },
  ]
  static override args = {events: severalArgs('Ids of events, or last for the newest call')}
  static override flags = replayFlags

  async run() {
    const {args, flags} = await this.parse(WebhookReplay)
    const calls = await chooseCalls(this.context, args.events ?? [], flags)
    const report = await printReplay(this.context, replayCalls(this.context, calls, flags))
    const failure = replayFailure(this.context, report.calls, flags)
    if (failure) throw failure
    return report
  }
}
