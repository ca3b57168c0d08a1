import {useEffect, useRef, useState} from 'preact/hooks'
import type {Waiting} from '../wire.ts'
import type {Deeds} from './deeds.ts'
import type {Action} from './state.ts'
import {visible} from './text.ts'
import {WaitingCard} from './waiting-card.tsx'

interface Props {
  readonly waiting: readonly Waiting[]
  readonly ask: boolean
  readonly marked: Waiting | undefined
  readonly selected: string | undefined
  readonly deeds: Deeds
  /** The code that a call is declined with. */
  codeFor(waiting: Waiting): string
  setCode(waiting: Waiting, code: string): void
  dispatch(action: Action): void
}

/** Where no person is asked most calls wait for a moment only: those are not worth a flicker, ms. */
const WORTH_MS = 400

/** The calls that wait for a decision, on top of everything. */
export function WaitingCalls(props: Props) {
  const {waiting, ask, marked, selected, codeFor, setCode, deeds, dispatch} = props
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
                deeds={deeds}
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
