import {Chalk} from 'chalk'
import type {ColourLevel} from './terminal.ts'

/**
 * Characters without a visible sign that can control a terminal or deceive a reader: C0 and C1 controls, bidi and other
 * format characters, zero-width and further default-ignorable ones, line and paragraph separators, lone surrogates
 * (Unicode general categories and UAX 44). Two groups are excluded: the Arabic number signs, which are format
 * characters but visible, and the two variation selectors that emoji need.
 */
const acting =
  /(?!\ufe0e|\ufe0f|[\u0600-\u0605]|\u06dd|\u070f|\u0890|\u0891|\u08e2|\u{110bd}|\u{110cd})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const shortForms: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'}

const visible = (char: string): string => {
  const code = char.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Makes text from outside safe for a line of a terminal. Shows these characters as `\n`, `\u001b` or `\u{e0041}`. */
export function escapeText(text: string): string {
  return text.replace(acting, char => shortForms[char] ?? visible(char))
}

/**
 * The same for a value inside a quoted CSV field, where tabs and line breaks are data (RFC 4180, 2.6). A carriage
 * return that isn't part of a line break is escaped: it would overwrite the line on a terminal.
 */
export function escapeField(text: string): string {
  return text.replace(acting, (char, at: number) => {
    if (char === '\n' || char === '\t' || (char === '\r' && text[at + 1] === '\n')) return char
    return shortForms[char] ?? visible(char)
  })
}

/** Replaces these characters with the result of a callback, for formats with their own escapes. */
export function replaceActing(text: string, replacement: (char: string) => string): string {
  return text.replace(acting, char => replacement(char))
}

/** Matches most texts, and is cheaper to test than Unicode classes. */
const HARMLESS = /^[\x20-\x7e]*$/

/** Replaces these characters in JSON text with UTF-16 escapes, which any JSON reader decodes. */
export function escapeUnits(text: string): string {
  if (HARMLESS.test(text)) return text
  return text.replace(acting, char => {
    if (char === '\n') return char
    let escaped = ''
    for (let at = 0; at < char.length; at++) escaped += visible(String.fromCharCode(char.charCodeAt(at)))
    return escaped
  })
}

/** One line of JSON without these characters, with the same value for any JSON reader. Undefined becomes null. */
export function jsonLine(value: unknown): string {
  return escapeUnits(JSON.stringify(value) ?? 'null')
}

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
