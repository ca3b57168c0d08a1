import {idArg} from '../../../cli/arguments.ts'
import {changeFlag, confirmFlags} from '../../../cli/flags.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {deleteView} from '../../../output/changes.ts'

export default class PricelistsPeriodDelete extends operationCommand('pricelists.deletePeriod.v1') {
  static override summary = 'Delete a period that has not started.'
  static override examples = ['<%= config.bin %> pricelists period delete 6003 --confirm 6003']
  static override args = {id: idArg('the period')}
  static override flags = {...changeFlag, ...confirmFlags}

  async run() {
    const {args, flags} = await this.parse(PricelistsPeriodDelete)
    return this.execute(
      {operation: 'pricelists.deletePeriod.v1', path: {id: args.id}},
      flags,
      deleteView('Price list period'),
    )
  }
}
