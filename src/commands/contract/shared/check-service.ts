import * as Flags from '@oclif/core/flags'
import {idFlag} from '../../../cli/arguments.ts'
import {type Client, openClient} from '../../../cli/client/client.ts'
import type {Context} from '../../../cli/context.ts'
import {type FlagValues, operationFlags} from '../../../cli/flags.ts'
import {Turns} from '../../../cli/pace.ts'
import type {AnyInput, Operation} from '../../../contract/operation.ts'
import {type Dialect, loadDialect} from '../../../dialect/index.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {proveWritable, writeNamedFile} from '../../../files/named-output.ts'
import type {ServiceResponse} from '../../../http/index.ts'
import type {Target} from '../../../profiles/target.ts'
import {bidFlag} from '../../remotecheckout/shared/remote-checkout-command.ts'
import {contractCheckPage} from './check-page.ts'
import {pagingDifferences} from './check-pages.ts'
import {type CheckedReads, KnownIds} from './contract-reads.ts'
import {importedReads} from './imported-reads.ts'
import {checkedByWrite, type PlannedWrite, planWrite, proveUndoable} from './prove-write.ts'
import {differencesOf, type ResponseDifference} from './response-difference.ts'

export const checkFlags = {
  card: idFlag({of: 'a card', summary: 'Id of a card to read.'}),
  account: idFlag({of: 'an account', summary: 'Id of an account (default: the account of the card).'}),
  customer: idFlag({of: 'a customer', summary: 'Id of a customer (default: the customer of the card).'}),
  reference: idFlag({summary: 'Reference number of a card (default: that of --card).'}),
  batch: idFlag({
    of: 'a batch of transfers',
    summary: 'Id of a batch of transfers (default: the first in the list).',
  }),
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
  dialect: Flags.string({
    helpValue: 'FILE',
    summary: 'Dialect to check, instead of that of the profile.',
    exclusive: ['contract'],
  }),
  'with-write': idFlag({
    helpValue: 'ACCOUNT',
    summary:
      'With the dialect of a test or sandbox profile, also block this account and unblock it. It must be ACCOUNT_OK.',
    exclusive: ['contract', 'dialect'],
  }),
  type: Flags.string({
    summary: 'Type of the account of --with-write (default: the first that the dialect maps).',
    dependsOn: ['with-write'],
  }),
  html: Flags.string({helpValue: 'FILE', summary: 'Also write the report as one HTML page.'}),
  strict: operationFlags.strict,
  'audit-user': operationFlags['audit-user'],
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
  /** The operation that was sent although it changes something. */
  readonly write: string | null
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

/** Of these, another request may fare better, once one had a response. */
const LOST: readonly string[] = ['CONNECTION_FAILED', 'TIMED_OUT']

/**
 * Sends every read whose ids are known, one at a time at the profile's rate, and compares the responses with the
 * contract; with a dialect, also what it says of them. Ids come from flags, else from earlier responses.
 *
 * @returns the report, and the failure to end with once it is printed
 * @throws Failure if the service can't be used at all.
 */
export async function checkService(
  context: Context,
  flags: CheckFlags,
): Promise<{readonly check: ServiceCheck; readonly failure: Failure | undefined}> {
  // Report a mistyped path before sending anything.
  if (flags.html !== undefined) await proveWritable(flags.html)
  const stored = await context.service.target()
  const dialect = flags.contract === undefined ? await dialectOf(stored, flags.dialect) : undefined
  const target = dialect === undefined ? stored : {...stored, dialect}
  const write = planWrite(target, flags['with-write'], flags.type)
  const client = await openClient(context, target)
  const turns = new Turns(context)
  const ids =
    flags.contract === undefined
      ? new KnownIds(flags, target)
      : await importedReads(context, flags.contract, flags.id)
  const {reads} = ids
  const done = new Map<string, CheckedOperation>()
  let [stays, lost]: (Failure | undefined)[] = []
  const progress = await context.printer.progress('operations')
  try {
    if (write !== undefined) await proveUndoable(client, write)
    for (let isNew = true; isNew; ) {
      isNew = false
      for (const operation of reads) {
        if (done.has(operation.id) || 'needs' in ids.inputFor(operation)) continue
        const {checked, failure} = await checkOne(context, {client, turns, ids}, operation)
        if (failure !== undefined && done.size === 0) throw failure
        if (failure !== undefined && !LOST.includes(failure.code)) throw failure
        lost ??= failure
        done.set(operation.id, checked)
        progress.update({done: done.size, total: reads.length})
        isNew = true
      }
    }
    if (write !== undefined) {
      const {checked, failure} = await byWrite(context, {client, turns, ids}, write)
      done.set(write.operation.id, checked)
      stays = failure
    }
  } finally {
    progress.stop()
    await turns.close()
    await client.close()
    ids.close()
  }
  const checked = reads.map(operation => done.get(operation.id) ?? unchecked(operation, ids))
  const count = (state: CheckedState): number => checked.filter(one => one.state === state).length
  const check: ServiceCheck = {
    profile: target.name,
    service: target.embedded ? 'the embedded sandbox' : target.baseUrl,
    checkedAt: new Date(context.surroundings.now()).toISOString(),
    tool: `cardctl ${context.version}`,
    fits: count('fits'),
    differs: count('differs'),
    failed: count('failed'),
    unchecked: count('unchecked'),
    write: write?.operation.id ?? null,
    operations: checked,
  }
  return {check, failure: stays ?? lost ?? (await checkedFailure(context, check))}
}

async function dialectOf(target: Target, file: string | undefined): Promise<Dialect | undefined> {
  const dialect = file === undefined ? target.dialect : await loadDialect(file)
  return dialect?.thorough()
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
  const note = `not checked: ${'needs' in found ? found.needs : 'needs an id'}`
  return {...nameOf(operation, ids), state: 'unchecked', note, status: null, differences: []}
}

async function checkOne(
  context: Context,
  {client, turns, ids}: CheckTools,
  operation: Operation,
): Promise<{readonly checked: CheckedOperation; readonly failure?: Failure}> {
  const found = ids.inputFor(operation)
  if ('needs' in found) return {checked: unchecked(operation, ids)}
  const sender = await client.rows(operation, undefined, {onePage: true})
  const send = (input: AnyInput): Promise<ServiceResponse> => sender.build(input).send(turns.admit)
  let response: ServiceResponse
  try {
    await sender.checked(found.input)
    response = await send(found.input)
  } catch (error) {
    if (context.surroundings.signal.aborted || !(error instanceof Failure)) throw error
    const checked = failedOne(operation, ids, error, client.target)
    return HOPELESS.includes(error.code) ? {checked, failure: error} : {checked}
  }
  ids.learn(operation, response.body)
  const checked = await judged(response, operation, ids, client.target)
  const pages = checked.state === 'unchecked' ? undefined : ids.smallPages(operation, found.input)
  if (pages === undefined) return {checked}
  try {
    const more = await pagingDifferences(pages, query => send({...found.input, query}))
    const differences = [...checked.differences, ...more]
    return {checked: {...checked, ...(more.length > 0 && {state: 'differs', differences})}}
  } catch (error) {
    if (context.surroundings.signal.aborted || !(error instanceof Failure)) throw error
    const note = `its pages were not checked: ${failedWords(error, client.target.dialect)}`
    return {checked: {...checked, note}, ...(HOPELESS.includes(error.code) && {failure: error})}
  }
}

/** The write, and the failure to end with if it may not be undone. */
async function byWrite(
  context: Context,
  {client, ids}: CheckTools,
  write: PlannedWrite,
): Promise<{readonly checked: CheckedOperation; readonly failure: Failure | undefined}> {
  const {failure, ...proven} = await checkedByWrite(context, client, write)
  const checked: CheckedOperation =
    'response' in proven
      ? await judged(proven.response, write.operation, ids, client.target)
      : failedOne(write.operation, ids, proven.refused, client.target)
  const end =
    failure === undefined
      ? 'the service said that an account was blocked, and then unblocked; no read shows it'
      : 'it may still be blocked'
  const note = [checked.note, end].filter(words => words !== null).join('; ')
  return {checked: {...checked, note, ...(failure !== undefined && {state: 'failed'})}, failure}
}

const failedOne = (
  operation: Operation,
  ids: CheckedReads,
  error: Failure,
  {dialect}: Target,
): CheckedOperation => ({
  ...nameOf(operation, ids),
  state: 'failed',
  note: failedWords(error, dialect),
  status: error.details.status ?? null,
  differences: [],
})

async function judged(
  response: ServiceResponse,
  operation: Operation,
  ids: CheckedReads,
  {words, dialect}: Target,
): Promise<CheckedOperation> {
  const {status} = response
  const differences = await differencesOf(operation, response, words, dialect !== undefined)
  if (dialect && isEmptyList(response.body) && differences.every(({kind}) => kind === 'unseen'))
    return {
      ...nameOf(operation, ids),
      state: 'unchecked',
      note: 'not checked: the list is empty',
      status,
      differences: [],
    }
  return {
    ...nameOf(operation, ids),
    state: differences.some(({kind}) => kind === 'differs') ? 'differs' : 'fits',
    note: null,
    status,
    differences,
  }
}

const isEmptyList = (body: unknown): boolean =>
  [body, isObject(body) ? body.items : undefined].some(list => Array.isArray(list) && list.length === 0)

/** The service's message may quote the input, so only the status is shown. */
function failedWords({code, message, details: {status}}: Failure, dialect: Dialect | undefined): string {
  switch (code) {
    case 'NOT_FOUND':
      return `nothing is there for this id, or the service has no such operation (${status})`
    case 'FORBIDDEN':
      return `the service does not permit it (${status})`
    case 'RATE_LIMITED':
      return 'the rate limit was reached (429)'
    case 'CONTRACT_VIOLATION':
    case 'INPUT_INVALID':
      if (dialect !== undefined) return `not sent: ${message}`
      return 'not sent: an id in an earlier response does not match the contract'
    case 'ANSWER_INVALID':
      return `the response (${status ?? 'no status'}) is not described by the ${dialect === undefined ? 'contract' : `dialect${clauseOf(message)}`}`
    default:
      return status === undefined ? `no usable response (${code})` : `the service responded with ${status}`
  }
}

/** Why a response proves nothing, if that names only places: `: it has no data.id`. What follows a colon may be theirs. */
const clauseOf = (message: string): string => /: it (?:has no|is) [^:]*(?=\.$)/.exec(message)?.[0] ?? ''

/** Writes the report as a page. @throws Failure OUTPUT_UNWRITABLE */
export const writeCheckPage = (file: string, check: ServiceCheck): Promise<void> =>
  writeNamedFile(file, [contractCheckPage(check)])

/** The failure for operations that failed, and with `--strict` for differences; the report was already printed. */
async function checkedFailure(
  context: Context,
  {fits, differs, failed}: ServiceCheck,
): Promise<Failure | undefined> {
  if (fits + differs + failed === 0)
    return new Failure('USAGE', {
      message: 'Nothing was checked.',
      hint: 'Each operation above says what it needs, for example an id.',
      effect: 'none',
    })
  if (failed === 0 && (differs === 0 || !(await context.service.isStrict()))) return undefined
  return new Failure('ANSWER_DIFFERS', {
    message: `${differs} operations differ from the contract, and ${failed} failed.`,
    ...(failed > 0 && {hint: 'The report says why each failed.'}),
    effect: 'none',
  })
}
