import {render} from 'preact'
import {useEffect, useMemo, useReducer, useRef, useState} from 'preact/hooks'
import {isBrief, type Waiting} from '../wire.ts'
import {startAt} from './address.ts'
import {connect} from './connect.ts'
import {Detail} from './detail.tsx'
import {Editor} from './editor.tsx'
import {Filters} from './filters.tsx'
import {Header, useTheme} from './header.tsx'
import {Help, keyOf} from './help.tsx'
import {Mark} from './icons.tsx'
import {takeKey} from './key.ts'
import {List} from './list.tsx'
import {Overview} from './overview.tsx'
import {createPageActions} from './page-actions.ts'
import {readBefore, readOlder, readWhole} from './read-history.ts'
import {replayedEvent} from './replay.ts'
import {DEFAULT_CODE} from './response-codes.ts'
import {Rules} from './rules.tsx'
import {type Action, reduce, START, type State} from './state.ts'
import {useAddress} from './use-address.ts'
import {useMarked, WaitingCalls} from './waiting.tsx'

const SHOWN_MS = 4000

/** What has just been done, or why not. */
function Notice({notice, dispatch}: {notice: State['notice']; dispatch(action: Action): void}) {
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => dispatch({type: 'notice', notice: undefined}), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice, dispatch])
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice && (
        <p class="notice" data-tone={notice.bad ? 'bad' : 'good'}>
          {notice.text}
        </p>
      )}
    </div>
  )
}

/** The window was not let in: it came without the link, or the key has changed. */
const Locked = () => (
  <main class="alone">
    <Mark />
    <h1>Open this page with its link</h1>
    <p>
      <code>cardctl webhook serve --inspect</code> prints a link when it starts. Each window is opened by that
      link.
    </p>
  </main>
)

/** Says that what stands here is no longer live. */
const Banner = ({link}: {link: State['link']}) =>
  link === 'broken' || link === 'paused' ? (
    <p class="banner" role="alert">
      {link === 'broken'
        ? 'The server does not respond. The page shows earlier calls and keeps trying.'
        : 'Paused, because four newer windows show this page. It goes on when you come back to it.'}
    </p>
  ) : null

/** Reads the whole of the call that is looked at, if the page has only what the list shows, or nothing. */
function useWhole({hello, link, selected}: State, dispatch: (action: Action) => void): void {
  const {event, call, waiting, missing} = selected ?? {}
  const isPart = call ? isBrief(call.exchange) : !waiting && !missing
  useEffect(() => {
    if (event === undefined || !isPart || link !== 'live') return
    if (hello?.history) void readWhole(event, dispatch)
  }, [event, isPart, link, hello?.history, dispatch])
}

/** Finds the call of which the one that is looked at is a replay. */
function useBefore({link, selected, calls}: State, dispatch: (action: Action) => void): void {
  const {event, call, before} = selected ?? {}
  const replayed = before ? undefined : replayedEvent(call?.id)
  useEffect(() => {
    if (event === undefined || replayed === undefined || link !== 'live') return
    void readBefore(event, replayed, calls, dispatch)
  }, [event, replayed, link, dispatch])
}

function App() {
  const [state, dispatch] = useReducer(reduce, START, start => startAt(start, location.hash))
  const [theme, nextTheme] = useTheme()
  const [codes, setCodes] = useState<Readonly<Record<string, string>>>({})
  const search = useRef<HTMLInputElement>(null)
  const actions = useMemo(() => createPageActions(dispatch), [])
  const {hello, selected, editing} = state
  const {marked, isSettled} = useMarked(state.waiting, selected?.event)

  useEffect(() => connect(dispatch), [])
  useAddress(state, dispatch)
  useWhole(state, dispatch)
  useBefore(state, dispatch)
  useEffect(() => {
    const count = hello?.ask ? state.waiting.length : 0
    document.title = count === 0 ? 'cardctl inspector' : `(${count}) cardctl inspector`
  }, [hello?.ask, state.waiting.length])

  /** The code to decline a call with, if it is declined: each has its own. */
  const codeFor = ({event}: Waiting): string => codes[event] ?? DEFAULT_CODE
  const setCode = ({event}: Waiting, code: string): void => {
    const waits = new Set(state.waiting.map(each => each.event))
    const kept = Object.entries(codes).filter(([each]) => waits.has(each))
    setCodes({...Object.fromEntries(kept), [event]: code})
  }

  function back(): void {
    if (state.help) dispatch({type: 'help', help: false})
    else if (editing) dispatch({type: 'edit', editing: undefined})
    else if (state.elsewhere && selected?.call) dispatch({type: 'elsewhere', open: false})
    else if (document.activeElement === search.current) search.current?.blur()
    else dispatch({type: 'select', event: undefined})
  }

  function onKey(event: KeyboardEvent): void {
    const key = keyOf(event)
    if (key === undefined || (state.help && key !== 'Escape' && key !== '?')) return
    if (editing && key !== 'Escape') return
    event.preventDefault()
    const call = selected?.call
    if (key === 'j') dispatch({type: 'move', by: 1})
    else if (key === 'k') dispatch({type: 'move', by: -1})
    else if (key === 'g') dispatch({type: 'move', by: Number.NEGATIVE_INFINITY})
    else if (key === '/') search.current?.focus()
    else if (key === 't') nextTheme()
    else if (key === '?') dispatch({type: 'help', help: !state.help})
    else if (key === 'Escape') back()
    else if (key === 'a' && hello?.ask && marked && isSettled()) actions.answer(marked, {approve: true})
    else if (key === 'd' && hello?.ask && marked && isSettled())
      actions.answer(marked, {decline: codeFor(marked)})
    else if (key === 'r' && call) actions.replay(call)
    else if (key === 'e' && call) actions.edit(call)
    else if (key === 'o' && call) dispatch({type: 'elsewhere', open: true})
    else if (key === 'c' && call && hello) actions.copyCurl(call, hello)
  }
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })

  if (state.link === 'locked') return <Locked />
  const answering = {codeFor, setCode, actions, dispatch}
  const waiting = {waiting: state.waiting, ask: hello?.ask ?? false, marked, ...answering}
  return (
    <div class="page" data-open={selected ? 'detail' : 'list'}>
      <Header
        link={state.link}
        hello={hello}
        theme={theme}
        nextTheme={nextTheme}
        actions={actions}
        dispatch={dispatch}
      />
      <Banner link={state.link} />
      <main class="panes">
        <section class="pane pane-list" aria-label="Calls">
          <WaitingCalls {...waiting} selected={selected?.event} />
          <Overview calls={state.shown} deadlineMs={hello?.deadlineMs} />
          {state.rules && <Rules rules={state.rules} />}
          <Filters counts={state.counts} filter={state.filter} search={search} dispatch={dispatch} />
          <List
            state={state}
            isWaiting={waiting.ask && state.waiting.length > 0}
            actions={actions}
            onOlder={() => void readOlder(state, dispatch)}
            dispatch={dispatch}
          />
        </section>
        <section class="pane pane-detail" aria-label="One call">
          {editing ? (
            <Editor key={JSON.stringify(editing)} request={editing} actions={actions} dispatch={dispatch} />
          ) : (
            <Detail
              selected={selected}
              elsewhere={state.elsewhere}
              hello={hello}
              actions={actions}
              dispatch={dispatch}
            />
          )}
        </section>
      </main>
      <Notice notice={state.notice} dispatch={dispatch} />
      <Help open={state.help} dispatch={dispatch} />
    </div>
  )
}

takeKey()
const root = document.getElementById('root')
if (root) render(<App />, root)
