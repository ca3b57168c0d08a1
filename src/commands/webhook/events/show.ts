import {idArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {webhookEventView} from '../shared/event-views.ts'
import {eventIn, printedEvent} from '../shared/events.ts'
import {recordingFlag, withRecording} from '../shared/recording.ts'

export default class WebhookEventsShow extends BaseCommand {
  static override summary = 'Show one recorded call: request, decision steps, answer and timing.'
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484',
    },
    '<%= config.bin %> webhook trigger auth --to http://127.0.0.1:8484',
    '<%= config.bin %> webhook events show last',
  ]
  static override args = {id: idArg('the event', {last: 'the newest call'})}
  static override flags = recordingFlag

  async run() {
    const {args, flags} = await this.parse(WebhookEventsShow)
    return withRecording(this.context, flags, async recording => {
      const {event, ...exchange} = eventIn(recording, args.id)
      const found = {event: printedEvent(event), ...exchange}
      await this.context.printer.data(found, webhookEventView)
      return found
    })
  }
}
