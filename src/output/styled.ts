import {escapeText} from '../rows/index.ts'

/** What a text means; the paint decides how that looks. */
export type Style = 'ok' | 'warn' | 'bad' | 'busy' | 'dim' | 'strong' | 'alarm'

export interface Span {
  readonly text: string
  readonly style?: Style | undefined
}

/**
 * Text with meaning. Every text in it counts as text from outside: the layout escapes it, and colour codes are added
 * behind that, so that nothing a service sends can act on the terminal.
 */
export type Styled = string | Span | readonly (string | Span)[]

const styler =
  (style: Style) =>
  (text: string): Span => ({text, style})

export const ok = styler('ok')
export const warn = styler('warn')
export const bad = styler('bad')
export const busy = styler('busy')
export const dim = styler('dim')
export const strong = styler('strong')
export const alarm = styler('alarm')

/** The spans of a styled text, escaped. */
export function spansOf(styled: Styled): readonly Span[] {
  if (typeof styled === 'string') return [{text: escapeText(styled)}]
  if ('text' in styled) return [{text: escapeText(styled.text), style: styled.style}]
  return styled.flatMap(spansOf)
}

/** Several texts as one. */
export function joinStyled(parts: readonly Styled[], separator = ''): Styled {
  return parts.flatMap((part, at): (string | Span)[] => {
    const spans = typeof part === 'string' || 'text' in part ? [part] : [...part]
    return at === 0 || separator === '' ? spans : [separator, ...spans]
  })
}

export const isEmpty = (styled: Styled): boolean => spansOf(styled).every(({text}) => text === '')
