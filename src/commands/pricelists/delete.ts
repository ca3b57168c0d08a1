import {idArg} from '../../cli/arguments.ts'
import {changeFlag, confirmFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {deleteView} from '../../output/changes.ts'

export default class PricelistsDelete extends operationCommand('pricelists.delete.v1') {
  static override summary = 'Delete a price list and its inactive periods.'
  static override examples = [
    {
      description: 'A list can be deleted if it has no active period',
      command: '<%= config.bin %> pricelists delete 5002 --confirm 5002',
    },
  ]
  static override args = {id: idArg('the price list')}
  static override flags = {...changeFlag, ...confirmFlags}

  async run() {
    const {args, flags} = await this.parse(PricelistsDelete)
    return this.execute(
      {operation: 'pricelists.delete.v1', path: {id: args.id}},
      flags,
      deleteView('Price list'),
    )
  }
}
