import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {bodyFlags, confirmFlags, type FlagValues, withFields, writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/views/changes.ts'
import {choosePatch, PATCHES, typeFlags} from './shared/account-type.ts'

const MEMBERS = {status: 'status', 'credit-limit': 'creditLimit', name: 'name', reason: 'reason'}

export default class AccountsPatch extends operationCommand(...PATCHES) {
  static override summary = 'Change fields of an account. Other fields stay as they are.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 5000 --status ACCOUNT_OK',
    '<%= config.bin %> accounts patch 2005 --type MULTICURR_EUR_FI -F externalBalanceCheck=true',
    '<%= config.bin %> accounts patch 2001 --type credit --skeleton > change.json',
    '<%= config.bin %> accounts patch 2001 --type credit --data @change.json --dry-run',
  ]
  static override args = {id: requiredArg('Id of the account')}
  static override flags = {
    ...typeFlags,
    'api-version': Flags.option({
      options: ['v3', 'v4'] as const,
      summary: 'v3 is deprecated and takes no type.',
    })(),
    status: Flags.string({summary: 'New status, for example ACCOUNT_BLOCKED.'}),
    'credit-limit': Flags.string({summary: 'New credit limit, for credit accounts.'}),
    name: Flags.string({summary: 'New name; null clears it.'}),
    reason: Flags.string({summary: 'Reason for the status change; null clears it.'}),
    ...bodyFlags,
    ...writeFlags,
    ...confirmFlags,
  }

  async run() {
    const {args, flags} = await this.parse(AccountsPatch)
    const {operation, path} = chooseOperation(args.id, flags)
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, withFields(flags, MEMBERS))
    return this.execute({operation, path, body}, flags, updateView('Account'))
  }
}

type ChoiceFlags = FlagValues<typeof AccountsPatch.flags>

const chooseOperation = (id: string, flags: ChoiceFlags) =>
  flags['api-version'] === 'v3'
    ? ({operation: 'accounts.patch.v3', path: {id}} as const)
    : choosePatch(id, flags)
