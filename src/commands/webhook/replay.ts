import {severalArgs} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {chooseCalls, replayCalls, replayFailure, replayFlags, type Sent} from '../../cli/webhook/replay.ts'
import {webhookReplayView} from '../../output/views/webhook-replay.ts'

export default class WebhookReplay extends BaseCommand {
  static override summary = 'Send recorded calls again, oldest first, and compare what is decided now.'
  static override description =
    'Each call gets a new metadata.id, for the same id gets the same answer; --same-id keeps it. Answers are held against the contract and the deadline. Ends with 0 where all are approved or decided as before, 6 declined, 8 an answer that breaks the contract, 9 nobody reached, 12 none within the deadline; 11 where that is so for some of several.'
  static override examples = [
    '<%= config.bin %> webhook replay e_01JD8…',
    '<%= config.bin %> webhook replay --failed --since 1h --to http://127.0.0.1:3000',
    '<%= config.bin %> webhook replay --from calls.ndjson --to http://127.0.0.1:3000 -o ndjson',
  ]
  static override args = {events: severalArgs('Ids of events')}
  static override flags = replayFlags

  async run() {
    const {args, flags} = await this.parse(WebhookReplay)
    const calls = await chooseCalls(this.context, args.events ?? [], flags)
    const all: Sent[] = []
    await this.context.printer.list(replayCalls(this.context, calls, flags, all), webhookReplayView)
    const failure = replayFailure(this.context, all, flags)
    if (failure) throw failure
    return all
  }
}
