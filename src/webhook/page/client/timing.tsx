import type {Call} from './call.ts'
import {toneOf} from './latency.ts'
import {millisText} from './text.ts'

/** How much of the deadline went. */
export function Timing({call: {ms, deadlineMs, ending}}: {call: Call}) {
  const share = deadlineMs === undefined ? undefined : ms / deadlineMs
  return (
    <section class="part timing" data-tone={share === undefined ? 'calm' : toneOf(share)}>
      <h3>Timing</h3>
      <p>
        <strong class="spent">{millisText(ms)} ms</strong>
        {deadlineMs !== undefined && share !== undefined && (
          <span class="quiet">
            {' '}
            of {millisText(deadlineMs)} ms, {share < 0.01 ? 'less than 1' : Math.round(share * 100)} %
          </span>
        )}
      </p>
      {share !== undefined && (
        <span class="scale" aria-hidden="true">
          <i style={{width: `${Math.min(1, share) * 100}%`}} />
        </span>
      )}
      {ending === 'late' && (
        <p class="advice">
          The service has fallen back by itself: whoever decides must undo a hold of its own.
        </p>
      )}
    </section>
  )
}
