import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import {commandLine} from '../../../cli/command-line.ts'
import {bodyFlags, type FlagValues, integerFlag, writeFlags} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {sameLine} from '../../../cli/guided/say-again.ts'
import {BODY} from '../../../cli/needs.ts'
import {operationCommand, type StepFlags} from '../../../cli/operation-command.ts'
import {noteUncounted, rowFileFlags} from '../../../cli/row-file-flags.ts'
import {keepMapping, withMapping} from '../../../cli/sheet/named-mapping.ts'
import {refuseSheetFlags, type SheetFlags} from '../../../cli/sheet/sheet-source.ts'
import {askingAgain} from '../../../cli/sheet/way-back.ts'
import {operations} from '../../../contract/operations.gen.ts'
import type {OperationId, ResponseTo} from '../../../contract/types.ts'
import {advice, type Hint} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Decimal} from '../../../money/decimal-sign.ts'
import {textAt} from '../../../output/fields.ts'
import type {ListView, View} from '../../../output/view.ts'
import type {Encoding} from '../../../rows/dialect.ts'
import {agreedLine} from './agreed-line.ts'
import {sentMeanwhile} from './ask-service.ts'
import {batchListView, batchView, itemsViewWith} from './batch-views.ts'
import {confirmTransfers, isAskedAbout} from './confirm.ts'
import {failedTransfers, refuseRetried} from './failed-transfers.ts'
import {findOutFirst} from './find-out-first.ts'
import {type BatchResponse, followBatches} from './follow-batches.ts'
import {nameNextOfBatch, nameNextOfBatches} from './next-step.ts'
import {chooseAgain, newOnes} from './only-new.ts'
import {type FailedTransfers, type Part, partsOf, retryMark} from './parts.ts'
import type {LineFor} from './parts-to-send.ts'
import {checkTransferPart, readTransfers, type Transfer} from './read-transfers.ts'
import type {Replaced} from './replaced-rows.ts'
import {ifCutOff, sayAccepted, sayIfCutOff} from './said-early.ts'
import {agreeOnSameRows, noteSameRows, sameRows} from './same-rows.ts'
import {askOf, noteSentEarlier, partsLeft, type SendBatch, sendPart, twiceSent} from './send-transfers.ts'
import {textsOfBatch} from './sent-texts.ts'
import type {WayOn} from './split-failure.ts'
import {readTransferFile} from './transfer-file.ts'
import {sheetFlags, transferFlags} from './transfer-flags.ts'
import {typedTransfer} from './typed-transfer.ts'
import {transfersIn} from './written-batch.ts'

/** An argument that can only be a file. Others may hold a secret, and are not quoted. */
const FILE_NAME = /^[^-].*\.(?:csv|tsv|xlsx|ndjson|jsonl)$/i

/** Maximum number of transfers in one batch. The service publishes no limit. */
const MOST_TRANSFERS = 10_000

export const transfersFlags = {
  from: Flags.string({
    helpValue: 'FILE|-',
    summary: 'Spreadsheet (CSV, TSV, XLSX) or NDJSON file with from, to, amount, currency and text.',
  }),
  transfer: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'from:to:amount:currency[:text]',
    summary: 'A transfer. Repeatable.',
  }),
  ...rowFileFlags,
  ...sheetFlags,
  description: Flags.string({summary: 'Description of the batch, at most 255 characters.'}),
  reference: Flags.boolean({
    allowNo: true,
    default: true,
    summary:
      'Append a reference and a digest of the rows to the description, so that the batch can be found again.',
  }),
  'batch-size': integerFlag({
    min: 1,
    default: MOST_TRANSFERS,
    summary: 'Maximum number of transfers per batch. More are sent as several batches.',
  }),
  'retry-failed': idFlag({
    of: 'a batch',
    helpValue: 'BATCH',
    summary: 'Send the failed transfers of this batch again, as a new batch. Each batch once.',
    exclusive: ['from', 'transfer', 'data', 'field', 'raw-field'],
  }),
  rest: Flags.boolean({
    summary: 'Send the batches of a split that were not sent yet.',
    exclusive: ['again'],
  }),
  ...transferFlags,
  ...bodyFlags,
  decimal: rowFileFlags.decimal,
  ...writeFlags,
}

/** Base of the commands that send transfers, or keep them to be sent later. */
export abstract class TransfersCommand extends operationCommand('a2a.create.v1') {
  static override readonly claims: readonly OperationId[] = []

  static override guide: Guide = {
    needs: [{anyOf: ['--transfer', '--from'], or: [...BODY, '--retry-failed']}],
    fields: {'--description': 'description', '--transfer': 'transfers'},
    sets: {'--from': 'transfers'},
    labels: {
      '--transfer': 'One transfer, typed here',
      '--from': 'A spreadsheet or NDJSON file with from, to, amount, currency and text',
    },
    partChecks: {'--transfer': checkTransferPart},
  }

  protected override async usageHint(): Promise<Hint | undefined> {
    const [file] = this.argv.filter(word => FILE_NAME.test(word))
    return file === undefined
      ? this.commandWords.includes('create')
        ? typedTransfer(this.argv)
        : undefined
      : advice`To send the transfers in a file, run: ${commandLine(['a2a', 'create', '--from', {value: file}], undefined)}`
  }

  protected async create(flags: TransfersFlags) {
    const operation = 'a2a.create.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    if (flags.from === undefined) refuseSheetFlags(flags, 'there is no --from')
    const {'retry-failed': batch, description} = flags
    const retry = batch === undefined ? undefined : await this.failed(batch)
    const read = retry === undefined ? await this.transfers(flags) : undefined
    const body = await this.body(operation, flags, {
      description:
        retry === undefined ? description : `${description ?? ''} ${retryMark(retry.batch)}`.trimStart(),
      transfers: retry?.transfers ?? read?.transfers,
    })
    await this.checkWhole({operation, body}, flags)
    if (flags['confirm-count'] === undefined) noteUncounted(this.context, flags.from, '--confirm-count')
    return this.sendRead(transfersIn(body), flags, retry, read?.replaced)
  }

  /** Sends what was read, or of that only what is new. */
  private async sendRead(
    written: {readonly transfers: readonly Transfer[]},
    flags: TransfersFlags,
    retry: FailedTransfers | undefined,
    replaced: Replaced | undefined,
    isChosen = false,
  ): Promise<BatchResponse[] | undefined> {
    const operation = 'a2a.create.v1'
    const onlyNew = flags['only-new']
      ? await newOnes(this.context, await this.client(), written.transfers, {
          retry,
          serviceCheck: flags['service-check'],
          isChosen,
        })
      : undefined
    const all = onlyNew === undefined ? written : {...written, transfers: onlyNew.left}
    const {'batch-size': size, reference} = flags
    const key = flags['idempotency-key'] ?? this.context.surroundings.newKey()
    const parts = partsOf(all, {size, key, reference, replaced})
    const calls = parts.map(part => ({operation, body: part.body}) as const)
    const batches = parts.map(({key, reference}) => ({key, reference}))
    const split = {again: flags.again, rest: flags.rest, batches}
    const isKept = flags.propose || flags.plan !== undefined
    if (isKept && retry !== undefined) refuseRetryKept(flags.propose ? 'propose' : 'plan')
    // The failed transfers of a batch were rows of their own already.
    const same = retry === undefined ? sameRows(all.transfers) : []
    this.warnIfUnhonoured(operations[operation], (await this.client()).target, flags)
    if (isKept) agreeOnSameRows(same, {given: flags['same-rows'], isAsked: this.context.interactive})
    if (await this.isPreview(calls, {...flags, 'idempotency-key': key}, split)) {
      noteSameRows(this.context, same)
      if (!flags.propose && !flags.again && !flags.rest)
        await noteSentEarlier(this.context, all.transfers, {after: retry?.request})
      return undefined
    }
    const {target, gate, refuseAlone} = await this.client()
    await gate(operation)
    await refuseAlone({operation, body: all})
    const {earlier, service, sought, ...sent} = await this.left(
      all.transfers,
      parts,
      {...flags, onlyNew, lineFor: this.lineFor(flags, written.transfers)},
      retry,
    )
    const {left} = sent
    const transfers = left.flatMap(part => part.transfers)
    if (flags.rest)
      this.context.printer.note(`${transfers.length} of ${all.transfers.length} transfers left to send`)
    const ways = {
      onlyNew: retry === undefined,
      retried: retry?.batch,
      isRest: flags.rest,
      whole: written.transfers,
    }
    const isAsked = isAskedAbout(this.context, flags)
    const lookAgain = await sentMeanwhile(this.context, await this.client(), left, {
      isAsked,
      again: flags.again,
      serviceCheck: flags['service-check'],
      retried: retry?.batch,
      ...service,
      ways,
      sought,
      // Of others, batches before this one may have sent the same for good reasons.
      looksAfter: onlyNew === undefined && retry === undefined,
    })
    // What is new was just looked up.
    const isKnown = flags.again || onlyNew !== undefined
    const ask = isKnown
      ? undefined
      : askOf(this.context, await this.client(), left, {
          serviceCheck: flags['service-check'],
          known: earlier,
          retried: retry?.batch,
          ...service,
          listed: lookAgain.listed ?? service.listed,
          ways,
        })
    const asked = isAsked ? await ask?.({isAsked}) : undefined
    const found = [...earlier, ...(asked?.earlier ?? [])]
    if (isAsked && found.length > 0) {
      const chosen = await chooseAgain(this.context, transfers, found)
      if (chosen === 'new')
        return this.sendRead(written, {...flags, 'only-new': true, rest: false}, retry, replaced, true)
    }
    await confirmTransfers(
      this.context,
      target,
      {
        transfers,
        parts: left,
        same,
        earlier,
        ways,
        whole: flags.rest || onlyNew !== undefined ? written.transfers : undefined,
        ask: asked === undefined ? ask : async () => asked,
      },
      flags,
    )
    await lookAgain.afterQuestion()
    const sending = {...sent, lookAgain}
    const made: ResponseTo<'a2a.create.v1'>[] = []
    sayIfCutOff(
      this.context,
      left,
      ifCutOff(this.context, flags.again ? undefined : String(this.lineAgain())),
    )
    for (const part of left) {
      const send: SendBatch = (body, options) =>
        this.request({operation, body}, flags, {
          ...options,
          isNewKey: flags['idempotency-key'] === undefined,
        })
      const outcome = await sendPart(
        this.context,
        part,
        sending,
        send,
        this.restLater(flags, written.transfers),
      ).catch((error: unknown) => this.failAfter(made, made.length === 0 ? error : partlySent(error)))
      this.reportRequest({operation, body: part.body}, outcome)
      sayAccepted(this.context, part, outcome)
      made.push(outcome.response.body as ResponseTo<'a2a.create.v1'>)
    }
    const twice = await twiceSent(sending)
    if (twice !== undefined) return this.failAfter(made, twice)
    return this.show(made, flags)
  }

  /** How what is left is sent. What is new is looked up each time. */
  private restLater(flags: TransfersFlags, whole: readonly Transfer[]): WayOn {
    const lineFor = this.lineFor(flags, whole)
    return ({part, failure, isUnsent, isRefused, left}) => {
      const isCorrected = isRefused && !isFixed(flags)
      const correct = isCorrected
        ? `Correct batch ${part.number} in the same file, as the service says, and send its rows in no other way. `
        : ''
      if (isUnsent) {
        if (this.saysNext(failure)) return ''
        return advice`${correct}Then run the same command again: ${this.lineAgain()}`
      }
      if (flags['only-new'])
        return advice`${correct}Then run the same command again: ${lineFor('--only-new', left)}`
      if (flags.again) return 'Then send what is left as a file of its own, with --again.'
      return isCorrected
        ? advice`${correct}Then send what is left, corrected or as it is: ${lineFor('--only-new', left)}`
        : advice`Then send what is left: ${lineFor('--rest', left)}`
    }
  }

  /** The line of this command that sends only what is left, and agrees to it. What is left of a whole is agreed to with that. */
  private lineFor(flags: TransfersFlags, whole: readonly Transfer[]): LineFor {
    return (wanted, left) => {
      const way = isFixed(flags) ? '--rest' : wanted
      const other = way === '--rest' ? '--only-new' : '--rest'
      const {argv: typed} = this.lineAgain()
      const {argv} = typed.includes(way) ? this.lineAgain() : this.lineAgain(way)
      const words = argv.filter(word => word !== other)
      return sameLine(this.context, agreedLine(this.context, words, left ?? whole))
    }
  }

  private async failed(batch: string): Promise<FailedTransfers> {
    return failedTransfers(this.context, await this.client(), batch)
  }

  /** The parts that are still to be sent. */
  private async left(
    transfers: readonly Transfer[],
    parts: readonly Part[],
    flags: Parameters<typeof partsLeft>[4],
    retry: FailedTransfers | undefined,
  ) {
    const client = await this.client()
    const found = await findOutFirst(this.context, client, () =>
      partsLeft(this.context, client, transfers, parts, flags, retry),
    )
    if (retry === undefined) return found
    const own = flags.rest ? await this.batchesOf(found.job) : []
    await refuseRetried(this.context, await this.client(), retry, new Set(own))
    return {...found, service: {listed: retry.listed}}
  }

  private async batchesOf(job: string): Promise<readonly (string | undefined)[]> {
    using journal = await this.context.stores.journal()
    return journal.requests.list({operation: 'a2a.create.v1', job}).map(({replyId}) => replyId)
  }

  private async show(
    made: readonly ResponseTo<'a2a.create.v1'>[],
    flags: {
      wait?: boolean | undefined
      'wait-timeout'?: number | undefined
      'show-change'?: boolean | undefined
    },
  ) {
    const batches: BatchResponse[] = [...made]
    if (flags.wait) {
      const ids = made.map(batch => textAt(batch, 'id'))
      const within = flags['wait-timeout']
      const failure = await followBatches(this.context, await this.client(), ids, batches, {within}).catch(
        (error: unknown) => this.failAfter(batches, error),
      )
      if (failure !== undefined) return this.failPartly(batches, failure)
    }
    if (flags['show-change']) return this.showAsRead(batches)
    await this.print(batches, batchView)
    const [only] = batches
    if (batches.length === 1) nameNextOfBatch(this.context, only)
    else nameNextOfBatches(this.context, batches)
    return batches
  }

  /** Prints the batches as a list, however many there are, so that a program reads one shape. People see a single one in full. */
  private async print(batches: readonly unknown[], single: View): Promise<void> {
    const view: ListView = batches.length === 1 ? ([only], context) => single(only, context) : batchListView
    await this.context.printer.list(batches, view)
  }

  /** Prints the batches that were made, whatever happens after that. */
  private async failAfter(made: readonly BatchResponse[], error: unknown): Promise<never> {
    if (made.length > 0) await this.print(made, batchView)
    throw error
  }

  /** Some transfers failed: a program reads all batches, also those without failures. */
  private async failPartly(batches: readonly BatchResponse[], failure: Failure): Promise<never> {
    // People have read on stderr what failed in a single batch.
    if (batches.length > 1 || this.context.outputOptions.format !== 'table')
      await this.print(batches, batchView)
    throw failure
  }

  /** For --show-change: before, none of it existed, so the change is the batches as the service now returns them. */
  private async showAsRead(batches: readonly unknown[]) {
    const client = await this.client()
    const read = []
    for (const made of batches)
      read.push(await client.call({operation: 'a2a.get.v1', path: {id: textAt(made, 'id')}}))
    const texts = read.length === 1 ? await textsOfBatch(this.context, read[0]) : new Map<string, string>()
    await this.print(read, itemsViewWith(texts))
    return read
  }

  private async transfers(
    flags: {
      from?: string | undefined
      transfer?: string[] | undefined
      decimal?: Decimal | undefined
      encoding?: Encoding | undefined
      'no-final-newline'?: boolean | undefined
      'no-check-input'?: boolean | undefined
    } & SheetFlags,
  ): Promise<{readonly transfers: readonly Transfer[]; readonly replaced: Replaced} | undefined> {
    if (flags.from === undefined && flags.transfer === undefined) return undefined
    const {from, transfer = [], encoding} = flags
    // The ids of another service are checked with the batch, as its dialect says.
    const unchecked = flags['no-check-input'] || (await this.target()).dialect !== undefined
    const {numbers} = this.context
    const cut = flags['no-final-newline']
    const said = withMapping(this.context, 'a2a.create.v1', flags)
    const {map, fill, sheet, mapping, 'save-mapping': saved, kept} = said
    const {'hidden-rows': hidden, 'marked-rows': marked} = said
    const asking = this.context.interactive
      ? askingAgain(this.context, (flag, value) => this.answered(flag, value))
      : undefined
    const ofSheet = {map, fill, sheet, mapping, 'save-mapping': saved, kept}
    const ofRows = {'hidden-rows': hidden, 'marked-rows': marked, 'no-final-newline': cut}
    const dialect = {encoding, ...ofSheet, ...ofRows}
    const {
      transfers: fromFile,
      notes,
      replaced,
      used,
    } = from === undefined
      ? {transfers: [], notes: [], replaced: new Map(), used: undefined}
      : await readTransferFile(
          from,
          this.context.surroundings,
          {
            ...dialect,
            'no-check-input': unchecked,
            'not-a-card-number': this.context.flags['not-a-card-number'],
            ...(await numbers.signs()),
          },
          asking,
        )
    if (notes.length > 0) this.context.printer.note(...notes)
    const all = [...fromFile, ...(await readTransfers(transfer, numbers, unchecked))]
    if (all.length === 0) throw new Failure('INPUT_INVALID', {message: `${flags.from} holds no transfer.`})
    await keepMapping(this.context, saved, 'a2a.create.v1', used)
    return {transfers: all, replaced}
  }
}

type TransfersFlags = FlagValues<typeof transfersFlags> &
  StepFlags & {
    readonly 'only-new'?: boolean
    readonly wait?: boolean | undefined
    readonly 'wait-timeout'?: number | undefined
  }

/** Its transfers, or its keys, stay as they are. */
const isFixed = (flags: TransfersFlags): boolean =>
  flags['retry-failed'] !== undefined || flags['idempotency-key'] !== undefined

/** Exit codes above are of signals. */
const MOST_OWN_EXIT = 128

/** A later batch of a split had no effect. The ones before it did, so the whole had one. */
function partlySent(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.effect !== 'none') return error
  // Who has stopped it wants to read that.
  if (error.exit > MOST_OWN_EXIT) return error.with({effect: 'done'})
  const {details, advice: hint} = error
  return new Failure('PARTLY_DONE', {
    ...details,
    hint,
    effect: 'done',
    repeatable: undefined,
    data: {failed: error.code, ...details.data},
  })
}

function refuseRetryKept(how: 'propose' | 'plan'): never {
  throw new Failure('USAGE', {
    message: `--retry-failed cannot be combined with ${how === 'plan' ? 'a plan' : '--propose'}.`,
    hint: advice`Save the failed transfers with ${cardctl('a2a', 'get', {value: 'BATCH'}, '--failed-to', {value: 'FILE'})}, and ${how} that file: ${how === 'plan' ? cardctl('a2a', 'plan', '--from', {value: 'FILE'}, '--out', {value: 'PLAN'}) : cardctl('a2a', 'create', '--from', {value: 'FILE'}, '--propose')}`,
    effect: 'none',
  })
}
