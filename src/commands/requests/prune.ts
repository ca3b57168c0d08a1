import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {confirm} from '../../cli/confirm.ts'
import {durationFlag} from '../../cli/flags.ts'
import {genericView} from '../../output/views/generic.ts'

const DAY = 86_400_000

export default class RequestsPrune extends BaseCommand {
  static override summary =
    'Remove old requests from the journal of a service; those whose end is unknown stay.'
  static override examples = ['<%= config.bin %> requests prune --older-than 90d']
  static override flags = {
    'older-than': durationFlag({summary: 'Requests older than this (default 90d).', default: 90 * DAY}),
    unresolved: Flags.boolean({summary: 'Also those whose end is unknown.'}),
  }

  async run() {
    const {flags} = await this.parse(RequestsPrune)
    using journal = await this.context.journal()
    const before = this.context.surroundings.now() - flags['older-than']
    await confirm(this.context, {
      place: await this.context.place(),
      action: `remove the requests before ${this.context.when(before)} from the journal of this machine`,
      consequence: "They can't be shown, resolved or sent again any more. The service isn't asked.",
    })
    const pruned = journal.prune({before, unresolved: flags.unresolved})
    await this.context.printer.data(pruned, genericView)
    return pruned
  }
}
