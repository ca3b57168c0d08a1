import {type Filter, GROUPS, type State} from './state.ts'

/** What the address of the page says after its `#`, which browsers don't send: the call and the filter. */
export interface Address {
  readonly event?: string
  readonly filter: Filter
}

/** `call=e_01…&q=mcc:5411&show=late,declined`. */
export function readAddress(hash: string): Address {
  const found = new URLSearchParams(hash.replace(/^#/, ''))
  const event = found.get('call') ?? ''
  const names = (found.get('show') ?? '').split(',')
  return {
    ...(event !== '' && {event}),
    filter: {text: found.get('q') ?? '', groups: new Set(GROUPS.filter(group => names.includes(group)))},
  }
}

export function writeAddress({event, filter: {text, groups}}: Address): string {
  const parts = new URLSearchParams({
    ...(event !== undefined && {call: event}),
    ...(text.trim() !== '' && {q: text}),
    ...(groups.size > 0 && {show: [...groups].join(',')}),
  })
  return parts.size === 0 ? '' : `#${parts}`
}

/** The state that an address asks for. */
export function startAt(start: State, hash: string): State {
  const {event, filter} = readAddress(hash)
  return {...start, filter, ...(event !== undefined && {selected: {event}})}
}
