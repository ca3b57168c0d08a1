import {useEffect, useRef} from 'preact/hooks'
import {Icon} from './icons.tsx'
import type {Action} from './state.ts'

/** What each key does, in the order the help shows it. */
const KEYS = [
  ['j', 'ArrowDown', 'Next call'],
  ['k', 'ArrowUp', 'Previous call'],
  ['g', 'Home', 'Newest call'],
  ['/', '', 'Filter'],
  ['a', '', 'Approve the waiting call'],
  ['d', '', 'Decline it with the chosen code'],
  ['r', '', 'Replay the call, with a new id'],
  ['e', '', 'Edit and replay'],
  ['o', '', 'Replay elsewhere'],
  ['c', '', 'Copy as curl, for your endpoint'],
  ['t', '', 'Switch theme: light, dark, system'],
  ['Escape', '', 'Back'],
  ['?', '', 'This help'],
] as const

type Key = (typeof KEYS)[number][0]

/** The key of a keyboard event that is for the page, and not for a field, a button or the browser. */
export function keyOf(event: KeyboardEvent): Key | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const typing = target?.closest('input, textarea, select') !== null && target !== undefined
  if (typing && event.key !== 'Escape') return undefined
  return KEYS.find(([key, other]) => event.key === key || (other !== '' && event.key === other))?.[0]
}

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
