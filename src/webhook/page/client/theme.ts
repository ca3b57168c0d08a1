import {useEffect, useState} from 'preact/hooks'

export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

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
