import {requiredArg} from '../../../cli/arguments.ts'
import {BaseCommand} from '../../../cli/base-command.ts'
import {webhookEventView} from '../../../output/views/webhook-events.ts'
import {eventIn} from '../shared/events.ts'
import {recordingFlag, withRecording} from '../shared/recording.ts'

export default class WebhookEventsShow extends BaseCommand {
  static override summary = 'Show one recorded call: request, decision steps, answer and timing.'
  static override examples = ['<%= config.bin %> webhook events show e_01JD8…']
  static override args = {id: requiredArg('Id of the event')}
  static override flags = recordingFlag

  async run() {
    const {args, flags} = await this.parse(WebhookEventsShow)
    return withRecording(this.context, flags, async recording => {
      const found = eventIn(recording, args.id)
      await this.context.printer.data(found, webhookEventView)
      return found
    })
  }
}
