import type {ColourLevel} from './colour.ts'
import {type Glyphs, glyphsFor} from './glyphs.ts'
import {type Line, paintLine, wrap} from './lay-out.ts'
import {paintFor} from './paint.ts'
import {type Styled, strong} from './styled.ts'

/** What a view may know besides the result. */
export interface ViewContext {
  /** Columns of the terminal; Infinity where nothing is to be wrapped or cut. */
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

/** The view for people: a pure function of result and context, built from the helpers of this room. */
export type View<Result = unknown> = (result: Result, context: ViewContext) => string | Promise<string>

/** The view of a list, which may come in pages. */
export type ListView = View<readonly unknown[]>

export const glyphsOf = (context: ViewContext): Glyphs => glyphsFor(context.ascii)

export const painted = (line: Line, context: ViewContext): string => paintLine(line, paintFor(context.colour))

/** A sentence, wrapped to the width. */
export function sentence(styled: Styled, context: ViewContext): string {
  return wrap(styled, context.width)
    .map(line => painted(line, context))
    .join('\n')
}

/** A part of a view under its own heading. */
export const section = (title: string, body: string, context: ViewContext): string =>
  `${sentence([' ', strong(title)], context)}\n${body}`

/** Parts of a view below each other, with a blank line between; empty parts fall out. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join('\n\n')
}
