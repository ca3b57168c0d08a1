import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {bodyFlags, flagFields, withFields, writeFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY} from '../../cli/needs.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/changes.ts'

const MEMBERS = {
  disable: 'disableReminderProcess',
  reminder1: 'reminder1TriggerDate',
  reminder2: 'reminder2TriggerDate',
  collection: 'collectionTriggerDate',
}

export default class AccountsReminder extends operationCommand('accounts.patchCreditReminder.v4') {
  static override summary = 'Change the reminder dates of a credit account.'
  static override examples = [
    '<%= config.bin %> accounts reminder 2001 --reminder1 2027-01-15',
    '<%= config.bin %> accounts reminder 2001 --disable',
  ]
  static override args = {id: idArg('the account')}
  static override flags = {
    disable: Flags.boolean({allowNo: true, summary: 'Turn reminders off, or on again (--no-disable).'}),
    reminder1: Flags.string({helpValue: 'DATE', summary: 'Date of the first reminder; null clears it.'}),
    reminder2: Flags.string({helpValue: 'DATE', summary: 'Date of the second reminder; null clears it.'}),
    collection: Flags.string({helpValue: 'DATE', summary: 'Date of collection; null clears it.'}),
    ...bodyFlags,
    ...writeFlags,
  }

  static override guide: Guide = {
    needs: [{anyOf: Object.keys(MEMBERS).map(name => `--${name}`), or: BODY, several: true}],
    fields: flagFields(MEMBERS),
  }

  async run() {
    const {args, flags} = await this.parse(AccountsReminder)
    const operation = 'accounts.patchCreditReminder.v4'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, withFields(flags, MEMBERS))
    return this.execute({operation, path: {id: args.id}, body}, flags, updateView('Account'))
  }
}
