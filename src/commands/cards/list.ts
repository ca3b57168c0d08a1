import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {exactlyOne} from '../../cli/base-command.ts'
import {pagingFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {cardListView} from '../../output/views/cards.ts'

export default class CardsList extends operationCommand(
  'cards.listByCustomer.v4',
  'cards.listByAccount.v4',
  'cards.listByCustomer.v3',
  'cards.listByAccount.v3',
) {
  static override summary = 'List the cards of a customer or an account.'
  static override examples = [
    '<%= config.bin %> cards list --customer 1003',
    '<%= config.bin %> cards list --account 2001 --all -o ndjson',
    `<%= config.bin %> cards list --customer 1003 --query "[?status=='CARD_OK'].id" -o csv --no-header`,
  ]
  static override flags = {
    customer: idFlag({summary: 'Id of the customer.', exclusive: ['account']}),
    account: idFlag({summary: 'Id of the account.'}),
    'api-version': Flags.option({
      options: ['v3', 'v4'] as const,
      default: 'v4',
      summary: 'v3 is deprecated.',
    })(),
    ...pagingFlags,
  }

  async run() {
    const {flags} = await this.parse(CardsList)
    const version = flags['api-version']
    if (exactlyOne(flags, ['customer', 'account']) === 'customer') {
      const path = {customerId: flags.customer ?? ''}
      return this.executeList({operation: `cards.listByCustomer.${version}`, path}, flags, cardListView)
    }
    const path = {accountId: flags.account ?? ''}
    return this.executeList({operation: `cards.listByAccount.${version}`, path}, flags, cardListView)
  }
}
