import {idArg} from '../../cli/arguments.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {AccountChange, accountFlags, accountGuide, reasonFlag} from './shared/account-change.ts'
import {blockedHere} from './shared/blocked-account.ts'

export default class AccountsUnblock extends AccountChange {
  static override summary = 'Unblock an account (status ACCOUNT_OK).'
  static override examples = [
    '<%= config.bin %> accounts unblock 2001 --type credit',
    '<%= config.bin %> accounts unblock 2001 --type credit --dry-run',
  ]
  static override args = {id: idArg('the account')}
  static override flags = {...reasonFlag, ...accountFlags}
  static override guide: Guide = {...accountGuide('status'), first: {id: blockedHere}}

  async run() {
    const {args, flags} = await this.parse(AccountsUnblock)
    return this.change(args.id, flags, {status: 'ACCOUNT_OK'})
  }
}
