import * as Flags from '@oclif/core/flags'
import {referenceOf, referred} from '../../cli/batch-reference.ts'
import {followBatch} from '../../cli/batches.ts'
import {bodyFlags, durationFlag, writeFlags} from '../../cli/flags.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {parseTransfer, readTransferFile, type Transfer} from '../../cli/transfers.ts'
import type {Reply} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {sumByCurrency} from '../../money/index.ts'
import {batchView} from '../../output/views/a2a.ts'

export default class A2aCreate extends operationCommand('a2a.create.v1') {
  static override summary = 'Send account-to-account transfers as one batch.'
  static override examples = [
    '<%= config.bin %> a2a create --transfer 2006:2007:12.50:EUR:rent --wait',
    '<%= config.bin %> a2a create --from transfers.csv --description "Rent, May" --yes',
    'cat transfers.ndjson | <%= config.bin %> a2a create --from - --yes',
  ]
  static override flags = {
    from: Flags.string({
      helpValue: 'FILE|-',
      summary: 'A CSV or NDJSON file: from, to, amount, currency, text.',
    }),
    transfer: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'from:to:amount:currency[:text]',
      summary: 'One transfer; repeatable.',
    }),
    description: Flags.string({summary: 'What the batch is for, at most 255 characters.'}),
    reference: Flags.boolean({
      allowNo: true,
      default: true,
      summary: 'Put a reference behind the description, by which requests resolve finds the batch.',
    }),
    wait: Flags.boolean({summary: 'Follow the batch to its end; exit 11 if transfers failed.'}),
    'wait-timeout': durationFlag({summary: 'How long to follow it (default 10m).', dependsOn: ['wait']}),
    ...bodyFlags,
    ...writeFlags,
  }

  async run() {
    const {flags} = await this.parse(A2aCreate)
    const operation = 'a2a.create.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const transfers = await this.transfers(flags)
    const key = flags['idempotency-key'] ?? this.context.surroundings.newKey()
    const given = await this.body(operation, flags, {description: flags.description, transfers})
    const reference = flags.reference ? referenceOf(key) : undefined
    const body = reference === undefined ? given : referred(given, reference)
    const call = {operation, body} as const
    const keyed = {...flags, 'idempotency-key': key}
    if (await this.isPreview([call], keyed)) return undefined
    await this.confirmTotals(body)
    const sent = await this.request(call, keyed, {trace: {reference}})
    this.tellRequest(call, sent)
    const created = sent.answer.body as Reply<typeof operation>
    const batch = flags.wait
      ? await followBatch(this.context, await this.client(), created.id, flags['wait-timeout'])
      : created
    await this.context.printer.data(batch, batchView)
    return batch
  }

  private async transfers(flags: {
    from?: string | undefined
    transfer?: string[] | undefined
  }): Promise<Transfer[] | undefined> {
    if (flags.from === undefined && flags.transfer === undefined) return undefined
    const fromFile =
      flags.from === undefined ? [] : await readTransferFile(flags.from, this.context.surroundings)
    const all = [...fromFile, ...(flags.transfer ?? []).map(parseTransfer)]
    if (all.length === 0) throw new Failure('INPUT_INVALID', {message: `${flags.from} holds no transfer.`})
    return all
  }

  /** Money moves at once and can't be called back, so count and totals are shown before anything is sent. */
  private async confirmTotals(body: unknown): Promise<void> {
    const transfers = (body as {transfers?: unknown} | undefined)?.transfers
    if (!Array.isArray(transfers)) {
      throw new Failure('USAGE', {
        message: 'There are no transfers.',
        hint: 'Add --from FILE, --transfer or --data.',
      })
    }
    const totals = sumByCurrency(transfers as Transfer[])
    const count = `${transfers.length} ${transfers.length === 1 ? 'transfer' : 'transfers'}`
    this.context.printer.note(
      `${count}: ${totals.map(({currency, text}) => `${currency} ${text}`).join(', ')}`,
    )
    await this.context.confirmYes('Send them?')
  }
}
