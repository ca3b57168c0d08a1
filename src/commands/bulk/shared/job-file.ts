import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import type {Job, JobStore, NewRow, RowResult} from '../../../bulk/index.ts'
import type {Context} from '../../../cli/context.ts'
import {purposeProblem} from '../../../cli/flags.ts'
import {EFFECTS} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {writeNamedFile} from '../../../files/named-output.ts'
import {unreadableInput} from '../../../input/read-input.ts'
import {otherService} from '../../../journal/other-journals.ts'
import {LIMITS} from '../../../limits/limits.ts'
import {writeNdjson} from '../../../output/write-rows.ts'
import type {Service} from '../../../profiles/service.ts'
import {readRows} from '../../../rows/read-rows.ts'
import {jobKeyProblem} from './job-key.ts'
import {isLimits} from './limits.ts'
import {operationOfJob} from './operation.ts'
import {refusePlanned} from './planned-job.ts'
import {ROW_STATES} from './results.ts'
import {inputMaker, resourceOf} from './row-input.ts'
import {remainingOf} from './summary.ts'

const FORMAT = 'cardctl bulk job 2'
const PAGE = 500

/**
 * Writes a job with all its rows to a file, to continue it elsewhere. It can't be resumed here afterwards, because the
 * same rows must not be sent from two places.
 */
export async function exportJob(context: Context, store: JobStore, id: string, file: string): Promise<void> {
  const job = refusePlanned(context, store.get(id))
  if (job.state === 'running' || job.state === 'unread') {
    throw new Failure('USAGE', {
      message: `Bulk job ${id} is ${job.state}; only one that stopped can be exported.`,
    })
  }
  function* lines() {
    const {state: _, ...head} = job
    const {id: service, words} = store.journal.service
    yield {format: FORMAT, service: {id: service, words}, ...head}
    for (const {follows: _, ...row} of store.results(id)) yield row
  }
  await writeNamedFile(file, writeNdjson(lines()))
  store.setState(id, 'exported')
}

/** Reads a job from a file. @throws Failure INPUT_INVALID, OTHER_SERVICE, USAGE if the job is already here. */
export async function importJob(context: Context, store: JobStore, file: string): Promise<Job> {
  // Check the whole file first: restoring it replaces the exported job of this id.
  const {service, ...head} = await readJob(file, () => undefined)
  if (service.id !== store.journal.service.id) {
    throw otherService(`Bulk job ${head.id}`, service.words, store.journal.service.words)
  }
  const operation = await operationOfJob(context, head)
  store.restore({...head, settings: {...head.settings, unconfirmed: true}})
  const toInput = await inputMaker(operation, head.settings.map)
  const resourceOfRow = async ({values}: RowResult): Promise<string | undefined> => {
    try {
      return resourceOf(operation, await toInput(values))
    } catch (error) {
      // A row that can't be built has failed, and no row waits for it.
      if (error instanceof Failure) return undefined
      throw error
    }
  }
  let page: (RowResult & Pick<NewRow, 'resource'>)[] = []
  await readJob(file, async row => {
    page.push({...row, resource: await resourceOfRow(row)})
    if (page.length < PAGE) return
    store.restoreRows(head.id, page)
    page = []
  })
  store.restoreRows(head.id, page)
  store.setState(head.id, remainingOf(store.counts(head.id)) === 0 ? 'done' : 'stopped')
  return store.get(head.id)
}

/** A job as written in its file. */
type Head = Omit<Job, 'state' | 'claimedAt'> & {readonly service: Pick<Service, 'id' | 'words'>}

async function readJob(file: string, take: (row: RowResult) => void | Promise<void>): Promise<Head> {
  let head: Head | undefined
  try {
    if (!(await stat(file)).isFile()) {
      throw new Failure('INPUT_INVALID', {message: `${file} is not a regular file, and it is read twice.`})
    }
    for await (const {row: at, values} of readRows(createReadStream(file), {
      source: file,
      format: 'ndjson',
      limits: LIMITS.jobLine,
    })) {
      if (head === undefined) head = headOf(values, file)
      else await take(rowOf(values, file, at))
    }
  } catch (error) {
    throw unreadableInput(file, error)
  }
  if (head === undefined) throw invalid(file, 1)
  return head
}

function headOf(values: Readonly<Record<string, unknown>>, file: string): Head {
  const {format, service, id, operation, source, createdAt, settings} = values
  const {map, unordered, note, ticket, jobKey, user, rows, dialect, tenant, contract, effect, limits} =
    isObject(settings) ? settings : {}
  const isHead =
    format === FORMAT &&
    isObject(service) &&
    typeof service.id === 'string' &&
    typeof service.words === 'string' &&
    typeof id === 'string' &&
    /^j_[0-9A-Z]{26}$/.test(id) &&
    typeof operation === 'string' &&
    typeof source === 'string' &&
    typeof createdAt === 'number' &&
    isObject(map) &&
    Object.values(map).every(to => typeof to === 'string') &&
    isLimits(limits) &&
    (unordered === undefined || typeof unordered === 'boolean') &&
    (jobKey === undefined || (typeof jobKey === 'string' && jobKeyProblem(jobKey) === undefined)) &&
    (user === undefined || typeof user === 'string') &&
    (dialect === undefined || typeof dialect === 'string') &&
    (tenant === undefined || typeof tenant === 'string') &&
    (contract === undefined || typeof contract === 'string') &&
    (rows === undefined || typeof rows === 'number') &&
    isPurpose('note', note) &&
    isPurpose('ticket', ticket)
  if (!isHead) throw invalid(file, 1)
  return {
    service: service as Head['service'],
    id,
    operation,
    source,
    createdAt,
    settings: {
      map: map as Record<string, string>,
      unordered,
      note,
      ticket,
      jobKey,
      user,
      rows,
      dialect,
      tenant,
      contract,
      effect: EFFECTS.find(one => one === effect),
      limits,
    },
  }
}

const isPurpose = (name: 'note' | 'ticket', value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && purposeProblem(name, value) === undefined)

function rowOf(line: Readonly<Record<string, unknown>>, file: string, at: number): RowResult {
  const {row, line: where, values, state, begunAt, request, status, code, message, reply} = line
  const known = ROW_STATES.find(one => one === state)
  const isText = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === 'string'
  const isNumber = (value: unknown): value is number | undefined =>
    value === undefined || Number.isSafeInteger(value)
  const isRow =
    typeof row === 'number' &&
    Number.isSafeInteger(row) &&
    typeof where === 'number' &&
    Number.isSafeInteger(where) &&
    isObject(values)
  if (!isRow || known === undefined || !isNumber(begunAt) || !isNumber(status)) throw invalid(file, at)
  if (!isText(request) || !isText(code) || !isText(message)) throw invalid(file, at)
  // Without its time, a sent row could be sent again after the service has forgotten its key.
  if (known === 'sent' && begunAt === undefined) throw invalid(file, at)
  const follows = undefined
  return {row, line: where, values, state: known, follows, begunAt, request, status, code, message, reply}
}

const invalid = (file: string, at: number): Failure =>
  new Failure('INPUT_INVALID', {message: `${file} is not what bulk export writes, at line ${at}.`})
