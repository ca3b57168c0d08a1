import {parseSearch} from '../../search.ts'
import type {Hello, SendRequest, Waiting} from '../wire.ts'
import type {Call, Ending} from './call.ts'

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

/** The calls that match the text and belong to one of the groups. */
export function filtered(calls: readonly Call[], {text, groups}: Filter): readonly Call[] {
  if (text.trim() === '' && groups.size === 0) return calls
  const search = parseSearch(text)
  return calls.filter(
    ({ending, exchange, words}) =>
      (groups.size === 0 || groups.has(groupOf(ending))) && search.isMatch(exchange, words),
  )
}

export function countGroups(calls: readonly Call[]): Readonly<Record<Group, number>> {
  const counts = {approved: 0, partial: 0, declined: 0, late: 0, rejected: 0, other: 0}
  for (const {ending} of calls) counts[groupOf(ending)]++
  return counts
}

/** As many as the server keeps. */
const KEPT = 1000

export interface State {
  /** `locked`: the server doesn't know this browser. */
  readonly link: 'connecting' | 'live' | 'broken' | 'locked'
  readonly hello?: Hello
  /** Newest first. */
  readonly calls: readonly Call[]
  readonly waiting: readonly Waiting[]
  readonly filter: Filter
  /** The event that is looked at. It stays when it is no longer held. */
  readonly selected?: {readonly event: string; readonly call?: Call; readonly waiting?: Waiting}
  /** The id of a call that was sent from here: it is looked at when it comes. */
  readonly expected?: string
  readonly editing?: SendRequest
  readonly help: boolean
  readonly notice?: {readonly text: string; readonly bad?: boolean}
}

export type Action =
  | {readonly type: 'link'; readonly link: State['link']}
  | {readonly type: 'hello'; readonly hello: Hello}
  /** Oldest first. */
  | {readonly type: 'calls'; readonly calls: readonly Call[]}
  | {readonly type: 'waiting'; readonly waiting: readonly Waiting[]}
  | {readonly type: 'filter'; readonly filter: Partial<Filter>}
  | {readonly type: 'select'; readonly event: string | undefined}
  | {readonly type: 'move'; readonly by: number}
  | {readonly type: 'expect'; readonly id: string | undefined}
  | {readonly type: 'edit'; readonly editing: SendRequest | undefined}
  | {readonly type: 'help'; readonly help: boolean}
  | {readonly type: 'notice'; readonly notice: State['notice'] | undefined}

export const START: State = {link: 'connecting', calls: [], waiting: [], filter: EVERYTHING, help: false}

/** Everything that changes on the page, in one place and without a browser. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'link':
      // Waiting calls can't be answered from here now. When the server is back, it says which still wait.
      return {...state, link: action.link, waiting: []}
    case 'hello': {
      const anew = state.hello !== undefined && state.hello.epoch !== action.hello.epoch
      return {...state, ...(anew && {calls: [], waiting: []}), link: 'live', hello: action.hello}
    }
    case 'calls':
      return arrived(state, action.calls)
    case 'waiting':
      return {...state, waiting: action.waiting}
    case 'filter':
      return {...state, filter: {...state.filter, ...action.filter}}
    case 'select':
      return select(without(state, 'editing'), action.event)
    case 'move':
      return move(state, action.by)
    case 'expect':
      return action.id === undefined ? without(state, 'expected') : {...state, expected: action.id}
    case 'edit':
      return action.editing ? {...state, editing: action.editing} : without(state, 'editing')
    case 'help':
      return {...state, help: action.help}
    case 'notice':
      return action.notice ? {...state, notice: action.notice} : without(state, 'notice')
  }
}

function arrived(state: State, fresh: readonly Call[]): State {
  const calls = [...fresh.toReversed(), ...state.calls].slice(0, KEPT)
  const next = {...state, calls}
  const {selected, expected} = state
  const sent = expected === undefined ? undefined : fresh.find(({id}) => id === expected)
  if (sent) return select(without(next, 'expected'), sent.event)
  const answered = selected && fresh.find(({event}) => event === selected.event)
  return answered ? {...next, selected: {event: answered.event, call: answered}} : next
}

function select(state: State, event: string | undefined): State {
  if (event === undefined) return without(state, 'selected')
  const call = state.calls.find(call => call.event === event)
  const waiting = state.waiting.find(waiting => waiting.event === event)
  return {...state, selected: {event, ...(call && {call}), ...(waiting && {waiting})}}
}

function move(state: State, by: number): State {
  const shown = filtered(state.calls, state.filter)
  const at = shown.findIndex(({event}) => event === state.selected?.event)
  const next = at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))
  return shown[next] ? select(without(state, 'editing'), shown[next].event) : state
}

type Optional = 'selected' | 'expected' | 'editing' | 'notice'

function without<Key extends Optional>(state: State, key: Key): State {
  const {[key]: _, ...rest} = state
  return rest as State
}
