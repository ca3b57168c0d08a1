import {idArg} from '../../cli/arguments.ts'
import {AccountChange, accountFlags, accountGuide, reasonFlag} from './shared/account-change.ts'

export default class AccountsBlock extends AccountChange {
  static override summary = 'Block an account (status ACCOUNT_BLOCKED).'
  static override examples = [
    '<%= config.bin %> accounts block 2001 --type credit',
    '<%= config.bin %> accounts block 2001 --type credit --reason "Reported by the customer"',
  ]
  static override args = {id: idArg('the account')}
  static override flags = {...reasonFlag, ...accountFlags}
  static override guide = accountGuide('status')

  async run() {
    const {args, flags} = await this.parse(AccountsBlock)
    return this.change(args.id, flags, {status: 'ACCOUNT_BLOCKED'})
  }
}
