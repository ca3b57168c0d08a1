import {operationCommand} from '../../cli/operation-command.ts'
import {batchView} from './shared/batch-views.ts'
import {batchArg, batchIn} from './shared/last-batch.ts'
import {nameNextOfBatch} from './shared/next-step.ts'

export default class A2aStatus extends operationCommand('a2a.status.v1') {
  static override summary = 'Show the progress of a batch.'
  static override examples = [
    '<%= config.bin %> a2a status 88000',
    '<%= config.bin %> a2a status 88000 --query status -o json',
  ]
  static override args = {id: batchArg}

  async run() {
    const {args, flags} = await this.parse(A2aStatus)
    const id = await batchIn(this.context, args.id)
    const batch = await this.execute({operation: 'a2a.status.v1', path: {id}}, flags, batchView)
    nameNextOfBatch(this.context, batch)
    return batch
  }
}
