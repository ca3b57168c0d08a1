import * as Flags from '@oclif/core/flags'
import {durationFlag, typedDuration} from '../../cli/flags.ts'
import type {OperationId} from '../../contract/types.ts'
import {exitOf} from '../../errors/registry.ts'
import {FOLLOW_WITHIN} from './shared/batches.ts'
import {TransfersCommand, transfersFlags} from './shared/transfers-command.ts'

export default class A2aCreate extends TransfersCommand {
  static override readonly claims: readonly OperationId[] = ['a2a.create.v1']
  static override tellsIfUnsent = 'writes' as const
  static override summary = 'Send account-to-account transfers as one batch.'
  static override description =
    `In a pipeline, keep the data folder (CARDCTL_DATA_DIR): its journal refuses transfers that were sent already, with exit ${exitOf('ALREADY_SENT')}, and --rest sends the batches that are left. What another machine has sent is looked up in the batches of the service, which may not show the newest. There is no --job-key as in bulk run, because the service documents no idempotency key for this operation. If your service honours keys here (setting idempotency: all), pass the same --idempotency-key with the same file: then all batches have the same keys and contents on every machine.`
  static override examples = [
    '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:Rent --wait',
    '<%= config.bin %> a2a create --from transfers.csv --description "Rent, May" --yes',
    {
      description: '11: account 2008 is closed. Send the failed transfers of a batch again',
      command: '<%= config.bin %> a2a create --transfer 2006:2008:5:EUR --wait',
    },
    '<%= config.bin %> a2a create --retry-failed 88003',
    {
      description: 'Outside a terminal, name the profile',
      command: 'cat transfers.ndjson | <%= config.bin %> a2a create --from - --yes -p sandbox',
    },
  ]
  static override flags = {
    ...transfersFlags,
    'only-new': Flags.boolean({
      summary: 'Leave out the transfers that were sent in the last 7 days and did not fail.',
      description:
        'Rows of the file that were changed after they were sent are named, and a person decides. Batches that were sent from other machines are not compared for such changes: there, a changed row counts as new.',
      exclusive: ['again', 'rest', 'retry-failed', 'idempotency-key', 'dry-run', 'curl', 'plan', 'propose'],
    }),
    wait: Flags.boolean({
      summary: `Follow the batch to its end. Exit ${exitOf('PARTLY_DONE')} if transfers failed.`,
    }),
    'wait-timeout': durationFlag({
      summary: `How long to follow the batch (default ${typedDuration(FOLLOW_WITHIN)}).`,
      dependsOn: ['wait'],
    }),
  }

  async run() {
    const {flags} = await this.parse(A2aCreate)
    return this.create(flags)
  }
}
