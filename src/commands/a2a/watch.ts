import {BaseCommand} from '../../cli/base-command.ts'
import {openClient} from '../../cli/client/client.ts'
import {durationFlag, typedDuration} from '../../cli/flags.ts'
import {exitOf} from '../../errors/registry.ts'
import {batchView} from './shared/batch-views.ts'
import {FOLLOW_WITHIN, followBatch} from './shared/batches.ts'
import {failedFileFlags, proveFailedFile} from './shared/failed-file.ts'
import {batchArg, batchIn} from './shared/last-batch.ts'

export default class A2aWatch extends BaseCommand {
  static override summary =
    `Follow a batch to its end. Exit ${exitOf('PARTLY_DONE')} if transfers failed, ${exitOf('ITEMS_IN_PROGRESS')} after --within.`
  static override examples = [
    '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:Rent',
    '<%= config.bin %> a2a watch 88001',
    '<%= config.bin %> a2a watch 88001 --within 1h',
  ]
  static override args = {id: batchArg}
  static override flags = {
    within: durationFlag({
      summary: `How long to follow the batch (default ${typedDuration(FOLLOW_WITHIN)}).`,
    }),
    ...failedFileFlags,
  }

  async run() {
    const {args, flags} = await this.parse(A2aWatch)
    const failedTo = flags['failed-to']
    await proveFailedFile(failedTo)
    const client = await openClient(this.context, await this.context.service.target())
    try {
      const {batch, failure} = await followBatch(this.context, client, await batchIn(this.context, args.id), {
        within: flags.within,
        failedTo,
      })
      // People have read on stderr what failed; a program reads the batch.
      if (failure === undefined || this.context.outputOptions.format !== 'table')
        await this.context.printer.data(batch, batchView)
      if (failure !== undefined) throw failure
      return batch
    } finally {
      await client.close()
    }
  }
}
