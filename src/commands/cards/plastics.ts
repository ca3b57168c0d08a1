import {idArg} from '../../cli/arguments.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {plasticsView} from './shared/views.ts'

export default class CardsPlastics extends operationCommand('cards.plastics.v3') {
  static override summary = 'List the plastics of a card.'
  static override examples = ['<%= config.bin %> cards plastics 3001']
  static override args = {id: idArg('the card')}

  async run() {
    const {args, flags} = await this.parse(CardsPlastics)
    return this.execute({operation: 'cards.plastics.v3', path: {id: args.id}}, flags, plasticsView)
  }
}
