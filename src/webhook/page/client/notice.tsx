import {useEffect} from 'preact/hooks'
import type {Action, State} from './state.ts'

const SHOWN_MS = 4000

/** What has just been done, or why not. */
export function Notice({notice, dispatch}: {notice: State['notice']; dispatch(action: Action): void}) {
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => dispatch({type: 'notice', notice: undefined}), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice, dispatch])
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice && (
        <p class="notice" data-tone={notice.bad ? 'bad' : 'good'}>
          {notice.text}
        </p>
      )}
    </div>
  )
}
