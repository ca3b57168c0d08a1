import {requiredArg} from '../../cli/arguments.ts'
import {decimalFlag} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {typedNumber} from '../../money/decimal-sign.ts'
import {AccountChange, accountFlags, accountGuide} from './shared/account-change.ts'

export default class AccountsLimit extends AccountChange {
  static override summary = 'Set the credit limit of an account.'
  static override description =
    'The amount is in the currency of the account: 5000, or 5000.00. The output shows the limit that cardctl last sent before, if it did. To take the change back, run requests undo.'
  static override examples = [
    '<%= config.bin %> accounts limit 2001 5000 --type credit',
    '<%= config.bin %> accounts limit 2001 7500.50 --type credit --dry-run',
  ]
  static override args = {
    id: requiredArg('Id of the account'),
    amount: requiredArg('New credit limit, for example 5000 or 5000.00'),
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
    return this.change(args.id, flags, {creditLimit})
  }
}
