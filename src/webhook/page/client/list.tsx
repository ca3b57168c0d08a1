import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {Hello} from '../wire.ts'
import type {Call} from './call.ts'
import {Icon, Mark} from './icons.tsx'
import {toneOf} from './latency.ts'
import type {PageActions} from './page-actions.ts'
import {type Action, EVERYTHING} from './state.ts'
import {clockText, millisText} from './text.ts'

interface Props {
  /** Those that the filter lets through, newest first. */
  readonly calls: readonly Call[]
  readonly total: number
  /** Whether calls wait above the list. */
  readonly isWaiting: boolean
  readonly selected: string | undefined
  readonly hello: Hello | undefined
  readonly actions: PageActions
  dispatch(action: Action): void
}

/** Heights of a row, as page.css draws it: in one line, and in two where there is little room. */
const ROW = {wide: 36, narrow: 56} as const
const NARROW_BELOW = 600
/** Rows that are drawn beyond what is seen. */
const MARGIN = 8

/** The list of calls. Only the rows in sight exist, so that a thousand cost no more than thirty. */
export function List({calls, total, isWaiting, selected, hello, actions, dispatch}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({top: 0, height: 800, width: 1000})
  const height = view.width < NARROW_BELOW ? ROW.narrow : ROW.wide
  const first = useRef<string>(undefined)
  const [seen, setSeen] = useState<string>()

  const look = () => {
    const {scrollTop = 0, clientHeight = 0, clientWidth = 0} = scroller.current ?? {}
    setView({top: scrollTop, height: clientHeight, width: clientWidth})
  }
  useEffect(() => {
    const observer = new ResizeObserver(look)
    if (scroller.current) observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [])

  // New calls come on top: whoever has scrolled down keeps what they look at.
  useLayoutEffect(() => {
    const box = scroller.current
    const added = calls.findIndex(({event}) => event === first.current)
    first.current = calls[0]?.event
    if (!box) return
    if (box.scrollTop === 0) setSeen(calls[0]?.event)
    else if (added > 0) box.scrollTop += added * height
  }, [calls, height])
  useEffect(() => {
    if (view.top === 0) setSeen(calls[0]?.event)
  }, [view.top])

  // What is chosen by a key is brought into sight; what new calls push away is not.
  useEffect(() => {
    const box = scroller.current
    const at = calls.findIndex(({event}) => event === selected)
    if (!box || at < 0) return
    if (at * height < box.scrollTop) box.scrollTop = at * height
    else if ((at + 1) * height > box.scrollTop + box.clientHeight)
      box.scrollTop = (at + 1) * height - box.clientHeight
  }, [selected, height])

  const from = Math.max(0, Math.floor(view.top / height) - MARGIN)
  const to = Math.ceil((view.top + view.height) / height) + MARGIN
  const unseen =
    view.top === 0
      ? 0
      : Math.max(
          0,
          calls.findIndex(({event}) => event === seen),
        )
  return (
    <div class="list" data-rows={height === ROW.wide ? 'wide' : 'narrow'}>
      {calls.length > 0 && (
        <div class="columns row" aria-hidden="true">
          <span class="time">Time</span>
          <span class="who">Merchant</span>
          <span class="money">Amount</span>
          <span class="said">Decision</span>
          <span class="took">Time taken</span>
        </div>
      )}
      {unseen > 0 && (
        <button type="button" class="newer" onClick={() => scroller.current?.scrollTo({top: 0})}>
          <Icon name="up" />
          {unseen} new
        </button>
      )}
      <div
        ref={scroller}
        class="scroller"
        role="listbox"
        tabIndex={0}
        aria-label="Calls, newest first"
        aria-activedescendant={selected && `call-${selected}`}
        onScroll={look}
      >
        <div class="rows" role="presentation" style={{height: `${calls.length * height}px`}}>
          {calls.slice(from, to).map((call, index) => (
            <Row
              key={call.event}
              call={call}
              top={(from + index) * height}
              place={from + index + 1}
              of={calls.length}
              selected={call.event === selected}
              onSelect={() => dispatch({type: 'select', event: call.event})}
            />
          ))}
        </div>
        {calls.length === 0 && !(isWaiting && total === 0) && (
          <Empty total={total} hello={hello} actions={actions} dispatch={dispatch} />
        )}
      </div>
    </div>
  )
}

interface RowProps {
  readonly call: Call
  /** px from the top of the list. */
  readonly top: number
  readonly place: number
  readonly of: number
  readonly selected: boolean
  onSelect(): void
}

function Row({call, top, place, of, selected, onSelect}: RowProps) {
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
function Took({call: {ms, deadlineMs, gone}}: {call: Pick<Call, 'ms' | 'deadlineMs' | 'gone'>}) {
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

interface EmptyProps {
  readonly total: number
  readonly hello: Hello | undefined
  readonly actions: PageActions
  dispatch(action: Action): void
}

/** What to do when the list is empty: send a first call, or let the filter go. */
function Empty({total, hello, actions, dispatch}: EmptyProps) {
  if (total > 0) {
    return (
      <div class="empty">
        <p>None of the {total} calls matches the filter.</p>
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
      <button type="button" class="command" onClick={() => actions.copy(command, 'the command')}>
        <code>{command}</code>
        <Icon name="copy" />
      </button>
      <p class="quiet">
        or point the service’s webhook at <code>{hello.url}</code>. Press <kbd>?</kbd> for the keys.
      </p>
    </div>
  )
}
