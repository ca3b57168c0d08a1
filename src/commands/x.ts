import type {Input} from '@oclif/core/interfaces'
import {BaseCommand} from '../cli/base-command.ts'
import {failureFrom} from '../cli/failure-from.ts'
import {
  allowV2Flags,
  bodyFlags,
  confirmFlags,
  operationFlags,
  pagingFlags,
  proposeFlags,
  purposeFlags,
  watchFlags,
  writeFlags,
} from '../cli/flags.ts'
import type {Guide} from '../cli/guided/guide.ts'
import {operationCommand} from '../cli/operation-command.ts'
import {saveFlag} from '../cli/save-response.ts'
import {Failure} from '../errors/failure.ts'
import {chosenView} from '../output/generic.ts'
import type {TransferAnswers} from './a2a/shared/transfer-flags.ts'
import {asTransfers} from './a2a/shared/written-batch.ts'
import {splitLine} from './x/shared/command-words.ts'
import {type Contracts, findOperation, openContracts, withoutDue} from './x/shared/contracts.ts'
import {contractFlag, guideOf, inputOf} from './x/shared/flags.ts'
import {importedHelp} from './x/shared/help.ts'
import {listOperations, listTags} from './x/shared/listing.ts'
import {operationsView} from './x/shared/operations-view.ts'
import {type ImportedFlags, runImported} from './x/shared/run.ts'

export default class X extends operationCommand() {
  static override summary = 'Run an operation of an imported contract.'
  static override description =
    'Without arguments, lists the tags of the contracts. With a tag, lists its commands. Add --help to a command to see its arguments and flags. To import a contract, run contract import.'
  static override examples = [
    '<%= config.bin %> contract import billing.yaml --name billing',
    '<%= config.bin %> x',
    '<%= config.bin %> x invoices',
    '<%= config.bin %> x invoices get-invoice 17 -o json --dry-run',
    '<%= config.bin %> x invoices create-invoice -F customerId=1001 -F amount=12.50 --dry-run',
  ]
  static readonly describe = (...of: Parameters<typeof importedHelp>) => importedHelp(...of)
  static override strict = false
  // The document decides which of these flags a command has, and which of its own.
  static override flags = {
    ...contractFlag,
    ...bodyFlags,
    'idempotency-key': writeFlags['idempotency-key'],
    ...proposeFlags,
    ...confirmFlags,
    ...allowV2Flags,
    ...pagingFlags,
    ...saveFlag,
  }

  #operation: readonly string[] = []
  #guide: Guide = {}

  protected override get guide(): Guide {
    return this.#guide
  }

  protected override get commandWords(): readonly string[] {
    return [...super.commandWords, ...this.#operation]
  }

  async run() {
    const {tag, operation: name, profile, contract, rest} = splitLine(this.argv)
    const contracts = await openContracts(this.contextWith(profile), contract)
    try {
      return tag === undefined || name === undefined
        ? await this.list(contracts, tag, rest)
        : await this.call(contracts, tag, name, {profile, rest})
    } finally {
      for (const opened of contracts.opened) opened.close()
    }
  }

  /** The contract was chosen before the flags were parsed. Both must have read the same profile. */
  private refuseOtherProfile(chosen: string | undefined): void {
    if (this.context.flags.profile === chosen) return
    throw new Failure('USAGE', {
      message:
        'The profile is named in a way that is read differently before and after the command is known.',
      hint: 'Write --profile NAME after the command.',
      effect: 'none',
    })
  }

  private async list(contracts: Contracts, tag: string | undefined, rest: string[]) {
    await this.parse({flags: contractFlag, baseFlags: BaseCommand.baseFlags}, rest)
    const {printer} = this.context
    if (tag === undefined) {
      return printer.list(listTags(contracts), chosenView(['tag', 'operations', 'description']))
    }
    return printer.list(listOperations(contracts, tag), operationsView)
  }

  private async call(
    contracts: Contracts,
    tag: string,
    name: string,
    {profile, rest}: {readonly profile: string | undefined; readonly rest: string[]},
  ) {
    const {operation, ...place} = findOperation(contracts, tag, name)
    const stored = await this.contextWith(profile).service.profiles.stored({profile})
    const found = {...place, operation: withoutDue(operation, stored)}
    this.#operation = [tag, name]
    const input = await inputOf(found.operation, found.contract)
    this.#guide = guideOf(found.operation)
    const recorded = found.operation.effect === 'read' ? watchFlags : purposeFlags
    const baseFlags = {...BaseCommand.baseFlags, ...operationFlags, ...recorded}
    const options = {...input, baseFlags} as Input<
      Record<string, unknown>,
      Record<string, unknown>,
      Record<string, unknown>
    >
    const parsed = await this.parse(options, rest).catch((error: Error) => {
      const flags = {...baseFlags, ...input.flags}
      throw failureFrom(error, {name: `x ${tag} ${name}`, args: input.args, flags})
    })
    this.refuseOtherProfile(profile)
    return runImported(
      this.context,
      {
        request: (call, flags, more) =>
          this.requestOf(call, flags, {
            ...asTransfers(this.context, () => this.client(), call, flags as TransferAnswers),
            ...more,
          }),
        here: async (call, {'no-check-input': uncheckedInput}) => {
          const {origin, path} = await (await this.client()).build(call, {uncheckedInput})
          return new URL(origin + path.split('?', 1)[0])
        },
        isPreview: (call, flags) => this.isPreviewOf([call], flags),
        repeat: (everyMs, read, view) => this.repeat(everyMs, read, view),
      },
      found,
      parsed as {args: Record<string, unknown>; flags: ImportedFlags},
    )
  }
}
