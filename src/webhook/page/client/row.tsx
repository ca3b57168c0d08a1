import type {Call} from './call.ts'
import {toneOf} from './latency.ts'
import {clockText, millisText} from './text.ts'

interface Props {
  readonly call: Call
  /** px from the top of the list. */
  readonly top: number
  readonly place: number
  readonly of: number
  readonly selected: boolean
  onSelect(): void
}

export function Row({call, top, place, of, selected, onSelect}: Props) {
  const {event, at, ending, decision, title, alarm, note, currency, amount} = call
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list are those of the page.
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active row.
    <div
      id={`call-${event}`}
      class="row"
      role="option"
      data-ending={ending}
      aria-selected={selected}
      aria-posinset={place}
      aria-setsize={of}
      style={{transform: `translateY(${top}px)`}}
      onClick={onSelect}
    >
      <span class="time" title={clockText(at, {millis: true})}>
        {clockText(at)}
      </span>
      <span class="who">
        <bdi>{title}</bdi>
        {alarm && (
          <small class="alarm" data-tone="bad">
            {alarm}
          </small>
        )}
        {note && <small>{note}</small>}
      </span>
      <span class="money">
        {currency && <small>{currency}</small>}
        {amount}
      </span>
      <span class="said" title={decision}>
        <i class="dot" />
        <span>{decision}</span>
      </span>
      <Took call={call} />
    </div>
  )
}

/** The share of the deadline as a bar, and the time itself. Of a caller that had gone there is no share to tell. */
export function Took({call: {ms, deadlineMs, gone}}: {call: Pick<Call, 'ms' | 'deadlineMs' | 'gone'>}) {
  const share = deadlineMs === undefined || gone ? undefined : ms / deadlineMs
  return (
    <span class="took" data-tone={gone ? 'bad' : share === undefined ? 'calm' : toneOf(share)}>
      {share !== undefined && (
        <span class="meter">
          <i style={{width: `${Math.min(1, share) * 100}%`}} />
        </span>
      )}
      <span class="ms">{millisText(ms)} ms</span>
    </span>
  )
}
