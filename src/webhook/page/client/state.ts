import {parseSearch} from '../../search.ts'
import {
  type Hello,
  type HistoryPage,
  isBrief,
  type SendRequest,
  type StreamMessages,
  type Waiting,
} from '../wire.ts'
import {briefly, type Call, type Ending} from './call.ts'

/** Groups of endings that a chip switches. */
export const GROUPS = ['approved', 'partial', 'declined', 'late', 'rejected', 'other'] as const
export type Group = (typeof GROUPS)[number]

export interface Filter {
  readonly text: string
  /** None means all. */
  readonly groups: ReadonlySet<Group>
}

export const EVERYTHING: Filter = {text: '', groups: new Set()}

const groupOf = (ending: Ending): Group =>
  ending === 'none' || ending === 'broken' || ending === 'warm-up' ? 'other' : ending

/** Which calls a filter lets through. */
function matcherOf({text, groups}: Filter): (call: Call) => boolean {
  const search = parseSearch(text)
  return ({ending, exchange, words}) =>
    (groups.size === 0 || groups.has(groupOf(ending))) && search.isMatch(exchange, words)
}

export const isEverything = ({text, groups}: Filter): boolean => text.trim() === '' && groups.size === 0

/** The calls that match the text and belong to one of the groups. */
export const filtered = (calls: readonly Call[], filter: Filter): readonly Call[] =>
  isEverything(filter) ? calls : calls.filter(matcherOf(filter))

export type Counts = Readonly<Record<Group, number>>

const NONE: Counts = {approved: 0, partial: 0, declined: 0, late: 0, rejected: 0, other: 0}

function countGroups(calls: readonly Call[], before: Counts = NONE): Counts {
  const counts = {...before}
  for (const {ending} of calls) counts[groupOf(ending)]++
  return counts
}

/** As many as the server keeps. Of older calls the page has only what the list shows. */
export const WHOLE = 1000
/** Beyond this number the oldest are let go, and read again when somebody scrolls there. */
const MOST = 100_000
const LESS = 90_000

export interface State {
  /** `locked`: the server doesn't know this browser. `paused`: newer windows have taken its connection. */
  readonly link: 'connecting' | 'live' | 'broken' | 'locked' | 'paused'
  readonly hello?: Hello
  /** Newest first. */
  readonly calls: readonly Call[]
  /** Those of them that the filter lets through. */
  readonly shown: readonly Call[]
  readonly counts: Counts
  /** How far the recording was read. */
  readonly history: 'more' | 'loading' | 'end' | 'failed'
  /** Where the next page of it starts. */
  readonly next?: HistoryPage['next']
  /** The number of calls in the recording, when it was read last. */
  readonly recorded: number
  readonly waiting: readonly Waiting[]
  /** How often each rule has decided. */
  readonly rules?: StreamMessages['rules']
  readonly filter: Filter
  /** The event that is looked at. It stays when it is no longer held. */
  readonly selected?: Selected
  /** The id of a call that was sent from here: it is looked at when it comes. */
  readonly expected?: string
  readonly editing?: SendRequest
  readonly help: boolean
  /** Whether calls can be sent to another endpoint now. */
  readonly elsewhere: boolean
  readonly notice?: {readonly text: string; readonly bad?: boolean}
}

export interface Selected {
  readonly event: string
  readonly call?: Call
  readonly waiting?: Waiting
  /** The recording doesn't have it. */
  readonly missing?: true
  /** The call that it is a replay of. */
  readonly before?: Call | 'missing'
}

export type Action =
  | {readonly type: 'link'; readonly link: State['link']}
  | {readonly type: 'hello'; readonly hello: Hello}
  /** Oldest first. `gap`: calls before them were missed. */
  | {readonly type: 'calls'; readonly calls: readonly Call[]; readonly gap?: boolean}
  | {readonly type: 'loading'}
  /** A page of the recording, undefined if it can't be read; and the `next` of the state that asked for it. */
  | {readonly type: 'older'; readonly start: State['next']; readonly page: HistoryPageOfCalls | undefined}
  /** The whole call of an event; undefined if nobody has it. */
  | {readonly type: 'whole'; readonly event: string; readonly call: Call | undefined}
  /** The call that the event is a replay of. */
  | {readonly type: 'before'; readonly event: string; readonly before: Call | 'missing'}
  | {readonly type: 'waiting'; readonly waiting: readonly Waiting[]}
  | {readonly type: 'rules'; readonly rules: StreamMessages['rules']}
  | {readonly type: 'filter'; readonly filter: Partial<Filter>}
  | {readonly type: 'select'; readonly event: string | undefined}
  | {readonly type: 'move'; readonly by: number}
  | {readonly type: 'expect'; readonly id: string | undefined}
  | {readonly type: 'edit'; readonly editing: SendRequest | undefined}
  | {readonly type: 'elsewhere'; readonly open: boolean}
  | {readonly type: 'help'; readonly help: boolean}
  | {readonly type: 'notice'; readonly notice: State['notice'] | undefined}

export const START: State = {
  link: 'connecting',
  calls: [],
  shown: [],
  counts: NONE,
  history: 'more',
  recorded: 0,
  waiting: [],
  filter: EVERYTHING,
  help: false,
  elsewhere: false,
}

/** Everything that changes on the page, in one place and without a browser. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'link':
      // Waiting calls can't be answered from here now. When the server is back, it says which still wait.
      return {...state, link: action.link, waiting: []}
    case 'hello': {
      const anew = state.hello !== undefined && state.hello.epoch !== action.hello.epoch
      const kept = anew ? {...without(holding(state, []), 'rules'), waiting: []} : state
      // What could not be read from a lost server is asked for again.
      const history = kept.history === 'failed' ? 'more' : kept.history
      return {...kept, history, link: 'live', hello: action.hello}
    }
    case 'calls':
      return arrived(action.gap ? holding(state, []) : state, action.calls)
    case 'loading':
      return {...state, history: 'loading'}
    case 'older':
      // The list may have begun anew meanwhile.
      if (action.start !== state.next) return state
      return action.page ? older(state, action.page) : {...state, history: 'failed'}
    case 'whole':
      return whole(state, action)
    case 'before':
      return state.selected?.event === action.event
        ? {...state, selected: {...state.selected, before: action.before}}
        : state
    case 'waiting':
      return {...state, waiting: action.waiting}
    case 'rules':
      return {...state, rules: action.rules}
    case 'filter': {
      const filter = {...state.filter, ...action.filter}
      return {...state, filter, shown: filtered(state.calls, filter)}
    }
    case 'select':
      return select(without(state, 'editing'), action.event)
    case 'move':
      return move(state, action.by)
    case 'expect':
      return action.id === undefined ? without(state, 'expected') : {...state, expected: action.id}
    case 'edit':
      return action.editing ? {...state, editing: action.editing} : without(state, 'editing')
    case 'elsewhere':
      return {...state, elsewhere: action.open}
    case 'help':
      return {...state, help: action.help}
    case 'notice':
      return action.notice ? {...state, notice: action.notice} : without(state, 'notice')
  }
}

/** The stream may have brought the call meanwhile, before the recording had it. */
function whole(state: State, {event, call}: Extract<Action, {type: 'whole'}>): State {
  const {selected} = state
  if (selected?.event !== event) return state
  if (call) return {...state, selected: {event, call}}
  return selected.call && !isBrief(selected.call.exchange)
    ? state
    : {...state, selected: {event, missing: true}}
}

/** The state with these calls; the recording is read on from the last of them. */
function holding(state: State, calls: readonly Call[]): State {
  const shown = filtered(calls, state.filter)
  const last = calls.at(-1)
  const next = last && {at: last.at, event: last.event}
  return {
    ...without(state, 'next'),
    ...(next && {next}),
    calls,
    shown,
    counts: countGroups(calls),
    history: 'more',
  }
}

function arrived(state: State, fresh: readonly Call[]): State {
  const next = added(state, fresh.toReversed())
  const {selected, expected} = state
  const sent = expected === undefined ? undefined : fresh.find(({id}) => id === expected)
  if (sent) return select(without(next, 'expected'), sent.event)
  const answered = selected && fresh.find(({event}) => event === selected.event)
  return answered ? {...next, selected: {event: answered.event, call: answered}} : next
}

/** Calls that the recording gave before the stream are among the newest. */
const TWICE = 2000

/** Adds calls on top, newest first. Works only on what is new, because a list may have 100,000 calls. */
function added(state: State, fresh: readonly Call[]): State {
  const events = new Set(fresh.map(({event}) => event))
  const isTwice = ({event}: Call) => events.has(event)
  if (state.calls.slice(0, TWICE).some(isTwice)) {
    const {history, next} = state
    const once = holding(
      state,
      state.calls.filter(call => !isTwice(call)),
    )
    // A page of the recording may be on its way. It is known by where it starts, also by no place at all.
    return added({...without(once, 'next'), history, ...(next && {next})}, fresh)
  }
  const calls = [...fresh, ...state.calls]
  if (state.hello?.history !== true && calls.length > WHOLE) return holding(state, calls.slice(0, WHOLE))
  for (let at = WHOLE; at < Math.min(calls.length, WHOLE + fresh.length); at++) {
    const call = calls[at]
    if (call) calls[at] = briefly(call)
  }
  if (calls.length > MOST) return holding(state, calls.slice(0, LESS))
  const {filter} = state
  const shown = isEverything(filter) ? calls : [...filtered(fresh, filter), ...state.shown]
  return {...state, calls, shown, counts: countGroups(fresh, state.counts)}
}

/** Adds a page of the recording below. */
function older(state: State, {calls: page, next, total}: HistoryPageOfCalls): State {
  const from = page.at(-1)?.at ?? 0
  const held = new Set(state.calls.filter(({at}) => at >= from).map(({event}) => event))
  const fresh = page.filter(({event}) => !held.has(event))
  const calls = [...state.calls, ...fresh]
  const shown = isEverything(state.filter) ? calls : [...state.shown, ...filtered(fresh, state.filter)]
  const isFull = calls.length >= MOST
  return {
    ...without(state, 'next'),
    ...(next && {next}),
    calls,
    shown,
    counts: countGroups(fresh, state.counts),
    history: next && !isFull ? 'more' : 'end',
    recorded: total,
  }
}

type HistoryPageOfCalls = Omit<HistoryPage, 'calls'> & {readonly calls: readonly Call[]}

/** Where the recording is read on: below what the page has. */
export function historyStart({
  next,
  calls,
}: State): {readonly at: number; readonly event?: string} | undefined {
  if (next) return next
  const times = calls.map(({at}) => at)
  return times.length === 0 ? undefined : {at: times.reduce((least, at) => Math.min(least, at))}
}

function select(state: State, event: string | undefined): State {
  if (event === undefined) return without(state, 'selected')
  const call = state.calls.find(call => call.event === event)
  const waiting = state.waiting.find(waiting => waiting.event === event)
  return {...state, selected: {event, ...(call && {call}), ...(waiting && {waiting})}}
}

function move(state: State, by: number): State {
  const {shown} = state
  const at = shown.findIndex(({event}) => event === state.selected?.event)
  const next = at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))
  return shown[next] ? select(without(state, 'editing'), shown[next].event) : state
}

type Optional = 'next' | 'rules' | 'selected' | 'expected' | 'editing' | 'notice'

function without<Key extends Optional>(state: State, key: Key): State {
  const {[key]: _, ...rest} = state
  return rest as State
}
