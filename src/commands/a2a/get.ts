import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {integerFlag} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {batchItemsView} from '../../output/views/a2a.ts'
import {wholeBatch} from './shared/batches.ts'

export default class A2aGet extends operationCommand('a2a.get.v1') {
  static override summary = 'Show a batch with its transfers.'
  static override examples = [
    '<%= config.bin %> a2a get 8001',
    '<%= config.bin %> a2a get 8001 --all -o json',
  ]
  static override args = {id: requiredArg('Id of the batch')}
  static override flags = {
    all: Flags.boolean({summary: 'Show all transfers. Fetches as many pages as needed.'}),
    'page-size': integerFlag({min: 1, summary: 'Number of transfers per request.'}),
  }

  async run() {
    const {args, flags} = await this.parse(A2aGet)
    const size = flags['page-size']
    const call = {
      operation: 'a2a.get.v1',
      path: {id: args.id},
      query: size === undefined ? {} : {size},
    } as const
    if (!flags.all) return this.execute(call, flags, batchItemsView)
    if (await this.isPreview([call], flags)) return undefined
    const batch = await wholeBatch(await this.client(), args.id, size)
    await this.context.printer.data(batch, batchItemsView)
    return batch
  }
}
