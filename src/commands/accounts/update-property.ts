import {idArg, requiredArg} from '../../cli/arguments.ts'
import {bodyFlags, confirmFlags, writeFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/changes.ts'

export default class AccountsUpdateProperty extends operationCommand('accounts.updateProperty.v3') {
  static override summary = 'Change one property of an account (deprecated).'
  static override examples = [
    '<%= config.bin %> accounts update-property 2001 DELETE_ADDRESS',
    '<%= config.bin %> accounts update-property 2001 WRITE_OFF --confirm WRITE_OFF',
  ]
  static override args = {
    id: idArg('the account'),
    property: requiredArg('Property, e.g. DELETE_ADDRESS or WRITE_OFF'),
  }
  static override flags = {...bodyFlags, ...writeFlags, ...confirmFlags}

  static override guide: Guide = {fields: {property: 'path:propertyToUpdate'}}

  async run() {
    const {args, flags} = await this.parse(AccountsUpdateProperty)
    const operation = 'accounts.updateProperty.v3'
    if (flags.skeleton) return this.printSkeleton(operation)
    // The contract check refuses an unknown property by name; --no-check-input sends it anyway.
    const path = {id: args.id, propertyToUpdate: args.property as 'WRITE_OFF'}
    const body = await this.body(operation, flags)
    return this.execute({operation, path, body}, flags, updateView('Account'))
  }
}
