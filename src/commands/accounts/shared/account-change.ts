import * as Flags from '@oclif/core/flags'
import {confirmFlags, withFields, writeFlags} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {operationCommand, type StepFlags} from '../../../cli/operation-command.ts'
import {givesFile} from '../../../cli/rows-hint.ts'
import type {OperationId} from '../../../contract/types.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import type {SuggestedCommand} from '../../../errors/suggested-command.ts'
import {updateView} from '../../../output/changes.ts'
import {rowsInstead} from '../../bulk/shared/part-of-another.ts'
import {
  type AccountType,
  ADD_TYPE,
  choosePatch,
  type KnownType,
  knownType,
  PATCHES,
  typeFlags,
  typeOf,
  typeWords,
} from './account-type.ts'
import {
  askOtherType,
  askType,
  lackOf,
  limitsInstead,
  segmentsGrouped,
  typesWith,
  withOtherTypes,
} from './other-types.ts'

/** The flags of a command that changes one thing of an account. */
export const accountFlags = {...typeFlags, ...writeFlags, ...confirmFlags}

export const reasonFlag = {reason: Flags.string({summary: 'Reason for the change; null clears it.'})}

/** What a command is asked for that changes these fields: the type of the account, unless the journal has it. */
export const accountGuide = (...fields: readonly string[]): Guide => ({
  unlessKnown: {
    anyOf: ['--type'],
    or: ['--segment'],
    isKnown: async (context, given) => (await knownType(context, String(given.get('id')))) !== undefined,
  },
  choices: {'--type': dialect => typesWith(fields, dialect)},
  grouped: segmentsGrouped,
  labels: {'--type': 'Type of the account'},
  likeOperation: PATCHES[0],
})

/** Base of the plain commands that change an account. They reuse the operations of `accounts patch`, which claims them. */
export abstract class AccountChange extends operationCommand(...PATCHES) {
  static override readonly claims: readonly OperationId[] = []
  /** The command whose operations it sends: rows are read as those of that command. */
  static readonly sendsAs = ['accounts', 'patch'] as const

  /** `accounts block --from FILE`: what one account at a time is done to, rows do to many. */
  protected override async usageHint(): Promise<Hint | undefined> {
    return givesFile(this.argv) ? rowsInstead(this.commandWords.join(' ')) : undefined
  }

  /** Sends new values of fields, to the operation of the account's type. */
  protected async change(
    id: string,
    flags: StepFlags & AccountType & {readonly reason?: string | undefined},
    fields: Readonly<Record<string, unknown>>,
  ) {
    const tried: string[] = []
    for (let type: AccountType | KnownType = await this.typeOf(id, flags, Object.keys(fields)); ; ) {
      const {operation, path} = choosePatch(id, type)
      if (flags['no-check-input'] !== true) await this.refuseWithoutFields(id, type, Object.keys(fields))
      // As a field of accounts patch, the reason is checked for credentials.
      const body = await this.body(operation, withFields(flags, {reason: 'reason'}), fields)
      try {
        return await this.execute({operation, path, body}, flags, updateView('Account'))
      } catch (error) {
        const {dialect} = await this.target()
        // The service accepted this type before, so it refuses something else.
        if ('from' in type) throw error
        tried.push(type.segment ?? type.type ?? '')
        const types = await typesWith(Object.keys(fields), dialect)
        const sent = Object.keys(body ?? {})
        const next = await askOtherType(this.context, id, error, {tried, types, fields: sent})
        const again = (other: string) => this.lineWithType(other)
        if (next === undefined)
          throw await withOtherTypes(this.context, id, error, {operation, fields: sent, again})
        this.answered('--type', next)
        type = {type: next}
      }
    }
  }

  /** The fields are the command's own, so no field that a person typed is named. @throws Failure CONTRACT_VIOLATION */
  private async refuseWithoutFields(id: string, type: AccountType, fields: readonly string[]): Promise<void> {
    const lack = await lackOf(type, fields)
    if (lack === undefined) return
    const hint = advice`${limitsInstead(this.context, id, type)}. If the account is of another type, pass that with --type.`
    throw new Failure('CONTRACT_VIOLATION', {message: `${lack} Nothing was changed.`, hint, effect: 'none'})
  }

  /** The line that was typed, with another type. */
  private lineWithType(type: string): SuggestedCommand {
    const typed = this.argv.filter(
      (word, at) =>
        !/^--(?:type|segment)(?:=|$)/.test(word) && !/^--(?:type|segment)$/.test(this.argv[at - 1] ?? ''),
    )
    return this.context.typedLine([...(this.id ?? '').split(':'), ...typed, '--type', type])
  }

  /** The type that the user gave, or the one of an earlier change in the journal, or the user's answer. */
  private async typeOf(
    id: string,
    {type, segment}: AccountType,
    fields: readonly string[],
  ): Promise<AccountType | KnownType> {
    if (type !== undefined || segment !== undefined) return {type, segment}
    using journal = await this.context.stores.journal()
    const known = typeOf(journal, id)
    if (known !== undefined) {
      this.context.printer.note(typeWords(id, known))
      return known
    }
    const {dialect} = await this.target()
    const offered = await typesWith(fields, dialect)
    if (!this.context.interactive) {
      throw new Failure('USAGE', {
        message: `The type of account ${id} is missing: the service does not tell it.`,
        hint: dialect === undefined ? ADD_TYPE : `Add --type ${offered.join(' or ')}.`,
      })
    }
    const question = `Type of account ${id}`
    const chosen = (await askType(this.context, id, question, {types: offered, fields})) ?? ''
    this.answered('--type', chosen)
    return {type: chosen}
  }
}
