import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/client/client.ts'
import {parseMoment, periodFlags, periodOf} from '../../cli/moment.ts'
import {type EndedTraces, startedTraces} from './shared/traces.ts'
import {traceListView} from './shared/views.ts'

export default class RemotecheckoutTraces extends BaseCommand {
  static override summary = 'List the remote checkout operations that were started here and have not ended.'
  static override description =
    'Takes the traces from the journal of this machine, by default of the last 7 days, and reads the status of each from the service.'
  static override examples = [
    '<%= config.bin %> remotecheckout traces',
    '<%= config.bin %> remotecheckout traces --since today --ended',
  ]
  static override flags = {
    ended: Flags.boolean({summary: 'Also list operations that have ended.'}),
    ...periodFlags,
  }

  async run() {
    const {flags} = await this.parse(RemotecheckoutTraces)
    const {context} = this
    const period = periodOf(context, {...flags, since: flags.since ?? parseMoment('7d', '--since')})
    const client = await openClient(context, await context.service.target())
    const ended: EndedTraces | undefined = flags.ended ? undefined : {count: 0, failed: 0}
    try {
      const printed = await context.printer.list(startedTraces(context, client, period, ended), traceListView)
      if (ended !== undefined && ended.failed > 0) {
        const line = context.commandLine('remotecheckout', 'traces', '--ended')
        context.printer.note(`${ended.failed} of ${ended.count} that ended failed: ${line}`)
      }
      return printed
    } finally {
      await client.close()
    }
  }
}
