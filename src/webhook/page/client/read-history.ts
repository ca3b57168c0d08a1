import type {Exchange} from '../../exchange.ts'
import {type HistoryPage, isBrief} from '../wire.ts'
import {type Call, toCall} from './call.ts'
import {ask} from './key.ts'
import {type Action, historyStart, type State} from './state.ts'

/** Reads the next page of the recording. */
export async function readOlder(state: State, dispatch: (action: Action) => void): Promise<void> {
  dispatch({type: 'loading'})
  const start = historyStart(state)
  const query = new URLSearchParams({
    ...(start && {before: String(start.at)}),
    ...(start?.event !== undefined && {event: start.event}),
  })
  const page = await read<HistoryPage>(`history?${query}`)
  dispatch({type: 'older', start: state.next, page: page && {...page, calls: page.calls.map(toCall)}})
}

/** Reads a whole call of the recording. */
export async function readWhole(event: string, dispatch: (action: Action) => void): Promise<void> {
  const exchange = await read<Exchange>(`call?${new URLSearchParams({event})}`)
  dispatch({type: 'whole', event, call: exchange && toCall(exchange)})
}

/** Finds the call that another one is a replay of, on the page or in the recording. */
export async function readBefore(
  event: string,
  replayed: string,
  calls: readonly Call[],
  dispatch: (action: Action) => void,
): Promise<void> {
  const held = calls.find(call => call.event === replayed)
  const whole =
    held && !isBrief(held.exchange)
      ? held.exchange
      : await read<Exchange>(`call?${new URLSearchParams({event: replayed})}`)
  dispatch({type: 'before', event, before: whole ? toCall(whole) : 'missing'})
}

async function read<Value>(path: string): Promise<Value | undefined> {
  try {
    const response = await ask(path)
    return response.ok ? ((await response.json()) as Value) : undefined
  } catch {
    return undefined
  }
}
