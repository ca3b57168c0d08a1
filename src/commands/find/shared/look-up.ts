import {JobStore} from '../../../bulk/index.ts'
import type {Client} from '../../../cli/client/client.ts'
import type {CommandCall} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {isForProgram} from '../../../cli/list-length.ts'
import {type FetchPage, pagedItems} from '../../../cli/pages.ts'
import {RequestWords} from '../../../cli/request-words.ts'
import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {resource} from '../../../contract/resource.ts'
import type {OperationId} from '../../../contract/types.ts'
import {Failure} from '../../../errors/failure.ts'
import {isInterruption} from '../../../errors/interruption.ts'
import type {Word} from '../../../errors/suggested-command.ts'
import type {Journal} from '../../../journal/index.ts'
import {traceIdIn} from '../../../network/trace-context.ts'
import {genericView} from '../../../output/generic.ts'
import type {ListView, View} from '../../../output/index.ts'
import {requestView} from '../../../output/requests.ts'
import {summaryOf} from '../../bulk/shared/summary.ts'
import {bulkJobView} from '../../bulk/shared/views.ts'
import {shownRequest} from '../../requests/shared/shown-request.ts'
import {placesFor, type ServicePlace} from './places.ts'

/** One thing that was found. */
export interface Found {
  readonly kind: string
  readonly id: string
  /** A line about it. */
  readonly about: string
  readonly value: unknown
  readonly view: View | ListView
  /** Words of command lines; the first one shows it. */
  readonly next: readonly (readonly Word[])[]
}

/** Where `find` looked, and how that ended. */
export interface Looked {
  readonly what: string
  readonly result: 'found' | 'none' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly why?: string
}

interface Answer {
  readonly looked: Looked
  readonly found?: Found
  readonly failure?: Failure
  /** What ended a list that was found before it was whole. */
  readonly incomplete?: Failure
}

/** Looks a text up everywhere that it fits, side by side: reads at the service, and the records of this machine. */
export async function lookUp(context: Context, client: Client, text: string): Promise<readonly Answer[]> {
  const places = placesFor(text, client.target.dialect, client.target.bid)
  const ask = isForProgram(context) ? askWhole : askOnce
  const asked = places.map(place => askService(client, place, text, ask))
  return [...(await lookHere(context, text)), ...(await Promise.all(asked))]
}

/** What a place has, and why it may have more. */
interface Read {
  readonly value: unknown
  readonly incomplete?: Failure
}
type Ask = (client: Client, call: CommandCall<OperationId>) => Promise<Read>

const askOnce: Ask = async (client, call) => ({value: await client.call(call, {paced: true})})

/** All pages of a list; anything else is one response. */
const askWhole: Ask = async (client, call) => {
  const operation: Operation = operations[call.operation]
  if (operation.paging !== 'page') return askOnce(client, call)
  const fetch: FetchPage = (query, options) => client.call({...call, query}, {...options, paced: true})
  const value: unknown[] = []
  try {
    for await (const item of pagedItems(operation, {all: true}, fetch).items) value.push(item)
    return {value}
  } catch (error) {
    if (!(error instanceof Failure) || isInterruption(error) || value.length === 0) throw error
    return {value, incomplete: error}
  }
}

async function askService(client: Client, place: ServicePlace, text: string, ask: Ask): Promise<Answer> {
  const {kind, what, view, about, next} = place
  const call = place.read(text, client.target.bid)
  if (call === undefined) return {looked: {what, result: 'skipped', why: 'The profile has no customerBID.'}}
  try {
    const {value, incomplete} = await ask(client, call)
    if (place.has?.(value) === false) return {looked: {what, result: 'none'}}
    const id = place.id?.(value) || text
    return {
      looked: {what, result: 'found'},
      found: {kind, id, about: about(value, ask === askOnce), value, view, next: next(id)},
      ...(incomplete === undefined ? {} : {incomplete}),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'NOT_FOUND') return {looked: {what, result: 'none'}}
    return {looked: {what, result: 'failed', why: error.message}, failure: error}
  }
}

/** The records of this machine: they know what no read of the service shows. */
async function lookHere(context: Context, text: string): Promise<readonly Answer[]> {
  using journal = await context.stores.journal()
  const words = await RequestWords.open(journal)
  const found: (Found | undefined)[] = []
  const looked: string[] = []
  const look = (what: string, one: Found | undefined): void => {
    looked.push(what)
    found.push(one)
  }
  if (/^r_\w{26}$/.test(text)) look('a request of the journal', requestOf(journal, words, text))
  const trace = traceIdIn(text)
  if (trace !== undefined) look('the requests of a trace', tracedBy(journal, words, trace))
  if (/^j_\w{26}$/.test(text)) look('a bulk job', await jobOf(context, journal, text))
  if (/^\d{1,18}$/.test(text)) {
    for (const [kind, place] of [
      ['pricelist', 'a price list that was changed from here'],
      ['period', 'a price period that was changed from here'],
      ['plastic', 'a plastic that was used from here'],
    ] as const) {
      const record = journal.requests
        .list({resource: resource(kind, text), limit: 20})
        .find(({effect}) => effect === 'done')
      const value = record && shownRequest(words, record)
      const about = value && `last: ${value.did}, ${value.state}`
      const next: Found['next'] = [['history', kind, {value: text}]]
      look(place, about === undefined ? undefined : {kind, id: text, about, value, view: requestView, next})
    }
  }
  if (!/^\d+$/.test(text) && text.length <= 64) {
    const [keyed] = journal.requests.findKey(text)
    look('an idempotency key', keyed && requestOf(journal, words, keyed.id))
    const control = `control:${journal.store.digest(text).slice(0, 16)}`
    const touched = journal.requests
      .touchedWith(control, Number.POSITIVE_INFINITY)
      .find(one => one.startsWith('plastic:'))
    const plastic = touched?.slice('plastic:'.length)
    look(
      'a control id that was used from here',
      plastic === undefined
        ? undefined
        : {
            kind: 'plastic',
            id: plastic,
            about: 'the plastic of this control id',
            value: {plasticId: plastic},
            view: genericView,
            next: [['history', 'plastic', {value: plastic}]],
          },
    )
  }
  return looked.map((what, at): Answer => {
    const one = found[at]
    return one === undefined
      ? {looked: {what, result: 'none'}}
      : {looked: {what, result: 'found'}, found: one}
  })
}

function requestOf(journal: Journal, words: RequestWords, id: string): Found | undefined {
  const record = journal.requests.get(id)
  if (record === undefined) {
    journal.others.refuseElsewhere({request: id})
    return undefined
  }
  const value = shownRequest(words, record)
  return {
    kind: 'request',
    id,
    about: `${value.did}, ${value.state}`,
    value,
    view: requestView,
    next: [['requests', 'show', {value: id}]],
  }
}

/** The newest request that was sent under a trace. */
function tracedBy(journal: Journal, words: RequestWords, trace: string): Found | undefined {
  const [newest] = journal.requests.list({trace, limit: 1})
  const found = newest && requestOf(journal, words, newest.id)
  return found && {...found, next: [['requests', 'list', '--trace', {value: trace}], ...found.next]}
}

async function jobOf(context: Context, journal: Journal, id: string): Promise<Found | undefined> {
  const store = new JobStore(journal, context.surroundings.now)
  try {
    const value = await summaryOf(context, store, store.get(id))
    const next: Found['next'] = [
      ['bulk', 'status', {value: id}],
      ['bulk', 'results', {value: id}],
    ]
    return {kind: 'job', id, about: `${value.operation}, ${value.state}`, value, view: bulkJobView, next}
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
