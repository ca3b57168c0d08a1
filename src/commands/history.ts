import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {idArg, LAST} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import type {Guide} from '../cli/guided/guide.ts'
import {recentlyUsed} from '../cli/guided/recently-used.ts'
import {isForProgram, lengthFlag, ON_TERMINAL, reportMore} from '../cli/list-length.ts'
import {periodFlags, periodOf} from '../cli/moment.ts'
import {RequestWords} from '../cli/request-words.ts'
import {resource} from '../contract/resource.ts'
import {advice, type Hint, joinAdvice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import type {Journal} from '../journal/index.ts'
import {type ListView, sentence} from '../output/view.ts'
import {batchIn} from './a2a/shared/last-batch.ts'
import {readProbableRequest, withoutBatch} from './a2a/shared/probable-request.ts'
import {type Belonging, ownersOf, readBelonging, withBelonging} from './history/shared/belonging.ts'
import {historyEntries} from './history/shared/history-entries.ts'
import {historyView, shortHistoryView} from './history/shared/view.ts'
import {isOpen, nameResolve} from './requests/shared/shown-request.ts'

const KINDS = ['card', 'customer', 'account', 'batch', 'plastic', 'pricelist', 'period'] as const

const isKind = (word: string): boolean => KINDS.some(kind => kind === word)

export default class History extends BaseCommand {
  static override summary =
    'Show what was done to a card, customer, account or batch from this machine, newest first.'
  static override description =
    'Reads the journal and the audit trail of this machine: writes, disclosures and reveals, on all profiles of the service, or on one (-p). The history of a card has what was done to its plastics and PIN, its account and its customer, and the history of a customer what was done to its cards and their accounts: cardctl reads from the service which these are. It does not have what others did, nor reads. Where cardctl sent an earlier value for the same field, the entry has it.'
  static override examples = [
    '<%= config.bin %> history card 3001',
    '<%= config.bin %> history account 2001 --since 7d',
    '<%= config.bin %> history customer 1001 -o csv',
  ]
  static override args = {
    kind: Args.string({
      description: `Kind: ${KINDS.join(', ')}`,
      options: [...KINDS],
      required: true,
      ignoreStdin: true,
    }),
    id: idArg('the card, customer, account or batch', {last: true, more: '; of a batch also last'}),
  }
  static override flags = {
    ...periodFlags,
    local: Flags.boolean({summary: 'Read only the records of this machine. Send no request.'}),
    steps: Flags.boolean({
      summary: 'Show each request of a PIN exchange as an entry of its own. JSON and CSV always have each.',
    }),
    'all-profiles': Flags.boolean({
      summary: 'With -p: also what was done with other profiles of the service.',
    }),
    ...lengthFlag,
  }

  static override guide: Guide = {
    labels: {kind: 'What do you want the history of?', id: 'Its id'},
    kinds: {id: given => given.get('kind')},
  }

  /** `history 3001`: the kind is missing. An id is quoted only if it was used here, as any other word may be a secret. */
  protected override async usageHint(): Promise<Hint | undefined> {
    const [given, ...rest] = this.argv.filter(word => !word.startsWith('-'))
    if (given === undefined || rest.length > 0 || isKind(given)) return undefined
    const {resources} = await recentlyUsed(this.context)
    const known = KINDS.filter(kind => resources.includes(resource(kind, given)))
    const {commandLine} = this.context
    return known.length === 0
      ? advice`Say what it is: ${joinAdvice(
          (['card', 'account', 'customer', 'batch'] as const).map(kind =>
            commandLine('history', kind, {value: 'ID'}),
          ),
          ' or ',
        )}`
      : advice`Say what it is: ${joinAdvice(
          known.map(kind => commandLine('history', kind, {value: given})),
          ' or ',
        )}`
  }

  /** What belongs to it, by the journal alone. */
  private known(journal: Journal, one: string): readonly string[] {
    const own = withBelonging(journal, [one])
    if (!one.startsWith('card:')) return own
    const owners = ownersOf(journal, one)
    if (!owners.some(owner => owner.startsWith('account:')) && journal.requests.hasTouched('account'))
      this.context.printer.note(
        'The journal does not know the account of this card, so what was done to the account is not in this. Without --local it is read.',
      )
    return [...own, ...owners]
  }

  async run() {
    const {args, flags} = await this.parse(History)
    using journal = await this.context.stores.journal()
    using audit = await this.context.stores.audit('list')
    const kind = KINDS.find(name => name === args.kind) ?? 'card'
    if (args.id === LAST && kind !== 'batch')
      throw new Failure('USAGE', {message: `"last" is not the id of a ${kind}.`, effect: 'none'})
    const id = await batchIn(this.context, args.id)
    const one = resource(kind, id)
    const {resources, incomplete}: Belonging = flags.local
      ? {resources: this.known(journal, one)}
      : await readBelonging(this.context, journal, one, {owners: true})
    if (journal.upkeep.wereErased([one, ...resources]))
      this.context.printer.warn(
        `What this machine kept about ${kind} ${id} was erased (data erase): what was done before is not in this history, or without its values. The audit trail still says who did what, and when.`,
      )
    const period = periodOf(this.context, flags)
    const words = await RequestWords.open(journal)
    const profile = flags['all-profiles'] ? undefined : flags.profile
    const probable =
      kind === 'batch' && !flags.local ? await readProbableRequest(this.context, journal, id) : undefined
    const entries =
      probable === undefined
        ? historyEntries(journal, audit, words, {resources, alsoOf: flags.profile, ...period})
        : historyEntries(journal, audit, words, {
            ...period,
            since: Math.max(probable.begunAt, period.since ?? 0),
          })
    const unread = kind === 'batch' && probable === undefined ? withoutBatch(journal)[0] : undefined
    const isShort = !flags.steps && this.context.outputOptions.format === 'table'
    const most = flags.limit ?? (isForProgram(this.context) ? Number.POSITIVE_INFINITY : ON_TERMINAL)
    let hasMore = false
    let open: string | undefined
    let byOthers = 0
    function* limited() {
      let left = most
      const shown = new Set<string>()
      for (const entry of entries) {
        const {exchange} = entry
        if (probable !== undefined && entry.request !== probable.id) continue
        if (profile !== undefined && entry.profile !== profile) {
          byOthers += 1
          continue
        }
        // The steps of an exchange are one entry.
        const isStep = isShort && exchange !== undefined && shown.has(exchange)
        hasMore = !isStep && left-- === 0
        if (hasMore) return
        if (exchange !== undefined) shown.add(exchange)
        if (isOpen(entry)) open ??= entry.request
        yield entry
      }
    }
    const all = isShort ? shortHistoryView : historyView
    const view: ListView = (shown, context) =>
      shown.length === 0 && byOthers > 0
        ? sentence(`Nothing was done to it with profile ${profile}.`, context)
        : shown.length === 0 && unread !== undefined
          ? sentence(
              'No request is known to have made it. One of which the effect is unknown may have.',
              context,
            )
          : all(shown, context)
    const printed = await this.context.printer.list(limited(), view)
    if (byOthers > 0)
      this.context.printer.note(
        `Other profiles of this service have ${hasMore ? `at least ${byOthers}` : byOthers} more. To see all: ${this.context.commandLine('history', kind, {value: id}, '--all-profiles')}`,
      )
    if (probable !== undefined && open !== undefined)
      this.context.printer.note(
        `Batch ${id} has the reference of request ${open}, which probably made it: its effect is unknown here.`,
      )
    open ??= printed?.length === 0 ? unread?.id : undefined
    if (open !== undefined) nameResolve(this.context, open)
    const reason = flags.limit === undefined ? 'FIRST_PAGE' : 'LIMIT'
    if (hasMore) reportMore(this.context, 'There are older entries: raise --limit.', {reason})
    if (incomplete !== undefined && isForProgram(this.context)) throw incomplete
    return printed
  }
}
