import type {CallSummary, Exchange} from '../../exchange.ts'
import type {Call} from './call.ts'
import {HeaderList} from './header-list.tsx'
import {Icon} from './icons.tsx'
import {JsonTree} from './json-tree.tsx'
import type {PageActions} from './page-actions.ts'
import {Steps} from './steps.tsx'
import {plainJson, visible} from './text.ts'

/** The way to the decision, the answer, and the request, which is the longest. */
export function Conversation({call, actions}: {call: Call; actions: PageActions}) {
  const {event, request, reply} = call.exchange
  const unknown = 'unknown' in event ? event.unknown : undefined
  return (
    <>
      <Steps call={call} />
      <Differences differs={'differs' in event ? event.differs : undefined} />
      {reply ? (
        <Body
          title="Answer"
          head={String(reply.status)}
          headers={reply.headers}
          body={reply.body}
          actions={actions}
        />
      ) : (
        <section class="part">
          <h3>Answer</h3>
          <p class="quiet">None: the connection was closed.</p>
        </section>
      )}
      <Body
        title="Request"
        head={`${request.method} ${request.path}`}
        headers={request.headers}
        body={request.body}
        actions={actions}
        unknown={unknown}
      />
    </>
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
  readonly headers: Exchange['request']['headers']
  readonly body: unknown
  readonly unknown?: readonly string[] | undefined
  readonly actions: PageActions
}

function Body({title, head, headers, body, unknown, actions}: BodyProps) {
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
      <HeaderList headers={headers} />
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
