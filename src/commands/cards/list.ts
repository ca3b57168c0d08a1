import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {pagingFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {textAt} from '../../output/fields.ts'
import {AccountsOfCards} from '../accounts/shared/blocked-account.ts'
import {cardsOnAccounts} from './shared/views.ts'

/** The contract's; a test compares them. */
const STATUSES = [
  'CARD_OK',
  'CARD_BLOCKED',
  'SUSPECTED_FRAUD',
  'CARD_NO_RENEWAL',
  'CARD_CLOSED_DUE_TO_FRAUD',
  'CARD_LOST',
  'CARD_STOLEN',
  'CARD_CLOSED',
  'CARD_EXPIRED',
] as const

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
    '<%= config.bin %> cards list --customer 1003 --status CARD_BLOCKED --status SUSPECTED_FRAUD',
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
    status: Flags.option({
      options: STATUSES,
      multiple: true,
      multipleNonGreedy: true,
      summary:
        'Only cards with this status. Repeatable. The service has no such filter, so cardctl reads all pages and chooses from them.',
    })(),
    ...pagingFlags,
  }

  static override guide: Guide = {needs: [{anyOf: ['--customer', '--account'], only: true}]}

  async run() {
    const {flags} = await this.parse(CardsList)
    const version = flags['api-version']
    const {status: wanted} = flags
    const keep = wanted && ((card: unknown) => wanted.some(status => status === textAt(card, 'status')))
    const accounts = new AccountsOfCards(this.context)
    const through = (cards: AsyncIterable<unknown>) => accounts.through(cards, flags.watch !== undefined)
    const call =
      flags.customer !== undefined
        ? ({operation: `cards.listByCustomer.${version}`, path: {customerId: flags.customer ?? ''}} as const)
        : ({operation: `cards.listByAccount.${version}`, path: {accountId: flags.account ?? ''}} as const)
    try {
      return await this.executeList(
        call,
        flags,
        cardsOnAccounts(card => accounts.of(card)),
        {keep, through},
      )
    } finally {
      await accounts.tell()
    }
  }
}
