import {BaseCommand} from '../../../cli/base-command.ts'
import {eventFilter, eventFilterFlags, printedExchanges} from '../shared/events.ts'
import {withRecording} from '../shared/recording.ts'

export default class WebhookEventsExport extends BaseCommand {
  static override summary = 'Print complete recorded calls as NDJSON, newest first.'
  static override description =
    'webhook rules check --against and webhook replay --from read this output. Card numbers are masked, but the lines show who bought what.'
  static override examples = [
    '<%= config.bin %> webhook events export > calls.ndjson',
    '<%= config.bin %> webhook events export --since 1d --type auth --type late',
  ]
  static override flags = eventFilterFlags

  async run() {
    const {flags} = await this.parse(WebhookEventsExport)
    const filter = await eventFilter(this.context, flags)
    const {printer} = this.context.withFormat('ndjson')
    return withRecording(this.context, flags, async recording =>
      printer.list(printedExchanges(recording.iterate(filter))),
    )
  }
}
