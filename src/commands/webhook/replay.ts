import {severalArgs} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {chooseCalls, replayCalls, replayFlags} from '../../cli/webhook/replay.ts'
import {printReplay, replayFailure} from '../../cli/webhook/replay-report.ts'

export default class WebhookReplay extends BaseCommand {
  static override summary = 'Send recorded calls again, oldest first, and compare what is decided now.'
  static override description =
    'Compares outcome, code and partial amount with the recorded decision, and counts what changed. Each call gets a new metadata.id, because the same id gets the same answer; --same-id keeps it. A call without a recorded decision (late, rejected, or broken on purpose) has nothing to compare: any valid answer in time will do. Ends with 0 when every recorded decision came again; 11 when one changed, or when some of several calls got no valid answer; 9 when nobody was reached; for a single call 8 when its answer breaks the contract, 12 when none came in time.'
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
    const all = await printReplay(this.context, replayCalls(this.context, calls, flags))
    const failure = replayFailure(this.context, all, flags)
    if (failure) throw failure
    return all
  }
}
