import {useEffect, useRef, useState} from 'preact/hooks'
import type {ElsewhereResult, Hello} from '../wire.ts'
import type {Call} from './call.ts'
import {answerFrom, answerOf} from './compare-answers.ts'
import {hostToConfirm, storedEndpoint, storeEndpoint} from './endpoint-field.ts'
import type {PageActions} from './page-actions.ts'
import {sentenceOf} from './text.ts'
import {ThenAndNow} from './then-and-now.tsx'

interface Props {
  readonly call: Call
  readonly hello: Hello | undefined
  readonly actions: PageActions
  onClose(): void
}

/** Sends the call to another endpoint, and shows what came back beside the recorded answer. */
export function Elsewhere({call, hello, actions, onClose}: Props) {
  const [to, setTo] = useState(() => hello?.forward?.url ?? storedEndpoint())
  const [confirm, setConfirm] = useState('')
  const [isSending, setSending] = useState(false)
  const [found, setFound] = useState<ElsewhereResult | string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const host = to === hello?.forward?.url ? undefined : hostToConfirm(to)
  const send = async (event: Event) => {
    event.preventDefault()
    setSending(true)
    const result = await actions.sendElsewhere(call, to, confirm)
    setSending(false)
    setFound(result)
  }
  return (
    <>
      <form class="part elsewhere" onSubmit={event => void send(event)}>
        <h3>Replay elsewhere</h3>
        <label>
          URL without /auth
          <input
            ref={field}
            class="button"
            type="url"
            required
            placeholder="http://127.0.0.1:3000"
            spellcheck={false}
            value={to}
            onInput={({currentTarget}) => {
              setTo(currentTarget.value.trim())
              storeEndpoint(currentTarget.value.trim())
            }}
          />
        </label>
        {host !== undefined && (
          <label>
            Another machine: type {host} to confirm
            <input
              class="button"
              spellcheck={false}
              autocomplete="off"
              value={confirm}
              onInput={({currentTarget}) => setConfirm(currentTarget.value.trim())}
            />
          </label>
        )}
        <div class="buttons">
          <button
            type="submit"
            class="button"
            data-tone="primary"
            disabled={isSending || (host !== undefined && confirm !== host)}
          >
            {isSending ? 'Sending …' : 'Send with a new id'}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Close <kbd>Esc</kbd>
          </button>
        </div>
        <p class="fault" role="status">
          {typeof found === 'string' && sentenceOf(found)}
        </p>
      </form>
      {found !== undefined && typeof found !== 'string' && (
        <ThenAndNow before={answerOf(call.exchange)} now={answerFrom(found)} from={found.to} />
      )}
    </>
  )
}
