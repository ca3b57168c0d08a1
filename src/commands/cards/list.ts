import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../cli/arguments.ts'
import {pagingFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {textAt} from '../../output/fields.ts'
import {type ListView, sentence} from '../../output/view.ts'
import {AccountsOfCards} from '../accounts/shared/blocked-account.ts'
import {LastFour, lastFourFlag} from './shared/last-four.ts'
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
    '<%= config.bin %> cards list --customer 1003 --last4 1019',
    '<%= config.bin %> cards list --customer 1003 --status CARD_BLOCKED --status SUSPECTED_FRAUD',
    `<%= config.bin %> cards list --customer 1003 --query "[?status=='CARD_OK'].id" -o csv --no-header`,
  ]
  static override flags = {
    customer: idFlag({of: 'a customer', summary: 'Id of the customer.', exclusive: ['account']}),
    account: idFlag({of: 'an account', summary: 'Id of the account.'}),
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
    last4: lastFourFlag({
      summary:
        'Only cards whose number ends in these 4 digits. As with --status, cardctl reads all pages and chooses from them.',
    }),
    ...pagingFlags,
  }

  static override guide: Guide = {needs: [{anyOf: ['--customer', '--account'], only: true}]}

  async run() {
    const {flags} = await this.parse(CardsList)
    const version = flags['api-version']
    const {status: wanted, last4} = flags
    const ending = last4 === undefined ? undefined : new LastFour(last4)
    const hasStatus = (card: unknown) => !wanted || wanted.some(status => status === textAt(card, 'status'))
    const isFiltered = wanted !== undefined || ending !== undefined
    const keep = isFiltered ? (card: unknown) => hasStatus(card) && ending?.isOf(card) !== false : undefined
    const accounts = new AccountsOfCards(this.context)
    const through = (cards: AsyncIterable<unknown>) => accounts.through(cards, flags.watch !== undefined)
    const call =
      flags.customer !== undefined
        ? ({operation: `cards.listByCustomer.${version}`, path: {customerId: flags.customer ?? ''}} as const)
        : ({operation: `cards.listByAccount.${version}`, path: {accountId: flags.account ?? ''}} as const)
    const all = cardsOnAccounts(card => accounts.of(card))
    const view: ListView = (cards, context) =>
      cards.length === 0 && isFiltered ? sentence(noneOf(flags), context) : all(cards, context)
    try {
      const cards = await this.executeList(call, flags, view, {keep, through})
      ending?.refuseUntold()
      return cards
    } finally {
      await accounts.tell()
    }
  }
}

/** All pages were read, and none of their cards is meant. */
const noneOf = ({customer, account, status = [], last4}: Chosen): string =>
  `No card of ${customer === undefined ? `account ${account}` : `customer ${customer}`} ${[
    ...(status.length === 0 ? [] : [`has status ${status.join(' or ')}`]),
    ...(last4 === undefined ? [] : [`has a number that ends in ${last4}`]),
  ].join(' and ')}.`

interface Chosen {
  readonly customer?: string | undefined
  readonly account?: string | undefined
  readonly status?: readonly string[] | undefined
  readonly last4?: string | undefined
}
