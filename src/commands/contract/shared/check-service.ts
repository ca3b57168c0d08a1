import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {type FlagValues, operationFlags} from '../../../cli/flags.ts'
import {Turns} from '../../../cli/pace.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {proveWritable, writeNamedFile} from '../../../files/named-output.ts'
import type {ServiceResponse} from '../../../http/index.ts'
import {bidFlag} from '../../remotecheckout/shared/remote-checkout-command.ts'
import {contractCheckPage} from './check-page.ts'
import {importedReads} from './imported-reads.ts'
import {differencesOf, type ResponseDifference} from './response-difference.ts'

export const checkFlags = {
  card: idFlag({summary: 'Id of a card to read.'}),
  account: idFlag({summary: 'Id of an account (default: the account of the card).'}),
  customer: idFlag({summary: 'Id of a customer (default: the customer of the card).'}),
  reference: idFlag({summary: 'Reference number of a card (default: that of --card).'}),
  batch: idFlag({summary: 'Id of a batch of transfers (default: the first in the list).'}),
  trace: idFlag({summary: 'Trace of a remote checkout operation.'}),
  ...bidFlag,
  contract: Flags.string({
    summary: 'Imported contract to compare with, instead of the built-in one.',
    exclusive: ['card', 'account', 'customer', 'reference', 'batch', 'trace', 'bid'],
  }),
  id: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'name=value',
    summary: 'With --contract, the value of a parameter, for example card_token=crd_1. Repeatable.',
    dependsOn: ['contract'],
  }),
  html: Flags.string({helpValue: 'FILE', summary: 'Also write the report as one HTML page.'}),
  strict: operationFlags.strict,
  'audit-user': operationFlags['audit-user'],
}

/** Kinds of ids that reads need; each has a flag. */
const ID_KINDS = ['card', 'account', 'customer', 'reference', 'batch', 'trace'] as const
type IdKind = (typeof ID_KINDS)[number]

/** The reads of a contract, and the ids to read with. */
export interface CheckedReads {
  readonly reads: readonly Operation[]
  topicOf(operation: Operation): string
  /** The input of an operation, or what it still needs: `--card`. */
  inputFor(operation: Operation): {readonly input: AnyInput} | {readonly needs: string}
  /** Takes ids from a response, for later operations. Ids from flags win. */
  learn(operation: Operation, body: unknown): void
  close(): void
}

/** Ids to read with: from flags, and from earlier responses. */
class KnownIds implements CheckedReads {
  readonly reads = READS
  readonly #ids: Map<IdKind, string>
  readonly #bid: string | undefined

  constructor(given: Readonly<Partial<Record<IdKind, string | undefined>>>, bid: string | undefined) {
    this.#ids = new Map(
      ID_KINDS.flatMap(kind => {
        const id = given[kind]
        return id === undefined ? [] : [[kind, id] as const]
      }),
    )
    this.#bid = bid
  }

  topicOf({topic}: Operation): string {
    return topic
  }

  close(): void {}

  inputFor(operation: Operation): {readonly input: AnyInput} | {readonly needs: string} {
    const path: Record<string, string> = {}
    for (const name of operation.pathParams) {
      const kind = kindOf(operation, name)
      const id = kind === undefined ? undefined : this.#ids.get(kind)
      if (id === undefined) return {needs: kind === undefined ? `a value for ${name}` : `--${kind}`}
      path[name] = id
    }
    const query = operation.paging === undefined ? {} : {size: PAGE}
    if (operation.body === 'none') return {input: {path, query}}
    if (operation.group !== 'remotecheckout') return {needs: 'a card number'}
    return this.#bid === undefined ? {needs: '--bid'} : {input: {path, query, body: {customerBID: this.#bid}}}
  }

  learn({id: operation, group}: Operation, body: unknown): void {
    const items = isObject(body) && Array.isArray(body.items) ? body.items : body
    const one = Array.isArray(items) ? items[0] : items
    if (!isObject(one)) return
    const keep = (kind: IdKind, value: unknown): void => {
      if (!this.#ids.has(kind) && (typeof value === 'string' || typeof value === 'number') && value !== '') {
        this.#ids.set(kind, String(value))
      }
    }
    if (group === 'a2a' && operation === 'a2a.list.v1') keep('batch', one.id)
    if (group !== 'cards' || operation === 'cards.plastics.v3') return
    keep('card', one.id)
    keep('account', one.accountId)
    keep('customer', one.customerId)
    keep('reference', one.referenceNumber)
  }
}

/** A page size that is enough to see the form of an item. */
const PAGE = 5

function kindOf({group}: Operation, name: string): IdKind | undefined {
  const kinds: Readonly<Record<string, IdKind>> = {
    accountId: 'account',
    customerId: 'customer',
    refNumber: 'reference',
    traceId: 'trace',
    id: group === 'a2a' ? 'batch' : 'card',
  }
  return kinds[name]
}

type CheckedState = 'fits' | 'differs' | 'failed' | 'unchecked'

/** The result of one read: places, types and statuses, but no values of the response. */
interface CheckedOperation {
  readonly id: string
  readonly request: string
  readonly topic: string
  readonly state: CheckedState
  /** Why it was not checked, or how it failed. */
  readonly note: string | null
  readonly status: number | null
  readonly differences: readonly ResponseDifference[]
}

export interface ServiceCheck {
  readonly profile: string
  readonly service: string
  /** ISO 8601, UTC. */
  readonly checkedAt: string
  readonly tool: string
  readonly fits: number
  readonly differs: number
  readonly failed: number
  readonly unchecked: number
  readonly operations: readonly CheckedOperation[]
}

type CheckFlags = FlagValues<typeof checkFlags>

/** After one of these failures, every other request would fail in the same way. */
const HOPELESS: readonly string[] = [
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'TLS_FAILED',
  'UNAUTHENTICATED',
  'PROFILE_INVALID',
  'SECRET_MISSING',
]

/** All operations with the effect read. Disclosures don't count, because they return secrets. */
const READS: readonly Operation[] = Object.values<Operation>(operations).filter(
  ({effect, group}) => effect === 'read' && group !== 'sandbox',
)

/**
 * Sends every read whose ids are known, one at a time at the profile's rate, and compares the responses with the
 * contract. Ids come from flags, else from earlier responses.
 *
 * @throws Failure if the service can't be used at all.
 */
export async function checkService(context: Context, flags: CheckFlags): Promise<ServiceCheck> {
  // Report a mistyped path before sending anything.
  if (flags.html !== undefined) await proveWritable(flags.html)
  const target = await context.service.target()
  const client = await openClient(context, target)
  const turns = new Turns(context)
  const ids =
    flags.contract === undefined
      ? new KnownIds(flags, flags.bid ?? target.bid)
      : await importedReads(context, flags.contract, flags.id)
  const {reads} = ids
  const done = new Map<string, CheckedOperation>()
  const progress = await context.printer.progress('operations')
  try {
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const operation of reads) {
        if (done.has(operation.id) || 'needs' in ids.inputFor(operation)) continue
        done.set(operation.id, await checkOne(context, {client, turns, ids}, operation))
        progress.update({done: done.size, total: reads.length})
        isNew = true
      }
    }
  } finally {
    progress.stop()
    await turns.close()
    await client.close()
    ids.close()
  }
  const checked = reads.map(operation => done.get(operation.id) ?? unchecked(operation, ids))
  const count = (state: CheckedState): number => checked.filter(one => one.state === state).length
  return {
    profile: target.name,
    service: target.embedded ? 'the embedded sandbox' : target.baseUrl,
    checkedAt: new Date(context.surroundings.now()).toISOString(),
    tool: `cardctl ${context.version}`,
    fits: count('fits'),
    differs: count('differs'),
    failed: count('failed'),
    unchecked: count('unchecked'),
    operations: checked,
  }
}

interface CheckTools {
  readonly client: Client
  readonly turns: Turns
  readonly ids: CheckedReads
}

const nameOf = (operation: Operation, ids: CheckedReads) => ({
  id: operation.id,
  request: `${operation.method} ${operation.path}`,
  topic: ids.topicOf(operation),
})

function unchecked(operation: Operation, ids: CheckedReads): CheckedOperation {
  const found = ids.inputFor(operation)
  const note = `not checked: needs ${'needs' in found ? found.needs : 'an id'}`
  return {...nameOf(operation, ids), state: 'unchecked', note, status: null, differences: []}
}

async function checkOne(
  context: Context,
  {client, turns, ids}: CheckTools,
  operation: Operation,
): Promise<CheckedOperation> {
  const found = ids.inputFor(operation)
  if ('needs' in found) return unchecked(operation, ids)
  let response: ServiceResponse
  try {
    const sender = await client.rows(operation, undefined, {onePage: true})
    await sender.check(found.input)
    response = await sender.build(found.input).send(turns.admit)
  } catch (error) {
    if (context.surroundings.signal.aborted || !(error instanceof Failure)) throw error
    if (HOPELESS.includes(error.code)) throw error
    const {status = null} = error.details
    return {...nameOf(operation, ids), state: 'failed', note: failedWords(error), status, differences: []}
  }
  ids.learn(operation, response.body)
  const differences = await differencesOf(operation, response, client.target.words)
  return {
    ...nameOf(operation, ids),
    state: differences.some(({kind}) => kind === 'differs') ? 'differs' : 'fits',
    note: null,
    status: response.status,
    differences,
  }
}

/** The service's message may quote the input, so only the status is shown. */
function failedWords({code, details: {status}}: Failure): string {
  switch (code) {
    case 'NOT_FOUND':
      return `nothing is there for this id, or the service has no such operation (${status})`
    case 'FORBIDDEN':
      return `the service does not permit it (${status})`
    case 'RATE_LIMITED':
      return 'the rate limit was reached (429)'
    case 'CONTRACT_VIOLATION':
    case 'INPUT_INVALID':
      return 'not sent: an id in an earlier response does not match the contract'
    case 'ANSWER_INVALID':
      return `the response (${status ?? 'no status'}) is not described by the contract`
    default:
      return status === undefined ? `no usable response (${code})` : `the service responded with ${status}`
  }
}

/** Writes the report as a page. @throws Failure OUTPUT_UNWRITABLE */
export const writeCheckPage = (file: string, check: ServiceCheck): Promise<void> =>
  writeNamedFile(file, [contractCheckPage(check)])

/** The failure for differences with `--strict`; the report was already printed. */
export async function checkedFailure(
  context: Context,
  {differs, failed}: ServiceCheck,
): Promise<Failure | undefined> {
  if (differs + failed === 0 || !(await context.service.isStrict())) return undefined
  return new Failure('ANSWER_DIFFERS', {
    message: `${differs} operations differ from the contract, and ${failed} failed.`,
    effect: 'none',
  })
}
