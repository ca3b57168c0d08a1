import * as Flags from '@oclif/core/flags'
import {integerFlag} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {printRows} from '../../cli/print-rows.ts'
import type {ResponseTo} from '../../contract/types.ts'
import {listAt, numberAt} from '../../output/fields.ts'
import type {View} from '../../output/view.ts'
import {itemsViewWith} from './shared/batch-views.ts'
import {failedFileFlags, proveFailedFile} from './shared/failed-file.ts'
import {writeFailedTransfers} from './shared/failed-transfers.ts'
import {batchArg, batchIn} from './shared/last-batch.ts'
import {nameNextOfBatch} from './shared/next-step.ts'
import {textsOfBatch} from './shared/sent-texts.ts'
import {wholeBatch} from './shared/whole-batch.ts'

export default class A2aGet extends operationCommand('a2a.get.v1') {
  static override summary = 'Show a batch with its transfers.'
  static override description =
    'The service does not return the texts of transfers. For people, they are shown as this machine sent them: all for 24 hours, and later those of batches with up to 20 transfers. For the texts as data, see report batch.'
  static override examples = [
    '<%= config.bin %> a2a get 88000',
    '<%= config.bin %> a2a get 88000 --all -o json',
  ]
  static override args = {id: batchArg}
  static override flags = {
    all: Flags.boolean({summary: 'Show all transfers. Fetches as many pages as needed.'}),
    ...failedFileFlags,
    'page-size': integerFlag({min: 1, summary: 'Number of transfers per request.'}),
  }

  async run() {
    const {args, flags} = await this.parse(A2aGet)
    const size = flags['page-size']
    const id = await batchIn(this.context, args.id)
    const call = {
      operation: 'a2a.get.v1',
      path: {id},
      query: size === undefined ? {} : {size},
    } as const
    if (await this.isPreview([call], flags)) return undefined
    const failedTo = flags['failed-to']
    await proveFailedFile(failedTo)
    const isWhole = flags.all || failedTo !== undefined
    const read = async ({paced = false} = {}) =>
      isWhole
        ? wholeBatch(await this.client(), id, size, {paced})
        : ((await this.request(call, flags, {paced})).response.body as ResponseTo<'a2a.get.v1'>)
    const view: View = async (read, context) =>
      itemsViewWith(await textsOfBatch(this.context, read))(read, context)
    if (flags.watch !== undefined) return this.repeat(flags.watch, () => read({paced: true}), view)
    const batch = await read()
    if (failedTo !== undefined) {
      await writeFailedTransfers(this.context, await this.client(), failedTo, batch)
    }
    const {printer, outputOptions} = this.context
    const rows = listAt(batch, 'transfers.items')
    await printRows(this.context, batch, rows, view)
    const missing = (numberAt(batch, 'transferItemCount') ?? rows.length) - rows.length
    // The view says so itself.
    if (missing > 0 && outputOptions.format === 'csv')
      printer.note(`There is more: --all for all ${missing + rows.length} transfers.`)
    if (failedTo === undefined) nameNextOfBatch(this.context, batch)
    return batch
  }
}
