import type {Hello} from '../wire.ts'
import type {Deeds} from './deeds.ts'
import {EVERYTHING} from './filter.ts'
import {Icon, Mark} from './icons.tsx'
import type {Action} from './state.ts'

interface Props {
  readonly total: number
  readonly hello: Hello | undefined
  readonly deeds: Deeds
  dispatch(action: Action): void
}

/** What to do when the list is empty: send a first call, or let the filter go. */
export function Empty({total, hello, deeds, dispatch}: Props) {
  if (total > 0) {
    return (
      <div class="empty">
        <p>None of {total} calls fits the filter.</p>
        <button type="button" class="button" onClick={() => dispatch({type: 'filter', filter: EVERYTHING})}>
          Show all
        </button>
      </div>
    )
  }
  if (!hello) return null
  const command = `cardctl webhook trigger auth --to ${hello.url}`
  return (
    <div class="empty">
      <Mark />
      <h2>Waiting for the first call</h2>
      <p>Send one from another terminal:</p>
      <button type="button" class="command" onClick={() => deeds.copy(command, 'the command')}>
        <code>{command}</code>
        <Icon name="copy" />
      </button>
      <p class="quiet">
        or point the service’s webhook at <code>{hello.url}</code>. Press <kbd>?</kbd> for the keys.
      </p>
    </div>
  )
}
