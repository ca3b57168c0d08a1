import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {durationFlag, typedDuration} from '../../cli/flags.ts'
import {exitOf} from '../../errors/registry.ts'
import {remoteCheckoutCommand} from './shared/remote-checkout-command.ts'
import {settleTrace} from './shared/settle-trace.ts'
import {FOLLOW_WITHIN, followTrace} from './shared/traces.ts'
import {traceView} from './shared/views.ts'

export default class RemotecheckoutStatus extends remoteCheckoutCommand('remotecheckout.status.v1') {
  static override summary = 'Show the outcome of a remote checkout operation.'
  static override examples = [
    'TRACE=$(<%= config.bin %> remotecheckout enroll --customer 1001 --card 3001 --query requestTraceId -o csv --no-header)',
    '<%= config.bin %> remotecheckout status "$TRACE"',
    '<%= config.bin %> remotecheckout status "$TRACE" --wait',
  ]
  static override args = {trace: idArg('the operation', {name: 'Trace id'})}
  static override flags = {
    wait: Flags.boolean({
      summary: `Follow the operation to its outcome. Exit ${exitOf('PARTLY_DONE')} if the network refused it.`,
    }),
    'wait-timeout': durationFlag({
      summary: `How long to follow the operation (default ${typedDuration(FOLLOW_WITHIN)}).`,
      dependsOn: ['wait'],
    }),
  }

  async run() {
    const {args, flags} = await this.parse(RemotecheckoutStatus)
    const call = {operation: 'remotecheckout.status.v1', path: {traceId: args.trace}} as const
    if (!flags.wait) {
      const trace = await this.execute(call, flags, traceView)
      await settleTrace(this.context, args.trace, trace)
      return trace
    }
    if (await this.isPreview([call], flags)) return undefined
    const trace = await followTrace(this.context, await this.client(), args.trace, flags['wait-timeout'])
    await this.context.printer.data(trace, traceView)
    return trace
  }
}
