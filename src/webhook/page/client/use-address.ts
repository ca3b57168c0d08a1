import {useEffect} from 'preact/hooks'
import {readAddress, writeAddress} from './address.ts'
import type {Action, State} from './state.ts'

/** Keeps the address of the page and its state the same: a reload or a link shows the same again. */
export function useAddress({selected, filter}: State, dispatch: (action: Action) => void): void {
  const event = selected?.event
  useEffect(() => {
    const wanted = writeAddress({...(event !== undefined && {event}), filter})
    if (wanted !== location.hash) history.replaceState(null, '', wanted === '' ? location.pathname : wanted)
  }, [event, filter])
  useEffect(() => {
    const read = () => {
      const address = readAddress(location.hash)
      dispatch({type: 'filter', filter: address.filter})
      dispatch({type: 'select', event: address.event})
    }
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [dispatch])
}
