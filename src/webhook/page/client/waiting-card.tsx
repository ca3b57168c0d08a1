import {useState} from 'preact/hooks'
import type {Waiting} from '../wire.ts'
import {ID_USED} from './call.ts'
import type {Deeds} from './deeds.ts'
import {toneOf} from './latency.ts'
import {DECLINES} from './response-codes.ts'
import type {Action} from './state.ts'
import {amountText, visible} from './text.ts'

interface Props {
  readonly waiting: Waiting
  readonly ask: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether keys answer this one. */
  readonly marked: boolean
  readonly selected: boolean
  readonly code: string
  readonly deeds: Deeds
  setCode(code: string): void
  dispatch(action: Action): void
}

export function WaitingCard({waiting, ask, now, marked, selected, code, setCode, deeds, dispatch}: Props) {
  const {event, at, summary} = waiting
  const {merchant, amount, currency, kind, deadlineMs} = summary
  const left = Math.max(0, at + deadlineMs - now)
  return (
    <article class="card" data-marked={marked} data-tone={toneOf(1 - left / deadlineMs)}>
      <button
        type="button"
        class="card-about"
        aria-pressed={selected}
        title="Look at the call"
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
            onClick={() => deeds.answer(waiting, {approve: true})}
          >
            Approve {marked && <kbd>a</kbd>}
          </button>
          <span class="joined">
            <button
              type="button"
              class="button"
              data-tone="bad"
              onClick={() => deeds.answer(waiting, {decline: code})}
            >
              Decline {marked && <kbd>d</kbd>}
            </button>
            <select
              class="button"
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
          {canBePartial(waiting) && <Partial waiting={waiting} deeds={deeds} />}
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

function Partial({waiting, deeds}: {waiting: Waiting; deeds: Deeds}) {
  const {amount = 0, currency = ''} = waiting.summary
  const [part, setPart] = useState('')
  const value = Number(part)
  const fits = value > 0 && value < amount
  const send = (event: Event) => {
    event.preventDefault()
    if (fits) deeds.answer(waiting, {partial: {amount: value, currency}})
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
