import {spokenStyled, spokenText} from './spoken.ts'
import {paintFor, replaceActing, type Styled, strong} from './styled.ts'
import {type ColourLevel, type Glyphs, glyphsFor, spoken} from './terminal.ts'
import {type Line, paintLine, wrap} from './text-layout.ts'

/** The context of a view. */
export interface ViewContext {
  /** Terminal columns; Infinity for no wrapping or cutting. */
  readonly width: number
  readonly colour: ColourLevel
  /** Draws lines and bullets in ASCII. */
  readonly ascii: boolean
  /** For a screen reader: words in place of signs, and nothing side by side. */
  readonly accessible?: boolean | undefined
  /** How many entries of the list were printed before this part of it; absent for a whole list. */
  readonly printed?: number | undefined
  /** Milliseconds since 1970, for relative dates. */
  readonly now: number
  /** IANA name. Default: the system's time zone. */
  readonly timeZone?: string | undefined
  /** Whether tables begin with a header row; true by default. */
  readonly header?: boolean | undefined
  /** Called between the parts of a layout. @throws Failure TIMED_OUT */
  readonly check?: (() => void) | undefined
}

/** Formats a result for people: a pure function of result and context, built from the functions of this folder. */
export type View<Result = unknown> = (result: Result, context: ViewContext) => string | Promise<string>

/** The view of a list, which may come in pages. */
export type ListView = View<readonly unknown[]>

/**
 * The text of a view, safe for a terminal: the only control characters are line feeds and our colour codes (SGR). The
 * functions of this folder already escape text; this covers a view that doesn't use them.
 */
export async function renderView<Result>(
  view: View<Result>,
  result: Result,
  context: ViewContext,
): Promise<string> {
  const shown = await view(result, context)
  // Again, for a view that doesn't use them.
  const text = plainer(shown, context)
  if (context.colour === 0) return replaceActing(text, escapeExceptLineFeed)
  const parts = text.split(COLOUR_CODE)
  return parts.map((part, at) => (at % 2 === 1 ? part : replaceActing(part, escapeExceptLineFeed))).join('')
}

/** For a screen reader, words in place of signs; for a terminal without UTF-8, spaces between the groups of a number. */
const plainer = (text: string, {accessible, ascii}: ViewContext): string =>
  accessible === true ? spokenText(text) : ascii ? text.replaceAll('\u202f', ' ') : text

// Built from a string, because the linter rejects the escape character in a RegExp literal.
const COLOUR_CODE = new RegExp(`(${String.fromCharCode(0x1b)}\\[[0-9;]*m)`)

function escapeExceptLineFeed(char: string): string {
  if (char === '\n') return char
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

/** Words with arrows, for a terminal without UTF-8. */
export const arrows = (text: string, {ascii}: ViewContext): string =>
  ascii ? text.replaceAll('→', '->') : text

export const glyphsOf = ({ascii, accessible}: ViewContext): Glyphs =>
  accessible === true ? spoken : glyphsFor(ascii)

/** What is laid out: for a screen reader, words in place of signs, before anything is measured. */
export const said = (styled: Styled, {accessible}: ViewContext): Styled =>
  accessible === true ? spokenStyled(styled) : styled

export function painted(line: Line, context: ViewContext): string {
  const text = paintLine(line, paintFor(context.colour))
  return context.ascii ? text.replaceAll('\u202f', ' ') : text
}

/** Lines without trailing spaces. */
export const paintedLines = (lines: readonly Line[], context: ViewContext): string =>
  lines.map(line => painted(line, context).trimEnd()).join('\n')

/** A sentence, wrapped to the width. */
export function sentence(styled: Styled, context: ViewContext): string {
  return wrap(said(styled, context), context.width)
    .map(line => painted(line, context))
    .join('\n')
}

/** A part of a view under its own heading. */
export const section = (title: string, body: string, context: ViewContext): string =>
  `${sentence([' ', strong(title)], context)}\n${body}`

/** Joins parts of a view, each on its own line. Empty parts are left out. */
export const stack = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n')

/** Joins parts of a view with a blank line between them. Empty parts are left out. */
export const blocks = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n\n')
