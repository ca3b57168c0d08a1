import {BaseCommand} from '../../cli/base-command.ts'
import {exitOf} from '../../errors/registry.ts'
import {benchEndpoint, benchFailure, benchFlags} from './shared/bench.ts'
import {webhookBenchView} from './shared/bench-views.ts'

export default class WebhookBench extends BaseCommand {
  static override summary = 'Call an endpoint at a steady rate and report how long its answers take.'
  static override description =
    `Sends a mix of scenarios, or recorded calls with new ids. Each call has its time, also while earlier calls wait, and its latency counts from that time. Reports p50, p95, p99 and maximum, counts late and invalid answers, and says how calls and p99 changed from second to second. Exits with ${exitOf('LIMIT_MISSED')} if a call reached no endpoint, or a limit of --max-p95, --max-p99, --max-late or --max-invalid is exceeded. Ctrl-C reports what was measured so far. Calls this machine only, unless --confirm names the host.`
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484',
    },
    '<%= config.bin %> webhook bench --to http://127.0.0.1:8484 --rate 20/s --duration 2s',
    {
      description: 'Fail a pipeline on slow or invalid answers',
      command:
        '<%= config.bin %> webhook bench --to http://127.0.0.1:8484 --rate 20/s --duration 1s --max-p99 500ms --max-late 0 --max-invalid 0 -o json',
    },
    '<%= config.bin %> webhook bench --to http://127.0.0.1:8484 --mix contactless=3,atm=1 --cards 1000 --duration 1s',
    {
      description: 'Send what the endpoint was called with before',
      command: '<%= config.bin %> webhook bench --to http://127.0.0.1:8484 --from calls.ndjson --duration 1s',
    },
  ]
  static override flags = benchFlags

  async run() {
    const {flags} = await this.parse(WebhookBench)
    const {printer, surroundings} = this.context
    const report = await benchEndpoint(this.context, flags)
    await printer.data(report, webhookBenchView)
    const failure = benchFailure(report, surroundings.signal)
    if (failure) throw failure
    return report
  }
}
