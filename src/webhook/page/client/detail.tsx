import {lateAnswerAdvice} from '../../../contract/late-answer.ts'
import {type Hello, isBrief} from '../wire.ts'
import type {Call} from './call.ts'
import {answerOf} from './compare-answers.ts'
import {Conversation} from './conversation.tsx'
import {Elsewhere} from './elsewhere.tsx'
import {Icon} from './icons.tsx'
import {JsonTree} from './json-tree.tsx'
import {toneOf} from './latency.ts'
import type {PageActions} from './page-actions.ts'
import {canReplay} from './replay.ts'
import type {Action, State} from './state.ts'
import {amountText, clockText, millisText, sentenceOf, visible} from './text.ts'
import {ThenAndNow} from './then-and-now.tsx'

/** How much of the deadline went. */
function Timing({call: {ms, deadlineMs, ending, gone}}: {call: Call}) {
  const share = deadlineMs === undefined || gone ? undefined : ms / deadlineMs
  return (
    <section class="part timing" data-tone={gone ? 'bad' : share === undefined ? 'calm' : toneOf(share)}>
      <h3>Timing</h3>
      <p>
        <strong class="spent">{millisText(ms)} ms</strong>
        {deadlineMs !== undefined && share !== undefined && (
          <span class="quiet">
            {' '}
            of {millisText(deadlineMs)} ms, {share < 0.01 ? 'less than 1' : Math.round(share * 100)}%
          </span>
        )}
        {gone && <span class="quiet"> here; how long the caller waited is unknown</span>}
      </p>
      {share !== undefined && (
        <span class="scale" aria-hidden="true">
          <i style={{width: `${Math.min(1, share) * 100}%`}} />
        </span>
      )}
      {ending === 'late' && <p class="advice">{sentenceOf(lateAnswerAdvice(gone))}</p>}
    </section>
  )
}

interface Props {
  readonly selected: State['selected']
  readonly elsewhere: boolean
  readonly hello: Hello | undefined
  readonly actions: PageActions
  dispatch(action: Action): void
}

/** Everything about one call. */
export function Detail({selected, elsewhere, hello, actions, dispatch}: Props) {
  const {call, waiting} = selected ?? {}
  const before = selected?.before === 'missing' ? undefined : selected?.before
  const back = (
    <button
      type="button"
      class="tool back"
      aria-label="Back to the list"
      onClick={() => dispatch({type: 'select', event: undefined})}
    >
      <Icon name="back" />
    </button>
  )
  if (call) {
    return (
      <article key={call.event} class="detail" aria-label={call.title}>
        <div class="title">
          {back}
          <h2>
            <bdi>{call.title}</bdi>
          </h2>
          <p class="amount">
            {call.currency && <small>{call.currency}</small>} {call.amount}
          </p>
          <p class="badge" data-ending={call.ending}>
            <i class="dot" />
            {call.decision}
          </p>
          {call.alarm && (
            <p class="alarm" data-tone="bad">
              {call.alarm}: decided by its own content
            </p>
          )}
          <p class="quiet">
            {[clockText(call.at, {millis: true}), call.note, ...call.facts].filter(Boolean).join(' · ')}
          </p>
        </div>
        <Buttons call={call} hello={hello} actions={actions} dispatch={dispatch} />
        {elsewhere && canReplay(call.exchange) && !isBrief(call.exchange) && (
          <Elsewhere
            key={call.event}
            call={call}
            hello={hello}
            actions={actions}
            onClose={() => dispatch({type: 'elsewhere', open: false})}
          />
        )}
        {before && !isBrief(call.exchange) && (
          <ThenAndNow
            before={answerOf(before.exchange)}
            now={answerOf(call.exchange)}
            onShowBefore={() => dispatch({type: 'select', event: before.event})}
          />
        )}
        <Timing call={call} />
        {isBrief(call.exchange) ? (
          <p class="part quiet">Reading the call …</p>
        ) : (
          <Conversation call={call} actions={actions} />
        )}
      </article>
    )
  }
  if (waiting) {
    const {summary, at, body} = waiting
    return (
      <article key={waiting.event} class="detail">
        <div class="title">
          {back}
          <h2>
            <bdi>{visible(summary.merchant)}</bdi>
          </h2>
          <p class="amount">
            <small>{summary.currency}</small>{' '}
            {summary.amount === undefined ? '' : amountText(summary.amount, summary.currency)}
          </p>
          <p class="badge" data-ending="waiting">
            <i class="dot" />
            waiting
          </p>
          <p class="quiet">{clockText(at, {millis: true})}</p>
        </div>
        <section class="part">
          <h3>Request</h3>
          <JsonTree value={body} unknown={summary.unknown} />
        </section>
      </article>
    )
  }
  if (selected?.missing) {
    return (
      <div class="nothing">
        {back}
        <p>This call is not recorded, or no longer.</p>
      </div>
    )
  }
  return (
    <div class="nothing">
      <p>Select a call to see the request, the answer and the reason.</p>
      <p class="about-keys">
        <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>/</kbd> to filter, <kbd>?</kbd> for all keys
      </p>
    </div>
  )
}

function Buttons({call, hello, actions, dispatch}: Omit<Props, 'selected' | 'elsewhere'> & {call: Call}) {
  if (!canReplay(call.exchange)) return null
  return (
    <div class="buttons">
      <button type="button" class="button" onClick={() => actions.replay(call)}>
        <Icon name="replay" /> Replay <kbd>r</kbd>
      </button>
      <button type="button" class="button" onClick={() => actions.edit(call)}>
        <Icon name="edit" /> Edit and replay <kbd>e</kbd>
      </button>
      <button type="button" class="button" onClick={() => dispatch({type: 'elsewhere', open: true})}>
        <Icon name="out" /> Replay elsewhere <kbd>o</kbd>
      </button>
      <button type="button" class="button" onClick={() => hello && actions.copyCurl(call, hello)}>
        <Icon name="copy" /> Copy as curl <kbd>c</kbd>
      </button>
    </div>
  )
}
