import {useEffect, useRef, useState} from 'preact/hooks'
import {typedPart} from '../../../money/decimal-sign.ts'
import type {Waiting} from '../wire.ts'
import {ID_USED} from './call.ts'
import {Icon} from './icons.tsx'
import {toneOf} from './latency.ts'
import type {PageActions} from './page-actions.ts'
import {DECLINES, wordsOf} from './response-codes.ts'
import type {Action} from './state.ts'
import {amountText, visible} from './text.ts'

interface CardProps {
  readonly waiting: Waiting
  readonly ask: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether keys answer this one. */
  readonly marked: boolean
  readonly selected: boolean
  readonly code: string
  readonly actions: PageActions
  setCode(code: string): void
  dispatch(action: Action): void
}

function WaitingCard({waiting, ask, now, marked, selected, code, setCode, actions, dispatch}: CardProps) {
  const {event, at, summary} = waiting
  const {merchant, amount, currency, kind, deadlineMs} = summary
  const left = Math.max(0, at + deadlineMs - now)
  return (
    <article class="card" data-marked={marked} data-tone={toneOf(1 - left / deadlineMs)}>
      <button
        type="button"
        class="card-about"
        aria-pressed={selected}
        title="Show the call"
        onClick={() => dispatch({type: 'select', event})}
      >
        <span class="card-who">
          <bdi>{visible(merchant) || 'Unnamed merchant'}</bdi>
          <small>{kind === 'payment' ? cardText(summary.cardId) : kind.replace('-', ' ')}</small>
        </span>
        <span class="card-money">
          <small>{currency}</small> {amount === undefined ? '' : amountText(amount, currency)}
        </span>
        <span class="card-left" role="timer" title="Time left">
          {(left / 1000).toFixed(1)} s
        </span>
      </button>
      {summary.reusedId !== undefined && (
        <p class="alarm card-alarm" data-tone="bad">
          {ID_USED}
        </p>
      )}
      {ask && (
        <div class="card-answers">
          <button
            type="button"
            class="button"
            data-tone="good"
            onClick={() => actions.answer(waiting, {approve: true})}
          >
            Approve {marked && <kbd>a</kbd>}
          </button>
          <span class="joined">
            <button
              type="button"
              class="button"
              data-tone="bad"
              onClick={() => actions.answer(waiting, {decline: code})}
            >
              Decline {marked && <kbd>d</kbd>}
            </button>
            <span class="button code" data-tone="bad" title={`${code} ${wordsOf(code) ?? ''}`}>
              {code}
              <Icon name="down" />
              <select
                aria-label="Code to decline with"
                value={code}
                onChange={({currentTarget}) => setCode(currentTarget.value)}
              >
                {DECLINES.map(([value, words]) => (
                  <option key={value} value={value}>
                    {value} {words}
                  </option>
                ))}
              </select>
            </span>
          </span>
          {canBePartial(waiting) && <Partial waiting={waiting} actions={actions} />}
        </div>
      )}
      <span class="drain" aria-hidden="true">
        <i style={{width: `${(left / deadlineMs) * 100}%`}} />
      </span>
    </article>
  )
}

const cardText = (cardId: string | undefined): string =>
  cardId === undefined ? '' : `card ${visible(cardId)}`

function Partial({waiting, actions}: {waiting: Waiting; actions: PageActions}) {
  const {amount = 0, currency = ''} = waiting.summary
  const [part, setPart] = useState('')
  const value = typedPart(part, amount)
  const fits = value !== undefined && value > 0 && value < amount
  const send = (event: Event) => {
    event.preventDefault()
    if (fits) actions.answer(waiting, {partial: {amount: value, currency}})
  }
  return (
    <form class="joined" onSubmit={send}>
      <input
        class="button"
        inputMode="decimal"
        aria-label={`Part of ${amount} ${currency} to approve`}
        placeholder="part"
        value={part}
        onInput={({currentTarget}) => setPart(currentTarget.value.trim())}
      />
      <button type="submit" class="button" disabled={!fits}>
        Partial
      </button>
    </form>
  )
}

function canBePartial({body, summary}: Waiting): boolean {
  const {transactionData} = body as {transactionData?: {partialApprovalCapable?: unknown}}
  return transactionData?.partialApprovalCapable === true && (summary.amount ?? 0) > 0
}

interface Props {
  readonly waiting: readonly Waiting[]
  readonly ask: boolean
  readonly marked: Waiting | undefined
  readonly selected: string | undefined
  readonly actions: PageActions
  /** The code that a call is declined with. */
  codeFor(waiting: Waiting): string
  setCode(waiting: Waiting, code: string): void
  dispatch(action: Action): void
}

/** Where no person is asked most calls wait for a moment only: those are not worth a flicker, ms. */
const WORTH_MS = 400

/** The calls that wait for a decision, on top of everything. */
export function WaitingCalls(props: Props) {
  const {waiting, ask, marked, selected, codeFor, setCode, actions, dispatch} = props
  const [, tick] = useState(0)
  useEffect(() => {
    if (waiting.length === 0) return
    const timer = setInterval(() => tick(count => count + 1), 100)
    return () => clearInterval(timer)
  }, [waiting.length === 0])
  const now = Date.now()
  const shown = ask ? waiting : waiting.filter(({at}) => now - at > WORTH_MS)
  return (
    <div class="waiting">
      {shown.length > 0 && (
        <>
          <p class="spoken" aria-live="polite">
            {spoken(shown.at(-1))}
          </p>
          <h2>
            {ask ? 'Waiting for you' : 'Waiting for a decision'} <span class="count">{shown.length}</span>
          </h2>
          <div class="cards">
            {shown.map(each => (
              <WaitingCard
                key={each.event}
                waiting={each}
                ask={ask}
                now={now}
                marked={each.event === marked?.event}
                selected={each.event === selected}
                code={codeFor(each)}
                setCode={code => setCode(each, code)}
                actions={actions}
                dispatch={dispatch}
              />
            ))}
          </div>
        </>
      )}
    </div>
  )
}

/** The newest call in a sentence, for who doesn't see it. */
function spoken(waiting: Waiting | undefined): string {
  if (!waiting) return ''
  const {merchant, amount, currency} = waiting.summary
  return `A call waits: ${[visible(merchant), currency, amount].filter(Boolean).join(' ')}`
}

/** A key that was meant for one call must not meet the next one, which has just moved up, ms. */
const SETTLE_MS = 400

/** The call that keys answer: the one that is looked at, else the oldest; and whether it has been that for a moment. */
export function useMarked(
  waiting: readonly Waiting[],
  selected: string | undefined,
): {readonly marked: Waiting | undefined; isSettled(): boolean} {
  const since = useRef({event: '', at: 0})
  const marked = waiting.find(({event}) => event === selected) ?? waiting[0]
  if (marked && marked.event !== since.current.event)
    since.current = {event: marked.event, at: performance.now()}
  return {marked, isSettled: () => performance.now() - since.current.at > SETTLE_MS}
}
