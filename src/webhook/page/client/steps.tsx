import type {Step} from '../../exchange.ts'
import type {Call} from './call.ts'
import {HeaderList} from './header-list.tsx'
import {JsonTree} from './json-tree.tsx'
import {readSaid} from './read-said.ts'
import {wordsOf} from './response-codes.ts'
import {visible} from './text.ts'

/** The way to the decision. */
export function Steps({call}: {call: Call}) {
  const {event, steps} = call.exchange
  if (event.type === 'warm-up' && steps.length === 0) return null
  const words = event.type === 'auth' && event.outcome === 'declined' ? wordsOf(event.code ?? '') : undefined
  return (
    <section class="part">
      <h3>Decision</h3>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={index}>
            <strong>{visible(step.by)}</strong>
            <Said step={step} />
          </li>
        ))}
        <li data-ending={call.ending}>
          <strong>
            {event.type === 'auth'
              ? visible(event.by)
              : event.type === 'late'
                ? 'deadline'
                : event.type === 'warm-up'
                  ? 'warm-up'
                  : 'refused'}
          </strong>
          <span>
            {event.type === 'rejected' ? event.reason : call.decision}
            {words ? `, ${words}` : ''}
            {event.type === 'auth' && event.because ? `; ${visible(event.because)}` : ''}
            {event.type === 'auth' && event.repeated ? '; same answer as to the earlier call' : ''}
            {'reusedId' in event && event.reusedId ? `; another call had this id (${event.reusedId})` : ''}
          </span>
        </li>
      </ol>
    </section>
  )
}

/** What a decider said; the answer of an endpoint as JSON. */
function Said({step: {said, headers}}: {step: Step}) {
  const {words, json} = readSaid(said)
  return (
    <div class="said-by">
      <span class="quiet">{visible(words)}</span>
      {headers && <HeaderList headers={headers} />}
      {json !== undefined && <JsonTree value={json} />}
    </div>
  )
}
