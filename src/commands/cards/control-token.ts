import {idArg} from '../../cli/arguments.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {controlTokenView} from './shared/views.ts'

export default class CardsControlToken extends operationCommand('cards.controlToken.v4') {
  static override summary = 'Get a token, valid for 30 seconds, to show card data in a browser or on a phone.'
  static override examples = [
    '<%= config.bin %> cards control-token 3001',
    '<%= config.bin %> cards control-token 3001 --query cardDataFrameUrl -o csv --no-header',
  ]
  static override args = {id: idArg('the card')}

  async run() {
    const {args, flags} = await this.parse(CardsControlToken)
    return this.execute(
      {operation: 'cards.controlToken.v4', path: {cardId: args.id}},
      flags,
      controlTokenView,
    )
  }
}
