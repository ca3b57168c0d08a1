import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {resource} from '../../contract/resource.ts'
import type {Failure} from '../../errors/failure.ts'
import {exitOf} from '../../errors/registry.ts'
import {genericView} from '../../output/generic.ts'
import {type Belonging, readBelonging, withBelonging} from '../history/shared/belonging.ts'
import {erasePerson, refuseKept} from './shared/erase-person.ts'

const idFlag = (kind: string) =>
  Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'ID',
    summary: `Erase what belongs to this ${kind}. Repeatable.`,
  })

const KINDS = ['customer', 'card', 'account'] as const

export default class DataErase extends BaseCommand {
  static override summary =
    'Erase what this machine keeps about a customer, card or account, and show first what that is.'
  static override description =
    `Removes ids, names, contents, notes, error texts and names of files from the requests and finished bulk jobs of the service of the profile, and recorded calls with these ids. What prevents a second effect stays: idempotency keys, fingerprints, effects and times. Unfinished requests and jobs stay and are named, with exit ${exitOf('PARTLY_DONE')}. The cards of a customer and the plastics of a card are read from the service; --local takes only what the journal knows. The audit trail keeps its entries, because it is sealed: the result has their number, and a mark says who erased, when, what kind and how many. Proposals and shared bulk jobs stay, too. On a live profile, confirm each id with --confirm.`
  static override examples = [
    '<%= config.bin %> data erase --card 3001 --dry-run',
    '<%= config.bin %> data erase --customer 1001 --account 2001',
  ]
  static override guide: Guide = {
    needs: [{anyOf: ['--customer', '--card', '--account'], several: true}],
  }

  static override flags = {
    customer: idFlag('customer'),
    card: idFlag('card'),
    account: idFlag('account'),
    local: Flags.boolean({summary: 'Use only what the journal knows. Send no request.'}),
    'dry-run': Flags.boolean({summary: 'Show what would be erased, and change nothing.'}),
    confirm: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID',
      summary: 'Confirm an id. Needed on a live profile, where --yes is not enough. Repeatable.',
    }),
  }

  async run() {
    const {flags} = await this.parse(DataErase)
    const named = KINDS.flatMap(kind => (flags[kind] ?? []).map(id => resource(kind, id)))
    using journal = await this.context.stores.journal()
    const resources = new Set<string>(named)
    let unread: Failure | undefined
    for (const one of named) {
      const found: Belonging = flags.local
        ? {resources: withBelonging(journal, [one])}
        : await readBelonging(this.context, journal, one, {owners: false})
      for (const each of found.resources) resources.add(each)
      unread ??= found.incomplete
    }
    const result = await erasePerson(this.context, journal, {
      named,
      resources: [...resources],
      dryRun: flags['dry-run'] ?? false,
      confirm: flags.confirm ?? [],
    })
    await this.context.printer.data(result, genericView)
    if (!flags['dry-run']) refuseKept(result)
    // Records of a card that nobody knows to be the person's may still be here.
    if (unread !== undefined) throw unread
    return result
  }
}
