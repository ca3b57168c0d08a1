import type {StreamMessages} from '../wire.ts'
import {toCall} from './call.ts'
import type {Action} from './state.ts'

const AGAIN_MS = 2000

/** Keeps the stream of the server open and turns its messages into actions. Gives what ends it. */
export function connect(dispatch: (action: Action) => void): () => void {
  let source: EventSource
  let timer: number | undefined
  let epoch: string | undefined
  /** The position of the last call: the server may have let go of some while the connection was lost. */
  let seen: number | undefined

  function open(): void {
    source = new EventSource('/_inspect/stream')
    on('hello', hello => {
      if (hello.epoch !== epoch) seen = undefined
      epoch = hello.epoch
      dispatch({type: 'hello', hello})
    })
    on('calls', (exchanges, id) => {
      const position = Number(id.split(':').at(-1))
      const gap = seen !== undefined && position - exchanges.length > seen
      seen = position
      dispatch({type: 'calls', calls: exchanges.map(toCall), gap})
    })
    on('waiting', waiting => dispatch({type: 'waiting', waiting}))
    on('rules', rules => dispatch({type: 'rules', rules}))
    on('paused', () => {
      source.close()
      dispatch({type: 'link', link: 'paused'})
      addEventListener('focus', open, {once: true})
    })
    source.onerror = () => {
      dispatch({type: 'link', link: 'broken'})
      // The browser tries again by itself unless it was refused.
      if (source.readyState === EventSource.CLOSED) void ask()
    }
  }
  function on<Name extends keyof StreamMessages>(
    name: Name,
    take: (message: StreamMessages[Name], id: string) => void,
  ): void {
    source.addEventListener(name, ({data, lastEventId}) =>
      take(JSON.parse(data) as StreamMessages[Name], lastEventId),
    )
  }
  async function ask(): Promise<void> {
    const status = await fetch('/_inspect/session').then(
      response => response.status,
      () => 0,
    )
    if (status === 401) dispatch({type: 'link', link: 'locked'})
    else timer = window.setTimeout(open, AGAIN_MS)
  }

  open()
  return () => {
    window.clearTimeout(timer)
    removeEventListener('focus', open)
    source.close()
  }
}
