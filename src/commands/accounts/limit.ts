import {idArg, requiredArg} from '../../cli/arguments.ts'
import {decimalFlag} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {nameNext} from '../../cli/next-step.ts'
import {typedNumber} from '../../money/decimal-sign.ts'
import {AccountChange, accountFlags, accountGuide} from './shared/account-change.ts'

const CARD_LIMITS =
  'a card has limits of its own for a day, a week or a month, which nothing changes here; the lower one applies'

export default class AccountsLimit extends AccountChange {
  static override summary = 'Set the credit limit of an account.'
  static override description =
    'The amount is in the currency of the account: 5000, or 5000.00. The output shows the limit that cardctl last sent before, if it did. A card has limits of its own, for a day, a week or a month, and the lower one applies: cards get shows them, and nothing changes them here. To take the change back, run requests undo.'
  static override examples = [
    '<%= config.bin %> accounts limit 2001 5000 --type credit',
    '<%= config.bin %> accounts limit 2001 7500.50 --type credit --dry-run',
  ]
  static override args = {
    id: idArg('the account'),
    amount: requiredArg(
      'New credit limit, for example 5000 or 5000.00; a card has limits of its own, which cards get shows',
    ),
  }
  static override flags = {...accountFlags, ...decimalFlag}

  static override guide: Guide = {
    ...accountGuide('creditLimit'),
    labels: {'--type': 'Type of the account; debit and prepaid ones have no credit limit'},
    checks: {amount: (text, signs) => typedNumber(text, 'The limit', signs)},
  }

  async run() {
    const {args, flags} = await this.parse(AccountsLimit)
    const creditLimit = await this.context.numbers.amount(args.amount, 'AMOUNT')
    const response = await this.change(args.id, flags, {creditLimit})
    if (response !== undefined) nameNext(this.context, CARD_LIMITS, 'cards', 'get', {value: 'CARD'})
    return response
  }
}
