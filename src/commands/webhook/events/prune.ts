import {BaseCommand} from '../../../cli/base-command.ts'
import {confirm} from '../../../cli/confirm.ts'
import {clockFlag, durationFlag} from '../../../cli/flags.ts'
import {BY_CLOCK} from '../../../cli/retention.ts'
import {prunedView} from '../../../output/changes.ts'
import {recordingFlag, withRecording} from '../shared/recording.ts'

export default class WebhookEventsPrune extends BaseCommand {
  static override summary = 'Remove old calls from the recording for good.'
  static override description =
    'webhook serve removes calls older than its --keep (30 days). A removed call that comes again is decided again, unless a running server remembers its answer.'
  static override examples = ['<%= config.bin %> webhook events prune --older-than 7d']
  static override flags = {
    'older-than': durationFlag({
      required: true,
      helpValue: '30d',
      summary: 'Age of the calls to remove; 0s for all.',
    }),
    ...clockFlag,
    ...recordingFlag,
  }

  async run() {
    const {flags} = await this.parse(WebhookEventsPrune)
    const before = this.context.surroundings.now() - flags['older-than']
    return withRecording(this.context, flags, async recording => {
      await confirm(this.context, {
        place: {at: 'Recording of this machine'},
        action: `remove the calls before ${this.context.when(before)}`,
        consequence: "This can't be undone, and such a call is decided again when it comes again.",
      })
      const {clock} = this.context.stores
      clock.needed()
      const isBelieved = clock.isBelieved(() => recording.newest())
      const removed = isBelieved ? await recording.prune(before, this.context.surroundings.now()) : 0
      const count = recording.count()
      const why = isBelieved ? `they came after ${this.context.when(before)}` : BY_CLOCK
      const kept = count === 0 ? [] : [{count, why}]
      const report = {what: 'calls', removed, kept, freedBytes: recording.shrink()}
      await this.context.printer.data(report, prunedView)
      return report
    })
  }
}
