import {lengthFlag} from '../../../cli/list-length.ts'
import {LocalListCommand} from '../../../cli/local-list.ts'
import {webhookEventListView} from '../shared/event-views.ts'
import {eventFilter, eventFilterFlags, eventsOf} from '../shared/events.ts'
import {withRecording} from '../shared/recording.ts'

export default class WebhookEventsList extends LocalListCommand {
  static override summary = 'List recorded authorisation calls and their answers, newest first.'
  static override examples = [
    '<%= config.bin %> webhook events list --since 1h',
    '<%= config.bin %> webhook events list --failed --limit 100',
    '<%= config.bin %> webhook events list --outcome declined --search kahvila -o ndjson',
  ]
  static override flags = {
    ...eventFilterFlags,
    ...lengthFlag,
  }

  async run() {
    const {flags} = await this.parse(WebhookEventsList)
    const filter = await eventFilter(this.context, {...flags, limit: undefined})
    return withRecording(this.context, flags, async recording =>
      this.list('calls', () => eventsOf(recording.iterate(filter)), webhookEventListView, flags),
    )
  }
}
