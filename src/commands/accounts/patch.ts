import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {bodyFlags, confirmFlags, type FlagValues, withFields, writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {operations} from '../../contract/operations.gen.ts'
import {Failure} from '../../errors/failure.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {updateView} from '../../output/views/changes.ts'

const BY_TYPE = {
  credit: 'accounts.patchCredit.v4',
  debit: 'accounts.patchDebit.v4',
  prepaid: 'accounts.patchPrepaid.v4',
  fleet: 'accounts.patchFleet.v4',
} as const

const MEMBERS = {status: 'status', 'credit-limit': 'creditLimit', name: 'name', reason: 'reason'}

const isSingleCurrency = (type: string): type is keyof typeof BY_TYPE => type in BY_TYPE

export default class AccountsPatch extends operationCommand(
  'accounts.patchCredit.v4',
  'accounts.patchDebit.v4',
  'accounts.patchPrepaid.v4',
  'accounts.patchFleet.v4',
  'accounts.patchMulticurrency.v4',
  'accounts.patch.v3',
) {
  static override summary = 'Change fields of an account. Other fields stay as they are.'
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 5000 --status ACCOUNT_OK',
    '<%= config.bin %> accounts patch 2005 --type MULTICURR_EUR_FI -F externalBalanceCheck=true',
    '<%= config.bin %> accounts patch 2001 --type credit --skeleton > change.json',
    '<%= config.bin %> accounts patch 2001 --type credit --data @change.json --dry-run',
  ]
  static override args = {id: requiredArg('Id of the account')}
  static override flags = {
    type: Flags.string({
      summary:
        'Type: credit, debit, prepaid, fleet, or a multicurrency segment, for example MULTICURR_EUR_FI.',
      exclusive: ['segment', 'api-version'],
    }),
    segment: Flags.string({
      summary: 'Multicurrency segment that cardctl does not know yet.',
      exclusive: ['api-version'],
    }),
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

function chooseOperation(id: string, flags: ChoiceFlags) {
  if (flags['api-version'] === 'v3') return {operation: 'accounts.patch.v3', path: {id}} as const
  const type = flags.segment ?? flags.type
  if (type === undefined) {
    throw new Failure('USAGE', {
      message: 'The type of the account is missing.',
      hint: 'Add --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>.',
    })
  }
  if (flags.segment === undefined && isSingleCurrency(type.toLowerCase())) {
    return {operation: BY_TYPE[type.toLowerCase() as keyof typeof BY_TYPE], path: {id}} as const
  }
  const path = {id, multiCurr: flags.segment ?? knownSegment(type)}
  return {operation: 'accounts.patchMulticurrency.v4', path} as const
}

/**
 * The service may have segments that the contract doesn't list, but a mistyped name is more likely. `--segment` names
 * the first one.
 */
function knownSegment(type: string): string {
  const {multiCurr} = operations['accounts.patchMulticurrency.v4'].known
  const segment = multiCurr.find(name => name === type.toUpperCase())
  if (segment !== undefined) return segment
  const meant = nearestName(type, [...Object.keys(BY_TYPE), ...multiCurr])
  throw new Failure('USAGE', {
    message: `Unknown type of account.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Pass --type credit, debit, prepaid, fleet or MULTICURR_<currency>_<country>. For any other, pass --segment.',
  })
}
