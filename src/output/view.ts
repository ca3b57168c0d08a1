import {replaceActing} from '../rows/escape-text.ts'
import {paintFor, type Styled, strong} from './styled.ts'
import {type ColourLevel, type Glyphs, glyphsFor} from './terminal.ts'
import {type Line, paintLine, wrap} from './text-layout.ts'

/** What a view may know besides the result. */
export interface ViewContext {
  /** Columns of the terminal; Infinity if nothing is to be wrapped or cut. */
  readonly width: number
  readonly colour: ColourLevel
  /** Draws lines and bullets in ASCII. */
  readonly ascii: boolean
  /** Milliseconds since 1970, for relative dates. */
  readonly now: number
  /** IANA name; the system's without. */
  readonly timeZone?: string | undefined
  /** Whether tables begin with a header row; true by default. */
  readonly header?: boolean | undefined
}

/** What a person sees of a result: a pure function of result and context, built from the helpers of this room. */
export type View<Result = unknown> = (result: Result, context: ViewContext) => string | Promise<string>

/** The view of a list, which may come in pages. */
export type ListView = View<readonly unknown[]>

/**
 * The text of a view, safe for a terminal: only line feeds and our own colour codes (SGR) act on it. The helpers of this
 * room have escaped already; this covers a view that forgot.
 */
export async function renderView<Result>(
  view: View<Result>,
  result: Result,
  context: ViewContext,
): Promise<string> {
  const parts = (await view(result, context)).split(context.colour > 0 ? COLOUR_CODE : NOTHING)
  return parts.map((part, at) => (at % 2 === 1 ? part : replaceActing(part, escapeExceptLineFeed))).join('')
}

// From a string, because the linter refuses the escape character in a RegExp literal.
const COLOUR_CODE = new RegExp(`(${String.fromCharCode(0x1b)}\\[[0-9;]*m)`)
const NOTHING = /(?!)/

function escapeExceptLineFeed(char: string): string {
  if (char === '\n') return char
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

export const glyphsOf = (context: ViewContext): Glyphs => glyphsFor(context.ascii)

export const painted = (line: Line, context: ViewContext): string => paintLine(line, paintFor(context.colour))

/** Lines without the blanks at their ends. */
export const paintedLines = (lines: readonly Line[], context: ViewContext): string =>
  lines.map(line => painted(line, context).trimEnd()).join('\n')

/** A sentence, wrapped to the width. */
export function sentence(styled: Styled, context: ViewContext): string {
  return wrap(styled, context.width)
    .map(line => painted(line, context))
    .join('\n')
}

/** A part of a view under its own heading. */
export const section = (title: string, body: string, context: ViewContext): string =>
  `${sentence([' ', strong(title)], context)}\n${body}`

/** Parts of a view one below the other. Empty parts are left out. */
export const stack = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n')

/** Parts of a view one below the other, with a blank line between. Empty parts are left out. */
export const blocks = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n\n')
