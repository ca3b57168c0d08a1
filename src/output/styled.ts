import {Chalk} from 'chalk'
import {escapeText} from './escape-text.ts'
import type {ColourLevel} from './terminal.ts'

/** The meaning of a text. `paintFor` chooses the colour. */
export type Style = 'ok' | 'warn' | 'bad' | 'busy' | 'dim' | 'strong' | 'alarm'

export interface Span {
  readonly text: string
  readonly style?: Style | undefined
}

/**
 * Text with meaning. All of it counts as text from outside: the layout escapes it and adds colour codes afterwards, so
 * nothing that a service sends can control the terminal.
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

/** Joins several texts. */
export function joinStyled(parts: readonly Styled[], separator = ''): Styled {
  return parts.flatMap((part, at): (string | Span)[] => {
    const spans = typeof part === 'string' || 'text' in part ? [part] : [...part]
    return at === 0 || separator === '' ? spans : [separator, ...spans]
  })
}

export const isEmpty = (styled: Styled): boolean => spansOf(styled).every(({text}) => text === '')

export type Paint = (span: Span) => string

const painters = new Map<ColourLevel, Paint>()

/** Turns spans into text with colour codes; at level 0, into plain text. */
export function paintFor(level: ColourLevel): Paint {
  const known = painters.get(level)
  if (known !== undefined) return known
  const paint = level === 0 ? plain : coloured(level)
  painters.set(level, paint)
  return paint
}

const plain: Paint = ({text}) => text

function coloured(level: ColourLevel): Paint {
  const chalk = new Chalk({level})
  const colours: Record<Style, (text: string) => string> = {
    ok: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    busy: chalk.cyan,
    dim: chalk.dim,
    strong: chalk.bold,
    alarm: chalk.bgRed.white.bold,
  }
  return ({text, style}) => (style === undefined || text === '' ? text : colours[style](text))
}
