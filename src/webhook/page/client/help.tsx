import {useEffect, useRef} from 'preact/hooks'
import {Icon} from './icons.tsx'
import {KEYS} from './keys.ts'
import type {Action} from './state.ts'

const NAMES: Readonly<Record<string, string>> = {ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc'}

export function Help({open, dispatch}: {open: boolean; dispatch(action: Action): void}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dispatch({type: 'help', help: false})
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <button type="button" class="tool" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
      <dl>
        {KEYS.map(([key, other, what]) => (
          <div key={key}>
            <dt>
              <kbd>{NAMES[key] ?? key}</kbd>
              {other && <kbd>{NAMES[other] ?? other}</kbd>}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
