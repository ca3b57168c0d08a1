import {requiredArg} from '../../cli/arguments.ts'
import {bodyFlags, writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/views/update.ts'

export default class AccountsReminder extends operationCommand('accounts.patchCreditReminder.v4') {
  static override summary = 'Change the reminder dates of a credit account.'
  static override examples = [
    '<%= config.bin %> accounts reminder 2001 -F reminder1TriggerDate=2027-01-15',
    '<%= config.bin %> accounts reminder 2001 -F disableReminderProcess=true',
  ]
  static override args = {id: requiredArg('Id of the account')}
  static override flags = {...bodyFlags, ...writeFlags}

  async run() {
    const {args, flags} = await this.parse(AccountsReminder)
    const operation = 'accounts.patchCreditReminder.v4'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, flags)
    return this.execute({operation, path: {id: args.id}, body}, flags, updateView('Account'))
  }
}
