import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {durationFlag} from '../../cli/flags.ts'
import {webhookBenchView} from '../../output/views/webhook-bench.ts'
import {benchEndpoint, benchFailure} from './shared/bench.ts'
import {endpointFlags} from './shared/endpoint.ts'

export default class WebhookBench extends BaseCommand {
  static override summary = 'Call an endpoint at a steady pace and report how long its answers take.'
  static override description =
    'Sends a mix of scenarios, each call at its time whatever became of those before, and counts what it took from that time: p50, p95, p99, the longest, late and invalid answers. Exit 11 when a limit of --max-p95, --max-p99, --max-late or --max-invalid is missed. Ctrl-C reports what was measured so far. Goes to this machine only, unless --confirm names the host.'
  static override examples = [
    '<%= config.bin %> webhook bench --to http://127.0.0.1:3000 --rate 200/s --duration 30s',
    {
      description: 'A gate in a pipeline',
      command:
        '<%= config.bin %> webhook bench --to http://127.0.0.1:3000 --rate 100/s --duration 10s --max-p99 500ms --max-late 0 --max-invalid 0 -o json',
    },
    '<%= config.bin %> webhook bench --to http://127.0.0.1:3000 --mix contactless=3,atm=1',
  ]
  static override flags = {
    ...endpointFlags,
    rate: Flags.string({
      default: '50/s',
      helpValue: '200/s',
      summary: 'Calls a second or minute.',
    }),
    duration: durationFlag({default: 10_000, summary: 'How long calls are sent (default 10s, at most 10m).'}),
    concurrency: Flags.integer({
      default: 256,
      min: 1,
      max: 1024,
      summary: 'Maximum number of calls at the same time. A call beyond it waits, and the wait counts.',
    }),
    mix: Flags.string({
      helpValue: 'name=weight,…',
      summary: 'Scenarios and how often each comes; else a usual day.',
    }),
    'max-p95': durationFlag({helpValue: '300ms', summary: 'The most that 95 % of the answers may take.'}),
    'max-p99': durationFlag({helpValue: '500ms', summary: 'The most that 99 % of the answers may take.'}),
    'max-late': Flags.integer({min: 0, summary: 'The most calls without an answer within the deadline.'}),
    'max-invalid': Flags.integer({
      min: 0,
      summary: 'The most calls whose answer breaks the contract, or that got none at all.',
    }),
  }

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
