import type {CallSummary} from '../../exchange.ts'
import type {Call} from './call.ts'
import {Icon} from './icons.tsx'
import {JsonTree} from './json-tree.tsx'
import type {PageActions} from './page-actions.ts'
import {wordsOf} from './response-codes.ts'
import {plainJson, visible} from './text.ts'

/** The way to the decision, the answer, and the request, which is the longest. */
export function Conversation({call, actions}: {call: Call; actions: PageActions}) {
  const {event, request, reply} = call.exchange
  const unknown = 'unknown' in event ? event.unknown : undefined
  return (
    <>
      <Path call={call} />
      <Differences differs={'differs' in event ? event.differs : undefined} />
      {reply ? (
        <Body title="Answer" head={String(reply.status)} body={reply.body} actions={actions} />
      ) : (
        <section class="part">
          <h3>Answer</h3>
          <p class="quiet">None: the connection was closed.</p>
        </section>
      )}
      <Body
        title="Request"
        head={`${request.method} ${request.path}`}
        body={request.body}
        actions={actions}
        unknown={unknown}
      />
    </>
  )
}

function Path({call}: {call: Call}) {
  const {event, steps} = call.exchange
  if (event.type === 'warm-up') return null
  const words = event.type === 'auth' && event.outcome === 'declined' ? wordsOf(event.code ?? '') : undefined
  return (
    <section class="part">
      <h3>Decision</h3>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={index}>
            <strong>{visible(step.by)}</strong>
            <span>{visible(step.said)}</span>
          </li>
        ))}
        <li data-ending={call.ending}>
          <strong>
            {event.type === 'auth' ? visible(event.by) : event.type === 'late' ? 'deadline' : 'refused'}
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

/** What the call has in another way than the contract says. */
function Differences({differs = []}: {differs: CallSummary['differs'] | undefined}) {
  if (differs.length === 0) return null
  return (
    <section class="part">
      <h3>Differs from the contract</h3>
      {differs.map(({pointer, message}) => (
        <p key={pointer} class="quiet">
          <code>{visible(pointer)}</code> {visible(message)}
        </p>
      ))}
    </section>
  )
}

interface BodyProps {
  readonly title: string
  readonly head: string
  readonly body: unknown
  readonly unknown?: readonly string[] | undefined
  readonly actions: PageActions
}

function Body({title, head, body, unknown, actions}: BodyProps) {
  const name = title.toLowerCase()
  return (
    <section class="part">
      <h3>
        {title} <code>{head}</code>
      </h3>
      {body !== undefined && (
        <button
          type="button"
          class="tool copy"
          title={`Copy the ${name}`}
          aria-label={`Copy the ${name}`}
          onClick={() => actions.copy(typeof body === 'string' ? body : plainJson(body, 2), `the ${name}`)}
        >
          <Icon name="copy" />
        </button>
      )}
      {body === undefined ? (
        <p class="quiet">Not read.</p>
      ) : typeof body === 'string' ? (
        <pre class="json">{visible(body)}</pre>
      ) : (
        <JsonTree value={body} unknown={unknown} />
      )}
    </section>
  )
}
