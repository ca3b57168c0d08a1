import {lateWords} from '../../../contract/late-words.ts'
import type {Call} from './call.ts'
import {toneOf} from './latency.ts'
import {millisText} from './text.ts'

/** How much of the deadline went. */
export function Timing({call: {ms, deadlineMs, ending, gone}}: {call: Call}) {
  const share = deadlineMs === undefined || gone ? undefined : ms / deadlineMs
  return (
    <section class="part timing" data-tone={gone ? 'bad' : share === undefined ? 'calm' : toneOf(share)}>
      <h3>Timing</h3>
      <p>
        <strong class="spent">{millisText(ms)} ms</strong>
        {deadlineMs !== undefined && share !== undefined && (
          <span class="quiet">
            {' '}
            of {millisText(deadlineMs)} ms, {share < 0.01 ? 'less than 1' : Math.round(share * 100)} %
          </span>
        )}
        {gone && <span class="quiet"> here; how long the caller had waited is not known</span>}
      </p>
      {share !== undefined && (
        <span class="scale" aria-hidden="true">
          <i style={{width: `${Math.min(1, share) * 100}%`}} />
        </span>
      )}
      {ending === 'late' && <p class="advice">{sentenceOf(lateWords(gone))}</p>}
    </section>
  )
}

const sentenceOf = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
