import {useEffect, useState} from 'preact/hooks'
import type {Hello} from '../wire.ts'
import {Icon, Mark} from './icons.tsx'
import type {PageActions} from './page-actions.ts'
import type {Action, State} from './state.ts'

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const STORED = 'cardctl-theme'

/** The chosen theme, kept by the browser, and what goes on to the next. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find(each => each === localStorage.getItem(STORED)) ?? 'auto',
  )
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    localStorage.setItem(STORED, theme)
  }, [theme])
  return [theme, () => setTheme(now => THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? 'auto')]
}

interface Props {
  readonly link: State['link']
  readonly hello: Hello | undefined
  readonly theme: Theme
  readonly actions: PageActions
  nextTheme(): void
  dispatch(action: Action): void
}

const LINK: Readonly<Record<State['link'], string>> = {
  connecting: 'connecting',
  live: 'live',
  broken: 'reconnecting',
  locked: 'locked',
  paused: 'paused',
}

export const Header = ({link, hello, theme, nextTheme, actions, dispatch}: Props) => (
  <header class="header">
    <h1 class="brand">
      <Mark />
      cardctl <span class="quiet">inspector</span>
    </h1>
    {hello && (
      <button
        type="button"
        class="address"
        title="Copy the URL for calls"
        onClick={() => actions.copy(hello.url, 'the URL')}
      >
        {hello.url}
        <Icon name="copy" />
      </button>
    )}
    {hello?.forward && (
      <span class="forward quiet" title="Calls are passed on to this endpoint (--forward-to)">
        passed on to <bdi>{hello.forward.url}</bdi>
      </span>
    )}
    <span class="link" data-link={link} role="status">
      <i class="dot" />
      {LINK[link]}
    </span>
    <button
      type="button"
      class="tool"
      title={`Theme: ${theme} (t)`}
      aria-label={`Theme: ${theme}`}
      onClick={nextTheme}
    >
      <Icon name={theme} />
    </button>
    <button
      type="button"
      class="tool"
      title="Keys (?)"
      aria-label="Keys"
      onClick={() => dispatch({type: 'help', help: true})}
    >
      <Icon name="help" />
    </button>
  </header>
)
