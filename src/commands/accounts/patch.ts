import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {
  bodyFlags,
  confirmFlags,
  type FlagValues,
  flagFields,
  withFields,
  writeFlags,
} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY} from '../../cli/needs.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {Failure} from '../../errors/failure.ts'
import {updateView} from '../../output/changes.ts'
import {
  choosePatch,
  knownType,
  multicurrencySegments,
  PATCHES,
  typeFlags,
  typeWords,
} from './shared/account-type.ts'
import {withKnownRest} from './shared/known-rest.ts'
import {askOtherType, segmentsGrouped, typesWith, withOtherTypes} from './shared/other-types.ts'

const MEMBERS = {status: 'status', 'credit-limit': 'creditLimit', name: 'name', reason: 'reason'}

/** What chooses the operation. */
const CHOICES = ['--type', '--segment', '--api-version'] as const

export default class AccountsPatch extends operationCommand(...PATCHES) {
  static override summary = 'Change fields of an account. Other fields stay as they are.'
  static override description =
    `Segments of multicurrency accounts that --type takes: ${multicurrencySegments().join(', ')}.`
  static override examples = [
    '<%= config.bin %> accounts patch 2001 --type credit --credit-limit 6000',
    '<%= config.bin %> accounts patch 2001 --type credit --status ACCOUNT_BLOCKED --reason "Card lost"',
    '<%= config.bin %> accounts patch 2005 --type MULTICURR_EUR_FI -F externalBalanceCheck=true',
    {
      description: 'A file with all fields, to fill in and send',
      command: '<%= config.bin %> accounts patch 2001 --type credit --skeleton > change.json',
    },
  ]
  static override args = {id: idArg('the account')}
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

  static override guide: Guide = {
    needs: [
      {anyOf: ['--type'], or: CHOICES},
      {anyOf: Object.keys(MEMBERS).map(name => `--${name}`), or: BODY, several: true},
    ],
    known: async (context, given) => {
      const id = given.get('id')
      if (id === undefined || CHOICES.some(name => given.has(name))) return undefined
      const known = await knownType(context, String(id))
      if (known === undefined) return undefined
      const words = known.segment === undefined ? ['--type', known.type] : ['--segment', known.segment]
      return {words, from: typeWords(String(id), known)}
    },
    fields: flagFields(MEMBERS),
    choices: {'--type': dialect => typesWith([], dialect)},
    grouped: segmentsGrouped,
    labels: {'--type': 'Type of the account'},
    likeOperation: PATCHES[0],
    operation: given => {
      if (given.get('--api-version') === 'v3') return 'accounts.patch.v3'
      const [type, segment] = ['--type', '--segment'].map(name => given.get(name) as string | undefined)
      return type === undefined && segment === undefined
        ? undefined
        : choosePatch('', {type, segment}).operation
    },
  }

  async run() {
    const {args, flags} = await this.parse(AccountsPatch)
    if (flags.skeleton) return this.printSkeleton(chooseOperation(args.id, flags).operation)
    const tried: string[] = []
    for (let choice: ChoiceFlags = flags; ; ) {
      const {operation, path} = chooseOperation(args.id, choice)
      const body = await this.body(operation, withFields(flags, MEMBERS))
      try {
        return await this.execute({operation, path, body}, flags, updateView('Account'))
      } catch (error) {
        const rest = await withKnownRest(this.context, error, {operation, path, body})
        if (rest !== undefined) throw rest
        const {dialect} = await this.target()
        const fields = Object.keys(body ?? {})
        tried.push(choice.segment ?? choice.type ?? '')
        const types =
          operation === 'accounts.patch.v3' || flags.data === '-' ? [] : await typesWith(fields, dialect)
        const next = await askOtherType(this.context, args.id, error, {tried, types, fields})
        if (next === undefined) throw await withOtherTypes(this.context, args.id, error, {operation, fields})
        this.answered('--type', next)
        choice = {type: next}
      }
    }
  }
}

type ChoiceFlags = Partial<Pick<FlagValues<typeof AccountsPatch.flags>, 'api-version' | 'type' | 'segment'>>

/** @throws Failure USAGE without a type, or for one with v3 */
function chooseOperation(id: string, flags: ChoiceFlags) {
  if (flags['api-version'] !== 'v3') return choosePatch(id, flags)
  const given = flags.segment === undefined ? '--type' : '--segment'
  if (flags.type !== undefined || flags.segment !== undefined)
    throw new Failure('USAGE', {
      message: `--api-version v3 takes no ${given}.`,
      hint: 'Leave out one of them.',
    })
  return {operation: 'accounts.patch.v3', path: {id}} as const
}
