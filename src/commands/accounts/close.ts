import {idArg} from '../../cli/arguments.ts'
import {AccountChange, accountFlags, accountGuide, reasonFlag} from './shared/account-change.ts'

export default class AccountsClose extends AccountChange {
  static override summary = 'Close an account for good (status ACCOUNT_TO_CLOSE).'
  static override examples = [
    '<%= config.bin %> accounts close 2001 --type credit --confirm ACCOUNT_TO_CLOSE',
    '<%= config.bin %> accounts close 2001 --type credit --confirm ACCOUNT_TO_CLOSE --reason "Customer left"',
  ]
  static override args = {id: idArg('the account')}
  static override flags = {...reasonFlag, ...accountFlags}
  static override guide = accountGuide('status')

  async run() {
    const {args, flags} = await this.parse(AccountsClose)
    return this.change(args.id, flags, {status: 'ACCOUNT_TO_CLOSE'})
  }
}
