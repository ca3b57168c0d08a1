import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {Call} from './call.ts'
import {Icon, Mark} from './icons.tsx'
import {toneOf} from './latency.ts'
import type {PageActions} from './page-actions.ts'
import {type Action, EVERYTHING, isEverything, type State, WHOLE} from './state.ts'
import {amountText, clockText, millisText} from './text.ts'

interface Props {
  readonly state: State
  /** Whether calls wait above the list. */
  readonly isWaiting: boolean
  readonly actions: PageActions
  /** Reads the next page of the recording. */
  onOlder(): void
  dispatch(action: Action): void
}

/** Heights of a row, as page.css draws it: in one line, and in two where there is little room. */
const ROW = {wide: 36, narrow: 56} as const
const NARROW_BELOW = 600
/** Rows that are drawn beyond what is seen. */
const MARGIN = 8
/** Screens ahead of which older calls are read. */
const AHEAD = 3
/** Pages of the recording that a filter reads by itself before somebody asks for more. */
const PAGES = 10

/** The list of calls. Only the rows in sight exist, so that a thousand cost no more than thirty. */
export function List({state, isWaiting, actions, onOlder, dispatch}: Props) {
  const {shown: calls} = state
  const total = state.calls.length
  const selected = state.selected?.event
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

  const isNear = view.top + AHEAD * view.height > calls.length * height
  const searchOn = useOlder(state, isNear, onOlder)

  const from = Math.max(0, Math.floor(view.top / height) - MARGIN)
  const to = Math.ceil((view.top + view.height) / height) + MARGIN
  const isDrawn = calls.slice(from, to).some(({event}) => event === selected)
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
        {...(calls.length > 0 && {
          role: 'listbox',
          tabIndex: 0,
          'aria-label': 'Calls, newest first',
          'aria-activedescendant': isDrawn ? `call-${selected}` : undefined,
        })}
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
          <Empty state={state} actions={actions} dispatch={dispatch} />
        )}
      </div>
      <Foot state={state} searchOn={searchOn} onOlder={onOlder} />
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

/** Reads older calls as somebody comes near the end of the list. Returns how to go on where a filter finds few. */
function useOlder({history, hello, filter, link, next}: State, isNear: boolean, onOlder: () => void) {
  const [pages, setPages] = useState(PAGES)
  useEffect(() => setPages(PAGES), [filter])
  useEffect(() => {
    if (!isNear || history !== 'more' || !hello?.history || link !== 'live') return
    if (!isEverything(filter) && pages === 0) return
    setPages(left => Math.max(0, left - 1))
    onOlder()
  }, [isNear, history, hello?.history, link, filter, pages > 0, next])
  return pages === 0 && !isEverything(filter) ? () => setPages(PAGES) : undefined
}

interface FootProps {
  readonly state: State
  readonly searchOn: (() => void) | undefined
  onOlder(): void
}

/** How many calls the list has, and how many there are. */
function Foot({state, searchOn, onOlder}: FootProps) {
  const {calls, shown, filter, history, recorded, hello} = state
  if (calls.length === 0) return null
  const isAll = isEverything(filter)
  const held = calls.length
  const total = hello?.history && history !== 'end' ? Math.max(recorded, held) : held
  const beyond = total > held ? ` of ${countText(total)} recorded` : ''
  return (
    <p class="foot quiet" role="status">
      <span>
        {isAll ? '' : `${countText(shown.length)} found in `}
        {countText(held)}
        {beyond} {held === 1 && beyond === '' ? 'call' : 'calls'}
        {hello?.history === false && held >= WHOLE && ': older ones are gone, because nothing is recorded'}
        {history === 'end' && state.next && ': this is as far back as the page goes'}
      </span>
      {history === 'loading' && <span>reading older calls …</span>}
      {history === 'failed' && (
        <button type="button" class="chip" onClick={onOlder}>
          Can’t read the recording. Try again
        </button>
      )}
      {history === 'more' && searchOn && (
        <button type="button" class="chip" onClick={searchOn}>
          Search older calls
        </button>
      )}
    </p>
  )
}

const countText = (count: number): string => amountText(count, undefined).replace(/[.].*$/, '')

interface EmptyProps {
  readonly state: State
  readonly actions: PageActions
  dispatch(action: Action): void
}

/** What to do when the list is empty: send a first call, or let the filter go. */
function Empty({state: {calls, hello, history}, actions, dispatch}: EmptyProps) {
  const total = calls.length
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
  if (!hello || (hello.history && (history === 'more' || history === 'loading'))) return null
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
        or point the service’s webhook at <code>{hello.url}</code>.{' '}
        <span class="about-keys">
          Press <kbd>?</kbd> for the keys.
        </span>
      </p>
    </div>
  )
}
