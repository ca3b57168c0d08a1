import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {linesOf, removalView} from './shared/removal-view.ts'
import {refuseOpenEffects, removalHere, removeHere} from './shared/remove-all.ts'

/** What a person types, or passes with --confirm. */
const ALL = 'all'

export default class DataRemove extends BaseCommand {
  static override summary =
    'Remove everything that cardctl keeps on this machine, before it is uninstalled, and show first what that is.'
  static override description =
    'Removes profiles with their secrets in the keyring, journals, the audit trail, the sandbox, recordings, the cache, and completion with its block in the start-up file of a shell. Is refused while a request or a row of a bulk job has an unknown effect, because only the journal knows of it. Stop servers of cardctl first. Files that cardctl did not write, folders of proposals, exports and backups stay. --yes is not enough: without a terminal, pass --confirm all. Of a live profile, a person has to agree at a terminal, too.'
  static override examples = [
    '<%= config.bin %> data remove --all --dry-run',
    '<%= config.bin %> data remove --all --confirm all',
  ]
  static override flags = {
    all: Flags.boolean({summary: 'Remove all of it. Required.'}),
    'dry-run': Flags.boolean({summary: 'Show what would be removed, and change nothing.'}),
    confirm: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: ALL,
      summary: 'Confirm it with the word all.',
    }),
  }

  async run() {
    const {flags} = await this.parse(DataRemove)
    const {printer} = this.context
    if (!flags.all) {
      throw new Failure('USAGE', {
        message: 'data remove removes everything, so it needs --all.',
        hint: advice`To remove a part, see the last column of ${cardctl('data', 'where')}`,
        effect: 'none',
      })
    }
    const removal = await removalHere(this.context)
    if (!flags['dry-run']) {
      refuseOpenEffects(this.context)
      await confirm(this.context, {
        place: {at: 'this machine'},
        action: 'remove everything that cardctl keeps',
        consequence: "This can't be undone. The audit trail goes too: export it first if somebody needs it.",
        details: linesOf(removal),
        demands: [{name: ALL, yes: false}],
        confirm: flags.confirm,
      })
      await removeHere(this.context, removal)
    }
    const result = {removed: !flags['dry-run'], ...removal}
    await printer.data(result, removalView)
    return result
  }
}
