import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {bodyFlags, withFields, writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/views/changes.ts'

export default class PricelistsPatch extends operationCommand('pricelists.patch.v1') {
  static override summary = 'Change the code of a price list.'
  static override examples = ['<%= config.bin %> pricelists patch 5001 --code STANDARD-2027']
  static override args = {id: requiredArg('Id of the price list')}
  static override flags = {code: Flags.string({summary: 'New code.'}), ...bodyFlags, ...writeFlags}

  async run() {
    const {args, flags} = await this.parse(PricelistsPatch)
    const operation = 'pricelists.patch.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, withFields(flags, {code: 'code'}))
    return this.execute({operation, path: {id: args.id}, body}, flags, updateView('Price list'))
  }
}
