import {BaseCommand} from '../../cli/base-command.ts'
import {type Client, openClient} from '../../cli/client/client.ts'
import {durationFlag, typedDuration} from '../../cli/flags.ts'
import {Failure} from '../../errors/failure.ts'
import {exitOf} from '../../errors/registry.ts'
import {batchListView, batchView} from './shared/batch-views.ts'
import {FOLLOW_WITHIN} from './shared/batches.ts'
import {failedFileFlags, proveFailedFile} from './shared/failed-file.ts'
import {type BatchResponse, followBatches} from './shared/follow-batches.ts'
import {batchArgs, batchesIn} from './shared/last-batch.ts'

export default class A2aWatch extends BaseCommand {
  static override summary =
    `Follow one or more batches to their ends. Exit ${exitOf('PARTLY_DONE')} if transfers failed, ${exitOf('ITEMS_IN_PROGRESS')} after --within.`
  static override examples = [
    '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:Rent',
    '<%= config.bin %> a2a watch 88001',
    '<%= config.bin %> a2a watch 88001 --within 1h',
    '<%= config.bin %> a2a watch 88001 88002',
  ]
  static override args = {id: batchArgs}
  static override flags = {
    within: durationFlag({
      summary: `How long to follow, in all (default ${typedDuration(FOLLOW_WITHIN)}).`,
    }),
    ...failedFileFlags,
  }

  async run() {
    const {args, flags} = await this.parse(A2aWatch)
    const failedTo = flags['failed-to']
    const given = [...new Set([args.id].flat())]
    refuseSeveral(failedTo, given)
    await proveFailedFile(failedTo)
    const client = await openClient(this.context, await this.context.service.target())
    try {
      const ids: string[] = []
      for (const id of given) ids.push(...(await batchesIn(this.context, id)))
      refuseSeveral(failedTo, ids)
      return await this.follow(client, [...new Set(ids)], {within: flags.within, failedTo, isForAll: true})
    } finally {
      await client.close()
    }
  }

  /** One is printed as it is, several as a list. */
  private async follow(client: Client, ids: readonly string[], options: Parameters<typeof followBatches>[4]) {
    const {printer, outputOptions} = this.context
    const batches: BatchResponse[] = []
    const isOne = ids.length === 1
    const list = () => printer.list(batches.filter(Boolean), batchListView)
    const failure = await followBatches(this.context, client, ids, batches, options).catch(async error => {
      if (!isOne) await list()
      throw error
    })
    const [only] = batches
    if (!isOne) await list()
    // People have read on stderr what failed; a program reads the batch.
    else if (failure === undefined || outputOptions.format !== 'table') await printer.data(only, batchView)
    if (failure !== undefined) throw failure
    return isOne ? only : batches
  }
}

/** @throws Failure USAGE */
function refuseSeveral(failedTo: string | undefined, ids: readonly string[]): void {
  if (failedTo === undefined || ids.length === 1) return
  throw new Failure('USAGE', {message: '--failed-to takes the failed transfers of one batch.'})
}
