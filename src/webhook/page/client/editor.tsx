import {useEffect, useRef, useState} from 'preact/hooks'
import type {SendRequest} from '../wire.ts'
import type {PageActions} from './page-actions.ts'
import type {Action} from './state.ts'
import {plainJson, whyNoJson} from './text.ts'

interface Props {
  readonly request: SendRequest
  readonly actions: PageActions
  dispatch(action: Action): void
}

/** A call that is changed before it is sent again. */
export function Editor({request, actions, dispatch}: Props) {
  const [text, setText] = useState(() => plainJson(request.body, 2))
  const field = useRef<HTMLTextAreaElement>(null)
  const fault = whyNoJson(text)
  useEffect(() => {
    field.current?.setSelectionRange(0, 0)
    field.current?.focus()
    field.current?.scrollTo({top: 0})
  }, [])
  const send = (event: Event) => {
    event.preventDefault()
    if (fault === undefined) actions.send({path: request.path, body: JSON.parse(text)})
  }
  return (
    <form class="editor" onSubmit={send}>
      <h2>Edit and replay</h2>
      <p class="quiet">
        Goes to <code>{request.path}</code> of this server, with a new id. The same call with a known id gets
        the same answer; another call with such an id is decided by its own content, with a warning.
      </p>
      <textarea
        ref={field}
        aria-label="The call, as JSON"
        aria-invalid={fault !== undefined}
        aria-describedby="editor-fault"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({currentTarget}) => setText(currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
        }}
      />
      <p id="editor-fault" class="fault" role="status">
        {fault}
      </p>
      <div class="buttons">
        <button type="submit" class="button" data-tone="primary" disabled={fault !== undefined}>
          Send <kbd>Ctrl ↵</kbd>
        </button>
        <button type="button" class="button" onClick={() => dispatch({type: 'edit', editing: undefined})}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}
