import type {StreamMessages} from '../wire.ts'
import {toCall} from './call.ts'
import {ask, streamPath} from './key.ts'
import type {Action} from './state.ts'

const AGAIN_MS = 2000

/** Keeps the stream of the server open and turns its messages into actions. Gives what ends it. */
export function connect(dispatch: (action: Action) => void): () => void {
  let source: EventSource | undefined
  let timer: number | undefined
  let epoch: string | undefined
  let isOver = false
  /** The position of the last call: the server may have let go of some while the connection was lost. */
  let seen: number | undefined

  async function open(): Promise<void> {
    const status = await ask('session').then(
      response => response.status,
      () => 0,
    )
    if (isOver) return
    if (status === 401) return dispatch({type: 'link', link: 'locked'})
    if (status !== 200) return again()
    source = new EventSource(streamPath())
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
      source?.close()
      dispatch({type: 'link', link: 'paused'})
      addEventListener('focus', reopen, {once: true})
    })
    source.onerror = () => {
      // The browser tries again by itself unless it was refused.
      if (source?.readyState === EventSource.CLOSED) again()
      else dispatch({type: 'link', link: 'broken'})
    }
  }
  const reopen = () => void open()
  function again(): void {
    dispatch({type: 'link', link: 'broken'})
    timer = window.setTimeout(reopen, AGAIN_MS)
  }
  function on<Name extends keyof StreamMessages>(
    name: Name,
    take: (message: StreamMessages[Name], id: string) => void,
  ): void {
    source?.addEventListener(name, ({data, lastEventId}) =>
      take(JSON.parse(data) as StreamMessages[Name], lastEventId),
    )
  }
  reopen()
  return () => {
    isOver = true
    window.clearTimeout(timer)
    removeEventListener('focus', reopen)
    source?.close()
  }
}
