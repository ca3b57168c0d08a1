import type {Exchange} from '../../exchange.ts'
import type {HistoryPage} from '../wire.ts'
import {toCall} from './call.ts'
import {type Action, historyStart, type State} from './state.ts'

/** Reads the next page of the recording. */
export async function readOlder(state: State, dispatch: (action: Action) => void): Promise<void> {
  dispatch({type: 'loading'})
  const start = historyStart(state)
  const query = new URLSearchParams({
    ...(start && {before: String(start.at)}),
    ...(start?.event !== undefined && {event: start.event}),
  })
  const page = await read<HistoryPage>(`/_inspect/history?${query}`)
  dispatch({type: 'older', start: state.next, page: page && {...page, calls: page.calls.map(toCall)}})
}

/** Reads a whole call of the recording. */
export async function readWhole(event: string, dispatch: (action: Action) => void): Promise<void> {
  const exchange = await read<Exchange>(`/_inspect/call?${new URLSearchParams({event})}`)
  dispatch({type: 'whole', event, call: exchange && toCall(exchange)})
}

async function read<Value>(path: string): Promise<Value | undefined> {
  try {
    const response = await fetch(path)
    return response.ok ? ((await response.json()) as Value) : undefined
  } catch {
    return undefined
  }
}
