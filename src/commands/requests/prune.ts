import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {clockFlag, durationFlag, typedDuration} from '../../cli/flags.ts'
import {guardedTransfers, KEEP_MS, requestsReport} from '../../cli/retention.ts'
import {prunedView} from '../../output/changes.ts'

export default class RequestsPrune extends BaseCommand {
  static override summary = 'Remove old requests from the journal of a service.'
  static override description =
    'Keeps requests that are running or have an unknown effect. Also keeps requests of the last 24 hours, because their keys still prevent repeats, and transfers of the last 7 days, so that none is sent twice. The output says how many requests stay and why. cardctl also removes finished requests older than 90 days, a few each time it sends something. CARDCTL_KEEP changes the 90 days or turns this off.'
  static override examples = [
    '<%= config.bin %> requests prune --older-than 30d',
    {description: 'In a script', command: '<%= config.bin %> requests prune --older-than 30d --yes -o json'},
  ]
  static override flags = {
    ...clockFlag,
    'older-than': durationFlag({
      summary: `Remove requests older than this (default ${typedDuration(KEEP_MS)}).`,
      default: KEEP_MS,
    }),
    unresolved: Flags.boolean({summary: 'Also remove requests whose effect is unknown.'}),
  }

  async run() {
    const {flags} = await this.parse(RequestsPrune)
    using journal = await this.context.stores.journal()
    const before = this.context.surroundings.now() - flags['older-than']
    await confirm(this.context, {
      place: await this.context.service.place(),
      action: `remove the requests before ${this.context.when(before)} from the journal of this machine`,
      consequence: "After that you can't show, resolve or retry them. The service isn't asked.",
    })
    const {unresolved} = flags
    const pruned = journal.upkeep.prune({before, unresolved, guarded: guardedTransfers})
    const report = requestsReport(pruned, journal.upkeep.shrink())
    await this.context.printer.data(report, prunedView)
    return report
  }
}
