import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {clockFlag, durationFlag, typedDuration} from '../../cli/flags.ts'
import {jobsReport, KEEP_MS} from '../../cli/retention.ts'
import {prunedView} from '../../output/changes.ts'
import {withSharedJobs} from './shared/with-jobs.ts'

export default class BulkPrune extends BaseCommand {
  static override summary = 'Remove old bulk jobs with their rows and responses.'
  static override description =
    'Keeps jobs with rows that are left or have an unknown effect, and jobs of the last 24 hours. The output says how many jobs stay and why. The age of a job counts from when it was last run or resumed. cardctl also removes jobs older than 90 days, a few rows each time it sends something. CARDCTL_KEEP changes the 90 days or turns this off.'
  static override examples = [
    '<%= config.bin %> bulk prune --older-than 30d',
    {description: 'In a script', command: '<%= config.bin %> bulk prune --older-than 30d --yes -o json'},
  ]
  static override flags = {
    ...clockFlag,
    'older-than': durationFlag({
      summary: `Remove jobs older than this (default ${typedDuration(KEEP_MS)}).`,
      default: KEEP_MS,
    }),
    shared: Flags.boolean({summary: 'Remove shared jobs from the database of the team.'}),
  }

  async run() {
    const {flags} = await this.parse(BulkPrune)
    const before = this.context.surroundings.now() - flags['older-than']
    await confirm(this.context, {
      place: await this.context.service.place(),
      action: `remove the bulk jobs before ${this.context.when(before)} from ${flags.shared ? 'the database of the team' : 'the journal of this machine'}`,
      consequence: "After that you can't see their rows and responses. The service isn't asked.",
    })
    const report = await (flags.shared ? this.pruneShared(flags['older-than']) : this.pruneLocal(before))
    await this.context.printer.data(report, prunedView)
    return report
  }

  private async pruneLocal(before: number) {
    using journal = await this.context.stores.journal()
    return jobsReport(journal.upkeep.pruneJobs(before), journal.upkeep.shrink())
  }

  /** The database has its own clock, so it gets an age. */
  private pruneShared(ageMs: number) {
    return withSharedJobs(this.context, async store => jobsReport(await store.prune(ageMs), 0))
  }
}
