import type {ArgInput, FlagInput, Input, OutputArgs, OutputFlags, ParserOutput} from '@oclif/core/interfaces'
import {type AnyInput, honoursKey, leavesRecord, type Operation, takesKey} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {requestSchema} from '../contract/schema.ts'
import type {ItemOf, OperationId, ResponseTo} from '../contract/types.ts'
import {Failure} from '../errors/failure.ts'
import type {SuggestedCommand} from '../errors/suggested-command.ts'
import {viewWithSentFields} from '../output/changes.ts'
import type {ListView, View} from '../output/index.ts'
import {replayedView} from '../output/requests.ts'
import type {Target} from '../profiles/target.ts'
import {BaseCommand} from './base-command.ts'
import {type BodyFlags, readBody} from './body.ts'
import {isHeldBack} from './caller.ts'
import {refuseUnsafeBatch} from './check-input.ts'
import {type Client, openClient} from './client/client.ts'
import {type Call, type CommandCall, type Outcome, type RequestOptions, toCall} from './client/options.ts'
import type {EmbeddedOptions} from './embedded-sandbox.ts'
import {inFlags} from './flag-names.ts'
import {
  operationFlags,
  proposeFlags,
  purposeFlags,
  type SomeFlagValues,
  watchFlags,
  type writeFlags,
} from './flags.ts'
import type {Guide} from './guided/guide.ts'
import {withLastFour} from './last-four-hint.ts'
import {isForProgram} from './list-length.ts'
import {offeredSkeleton} from './offered-skeleton.ts'
import {otherKind} from './other-kind-hint.ts'
import {chosenItems, type FetchPage, firstPage, type PageFlags, pagedItems} from './pages.ts'
import {planRequests} from './plan-requests.ts'
import {printCurl, printDryRun} from './preview.ts'
import {moreThan, printPages, watchedPages} from './print-pages.ts'
import type {KeptTransfers} from './proposal-content.ts'
import {propose} from './propose.ts'
import {withSecretsMarked} from './refuse-secrets.ts'
import {sentFields} from './sent-fields.ts'
import {reportNoRead} from './show-change.ts'
import {checkWatch, type Looked, refuseWatch, watchRead, withWatchTime} from './watch-read.ts'

/** The flags that control one request; a command may lack some of them. */
export type StepFlags = BodyFlags &
  SomeFlagValues<
    Omit<typeof operationFlags, 'audit-user' | 'strict'> & typeof writeFlags & typeof proposeFlags
  > & {
    readonly confirm?: string | readonly string[] | undefined
    readonly 'allow-v2'?: boolean | undefined
    readonly watch?: number | undefined
    /** The file that the requests come from. */
    readonly from?: string | undefined
  }

interface ListOptions {
  readonly keep?: ((item: unknown) => boolean) | undefined
  readonly through?: (items: AsyncIterable<unknown>) => AsyncIterable<unknown>
}

/**
 * The base class of a command that claims operations of the contract. Path, deprecation, effect, idempotency and types
 * come from the contract, so a command repeats none of them.
 */
export function operationCommand<const Ids extends readonly OperationId[]>(...ids: Ids) {
  type Id = Ids[number]
  const [first] = ids
  // Without ids the command sends any operation.
  const isRecorded = first === undefined || ids.some(id => leavesRecord(operations[id]))
  const effects = new Set(ids.map(id => operations[id].effect))
  const isRead = effects.size === 1 && effects.has('read')
  // Which operations a command without ids sends, it knows itself.
  const mayWrite = effects.has('write') || effects.has('destroy')
  abstract class OperationCommand extends BaseCommand {
    /** The operations that only this command sends. */
    static readonly claims: readonly OperationId[] = ids
    static override summary = first === undefined ? '' : operations[first].summary
    static override baseFlags = {
      ...BaseCommand.baseFlags,
      ...operationFlags,
      ...(isRecorded ? purposeFlags : ({} as typeof purposeFlags)),
      ...(mayWrite ? proposeFlags : ({} as typeof proposeFlags)),
      ...(isRead ? watchFlags : ({} as typeof watchFlags)),
    }

    protected override async parse<
      F extends OutputFlags<FlagInput>,
      B extends OutputFlags<FlagInput>,
      A extends OutputArgs<ArgInput>,
    >(options?: Input<F, B, A>, argv: string[] = this.argv): Promise<ParserOutput<F, B, A>> {
      if (!argv.some(word => /^--watch(=|$)/.test(word))) {
        const parsed = await super.parse(options, argv)
        this.context.stores.keepOpen()
        return parsed
      }
      if (!isRead && first !== undefined) refuseWatch(effects)
      const parsed = await super.parse(options, withWatchTime(argv))
      checkWatch(this.context, (parsed.flags as StepFlags).watch)
      return parsed
    }

    /** Repeats a read until Ctrl-C, and shows what changed. */
    protected async repeat<Result>(
      everyMs: number,
      read: () => Looked<Result>,
      view: View<Result> | ListView,
    ): Promise<undefined> {
      this.endsAtInterrupt = true
      await watchRead(this.context, everyMs, read, view)
      return undefined
    }

    /**
     * Sends one call and prints the response. With --dry-run or --curl, prints the request and sends nothing; with
     * --propose or --plan, keeps it for a second person or in a file.
     */
    protected async execute<Each extends Id>(
      call: CommandCall<Each>,
      flags: StepFlags,
      view: View | ListView,
      options: RequestOptions = {},
    ): Promise<ResponseTo<Each> | undefined> {
      if (await this.isPreview([call], flags)) return undefined
      if (flags.watch !== undefined) {
        const read = async () => (await this.request(call, flags, {...options, paced: true})).response.body
        return this.repeat(flags.watch, read, view)
      }
      const sent = await this.request(call, flags, options).catch(this.showAsItCame)
      const body = sent.response.body
      // Where the contract says list, the response is one: that was proved when it was read.
      const responseView = this.withSentFields(toCall(call), view as View, sent.before)
      const shownView = sent.replayed === true ? replayedView : responseView
      await this.context.printer.data(body, shownView)
      this.reportRequest(call, sent)
      return body as ResponseTo<Each>
    }

    /** Prints what a read got that the command can't use: JSON of another form. That of a write was printed before. */
    protected readonly showAsItCame = async (error: unknown): Promise<never> => {
      const isRead = error instanceof Failure && error.code === 'ANSWER_INVALID'
      if (isRead && error.details.reply !== undefined) await this.context.printer.data(error.details.reply)
      throw error
    }

    /** A write shows what it sent, so that 100 instead of 10000 is noticed. */
    protected withSentFields<Result>(
      {operation, input}: Call,
      view: View<Result>,
      before?: Outcome['before'],
    ): View<Result> {
      const sent =
        operation.effect === 'write' && operation.group !== 'sandbox'
          ? sentFields(operation, input)
          : undefined
      return sent === undefined ? view : viewWithSentFields(view, operation.id, sent, before)
    }

    /**
     * Sends a list page by page and prints items as they arrive, up to --all, --limit or one page.
     *
     * @param keep chooses from the items of all pages, up to --limit.
     * @param through passes the items on, each time that the list is read.
     */
    protected async executeList<Each extends Id>(
      call: CommandCall<Each>,
      flags: StepFlags & PageFlags,
      view: ListView,
      {keep, through = items => items}: ListOptions = {},
    ): Promise<ItemOf<Each>[] | undefined> {
      const {operation, input} = toCall(call)
      const isWhole = flags.limit === undefined && flags.page === undefined && isForProgram(this.context)
      const all = flags.all === true || (isWhole && flags.watch === undefined)
      const {'page-size': size, 'max-pages': most} = flags
      const pages = keep === undefined ? {...flags, all} : {'page-size': size, 'max-pages': most, all: true}
      const first = {...input, query: {...input.query, ...firstPage(operation, pages)}}
      if (await this.isPreviewOf([{operation, input: first}], flags)) return undefined
      let isFirst = flags.watch === undefined
      const fetch: FetchPage = async (query, options) => {
        const paced = options.paced || flags.watch !== undefined
        const page = {...call, query: {...call.query, ...query}}
        const sent = this.request(page, flags, {...options, paced})
        // Behind the items of other pages it would belong to them.
        const {response} = await (isFirst ? sent.catch(this.showAsItCame) : sent)
        isFirst = false
        return response.body
      }
      const walk = () => {
        const paged = pagedItems(operations[call.operation], pages, fetch)
        if (keep === undefined) return {...paged, items: through(paged.items)}
        return {items: through(chosenItems(paged.items, keep, flags.limit)), hasMore: () => false}
      }
      if (flags.watch !== undefined) {
        const {read, watchView} = watchedPages(this.context, walk, view, moreThan(flags))
        return this.repeat(flags.watch, read, watchView)
      }
      return printPages(this.context, walk(), view, moreThan(flags)) as Promise<ItemOf<Each>[] | undefined>
    }

    /** A body to fill in. */
    protected printSkeleton(id: Id): Promise<undefined> {
      return this.printSkeletonOf(operations[id])
    }

    protected async printSkeletonOf({id}: Operation): Promise<undefined> {
      const schema = id in operations ? await requestSchema(id as OperationId) : undefined
      const dialect = await this.context.service.dialect()
      const body = schema === undefined ? {} : offeredSkeleton(schema, id as OperationId, dialect)
      await this.context.printer.text(JSON.stringify(body, null, 2))
      return undefined
    }

    /** Sends one call and prints nothing: a step of a composite command. */
    protected async request<Each extends OperationId>(
      call: CommandCall<Each>,
      flags: StepFlags,
      options: RequestOptions = {},
    ): Promise<Outcome> {
      return this.requestOf(toCall(call), flags, options)
    }

    /** `request` for an operation that need not be in the contract. */
    protected async requestOf(call: Call, flags: StepFlags, options: RequestOptions = {}): Promise<Outcome> {
      const client = await this.client()
      this.warnIfDeprecated(call.operation, call.input)
      this.warnIfUnhonoured(call.operation, client.target, flags)
      if (flags['show-change']) reportNoRead(this.context, call.operation)
      const sent = client.request(await markedCall(call, flags), {
        idempotencyKey: flags['idempotency-key'],
        confirm: [flags.confirm ?? []].flat(),
        uncheckedInput: flags['no-check-input'],
        allowV2: flags['allow-v2'],
        careful: this.wasAsked,
        ...options,
      })
      return sent.catch(async (error: unknown) => {
        const meant = await otherKind(this.context, client, error, call, (id, other) =>
          this.lineWithId(id, other),
        )
        return this.throwInFlags(meant ?? withLastFour(error, call), flags)
      })
    }

    /** The line that was typed, with another id, which is confirmed again. */
    private lineWithId(id: string, other: string): SuggestedCommand {
      const words = this.argv
        .filter(word => word !== '--yes' && word !== '-y')
        .map(word => (word === id ? other : word.replace(`=${id}`, `=${other}`)))
      return this.context.typedLine([...this.commandWords, ...words])
    }

    /** Checks an input that is sent as several requests before the first of them is. */
    protected async checkWhole(call: CommandCall<Id>, flags: StepFlags): Promise<void> {
      if (flags['no-check-input']) return refuseUnsafeBatch(toCall(call))
      const client = await this.client()
      await client.check(toCall(call)).catch((error: unknown) => this.throwInFlags(error, flags))
    }

    /** Throws the error again, with the flags that were typed instead of the fields behind them. */
    private async throwInFlags(error: unknown, flags: StepFlags): Promise<never> {
      const {fields = {}} = (this.ctor as {guide?: Guide}).guide ?? {}
      throw inFlags(error, fields, flags)
    }

    /** With --dry-run, --curl, --propose or --plan, prints or keeps the requests without sending them. */
    protected isPreview(
      calls: readonly CommandCall<OperationId>[],
      flags: StepFlags,
      transfers?: KeptTransfers,
    ): Promise<boolean> {
      return this.isPreviewOf(calls.map(toCall), flags, transfers)
    }

    protected async isPreviewOf(
      calls: readonly Call[],
      flags: StepFlags,
      transfers?: KeptTransfers,
    ): Promise<boolean> {
      const {plan} = flags
      const isProposed = flags.propose || (await this.becomesProposal(calls, flags))
      if (isProposed || plan !== undefined) {
        const asked = {
          calls,
          transfers,
          idempotencyKey: flags['idempotency-key'],
          allowV2: flags['allow-v2'],
          isNoCardNumber: this.context.flags['not-a-card-number'],
        }
        const client = await this.client()
        const kept =
          plan === undefined
            ? propose(this.context, client, asked)
            : planRequests(this.context, client, {...asked, source: flags.from}, plan)
        await kept.catch((error: unknown) => this.throwInFlags(error, flags))
        return true
      }
      if (!flags['dry-run'] && !flags.curl) return false
      const client = await this.client()
      const previews = []
      for (const [at, call] of calls.entries()) {
        const {'idempotency-key': key, 'no-check-input': uncheckedInput} = flags
        const idempotencyKey = transfers?.batches[at]?.key ?? key
        const marked = await markedCall(call, flags)
        const built = await client
          .build(marked, {idempotencyKey, uncheckedInput})
          .catch((error: unknown) => this.throwInFlags(error, flags))
        previews.push(client.preview(built))
      }
      const print = flags.curl ? printCurl : printDryRun
      await print(this.context, previews)
      return true
    }

    /** What an agent would write to a live service is kept for a person instead. */
    private async becomesProposal(calls: readonly Call[], flags: StepFlags): Promise<boolean> {
      const {context} = this
      if (!mayWrite || context.interactive || context.caller.kind !== 'agent') return false
      if (flags.plan !== undefined || flags['dry-run'] || flags.curl) return false
      const isWrite = calls.every(({operation: {effect}}) => effect === 'write' || effect === 'destroy')
      if (!isWrite || !isHeldBack(context.caller, (await context.service.chosen()).profile)) return false
      context.printer.warn(
        'An agent sends no writes to a live profile: nothing is sent, and a proposal is made instead.',
        {code: 'PROPOSED_INSTEAD'},
      )
      return true
    }

    /** The body of a call from --data, -f, -F and the command's own flags. */
    protected body(id: Id, flags: StepFlags, own: Record<string, unknown> = {}): Promise<unknown> {
      return this.bodyOf(operations[id], flags, own)
    }

    protected bodyOf(
      operation: Operation,
      flags: StepFlags,
      own: Record<string, unknown> = {},
    ): Promise<unknown> {
      return readBody(operation, flags, own, this.context)
    }

    /** Settings of the embedded sandbox. Set them before the first call. */
    protected embedded: EmbeddedOptions = {}
    #client: Client | undefined
    #warned = false
    #warnedOfKey = false

    /** Every request passes here, also of a command that forgets to look at --skeleton. */
    protected async client(): Promise<Client> {
      if (this.context.flags.skeleton) {
        throw new Failure('INTERNAL', {
          message: '--skeleton was not heeded; nothing was sent.',
          effect: 'none',
        })
      }
      this.#client ??= await openClient(this.context, await this.target(), this.embedded)
      return this.#client
    }

    protected target(): Promise<Target> {
      return this.context.service.target()
    }

    protected override async finally(error: Error | undefined): Promise<void> {
      await this.#client?.close()
      await super.finally(error)
    }

    /** Who passes a key relies on it. */
    protected warnIfUnhonoured(
      operation: Operation,
      target: Target,
      {'idempotency-key': key}: Pick<StepFlags, 'idempotency-key'>,
    ): void {
      if (key === undefined || operation.effect === 'read' || this.#warnedOfKey) return
      if (honoursKey(operation, target)) return
      this.#warnedOfKey = true
      const why = takesKey(operation)
        ? 'the service does not document that it honours keys for this operation'
        : 'no key is sent with this operation'
      const words = `--idempotency-key does not protect this request: ${why}, so a repeat with the same key has a second effect.`
      this.context.printer.warn(words, {code: 'KEY_NOT_HONOURED'})
    }

    protected warnIfDeprecated(operation: Operation, input?: AnyInput): void {
      const words = deprecationOf(operation, input)
      if (words === undefined || this.#warned) return
      this.#warned = true
      this.context.printer.warn(words, {code: 'DEPRECATED'})
    }

    /** On stderr: the id of the request in the journal; with --debug also its key, which `requests show` has too. */
    protected reportRequest({operation}: CommandCall<OperationId>, outcome: Outcome): void {
      this.reportRequestOf(operations[operation], outcome)
    }

    protected reportRequestOf({idempotent}: Operation, {response, requestId}: Outcome): void {
      if (requestId === undefined) return
      this.context.printer.note(`request ${requestId}`)
      const key = idempotent ? response.idempotencyKey : undefined
      if (key !== undefined) this.context.debug(`key ${key} (kept for 24 hours)`)
    }
  }
  return OperationCommand
}

/** What a warning says of a deprecated operation; undefined for any other. */
export function deprecationOf(operation: Operation, input?: AnyInput): string | undefined {
  const {deprecated, method, path} = operation
  return deprecated ? `${method} ${path} is deprecated.${insteadOf(operation, input)}` : undefined
}

/** What the service offers instead, if there is something for this request. */
function insteadOf({replacedBy = [], notReplaced = []}: Operation, input?: AnyInput): string {
  const lasting = Object.values(input?.path ?? {}).find(value => notReplaced.includes(value))
  if (lasting !== undefined) return ` The service offers nothing else for ${lasting}.`
  const paths = replacedBy.map(id => {
    const {method, path} = operations[id as OperationId]
    return `${method} ${path}`
  })
  if (paths.length === 0) return ''
  const [only] = paths
  return paths.length === 1
    ? ` The service offers ${only} instead.`
    : ` The service offers these instead, by the type of the account: ${paths.join(', ')}.`
}

/** What the contract doesn't describe may hold secrets that it doesn't mark. */
async function markedCall(call: Call, flags: StepFlags): Promise<Call> {
  const {operation, input} = call
  const isKnown = operation.id in operations
  if (input.body === undefined || (isKnown && !flags['no-check-input'])) return call
  const schema = isKnown ? await requestSchema(operation.id as OperationId) : undefined
  return {...call, operation: withSecretsMarked(operation, schema, input.body)}
}
